"""What every report says of holes, which are unjudged hits: the bounds they leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Column, Detail, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.runs.holes import HoleBounds

__all__ = ["hole_facts", "holes_table"]

_COLUMNS = (
    Column("arm"),
    Column("measure"),
    Column("not judged", CellKind.SHARE),
    Column("if irrelevant", CellKind.VALUE),
    Column("if relevant", CellKind.VALUE),
)


def holes_table(arms: Mapping[str, Sequence[HoleBounds]], *, detail: Detail = Detail.NONE) -> Table:
    """Show for each arm how many hits are unjudged, and what its means may come to."""
    rows = tuple(
        (name, str(each.measure), (each.holes, each.hits), each.low, each.high)
        for name, holes in arms.items()
        for each in holes
    )
    return Table(
        _COLUMNS,
        rows,
        labels=2,
        title="Hits that nobody judged",
        caption="hits that nobody judged, and the means if all were irrelevant, or all relevant:",
        detail=detail,
    )


def hole_facts(holes: Sequence[HoleBounds]) -> list[dict[str, Any]]:
    """Write the holes of a run, by measure; an empty list if there are none."""
    return [
        {
            "measure": str(each.measure),
            "depth": each.depth,
            "unjudged": each.holes,
            "hits": each.hits,
            "share": each.share,
            "low": each.low,
            "high": each.high,
        }
        for each in holes
    ]
