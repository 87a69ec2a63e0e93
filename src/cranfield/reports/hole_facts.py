"""What every report says of holes: hits that nobody judged, and the bounds they leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Column, Detail, Table
from cranfield.runs import find_holes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.runs import Run

__all__ = ["hole_facts", "holes_table"]

_COLUMNS = (
    Column("arm"),
    Column("measure"),
    Column("not judged", CellKind.SHARE),
    Column("if irrelevant", CellKind.VALUE),
    Column("if relevant", CellKind.VALUE),
)


def holes_table(runs: Mapping[str, Run], *, detail: Detail = Detail.NONE) -> Table:
    """Show for each run how many hits nobody judged, and what its means may come to."""
    rows = tuple(
        (name, str(each.measure), (each.holes, each.hits), each.low, each.high)
        for name, run in runs.items()
        for each in find_holes(run)
    )
    return Table(
        _COLUMNS,
        rows,
        labels=2,
        title="Hits that nobody judged",
        caption="hits that nobody judged, and the means if all were irrelevant, or all relevant:",
        detail=detail,
    )


def hole_facts(run: Run) -> list[dict[str, Any]]:
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
        for each in find_holes(run)
    ]
