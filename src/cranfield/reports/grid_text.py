"""A grid of two binaries and two indexes as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.tables import align, show_difference, show_p

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import Attribution, GridComparison

__all__ = ["render_grid"]


def render_grid(grids: Sequence[GridComparison]) -> str:
    """Write one part a suite: the four means, then what each factor adds."""
    return "\n".join(_grid(grid) for grid in grids)


def _grid(grid: GridComparison) -> str:
    head = f"{grid.suite_id}, {grid.queries} queries of the class {grid.query_class}\n"
    places = ("old binary, old index", "new binary, old index", "old, new", "new, new")
    means = [["measure", *(f"{name}" for name in grid.names)]]
    means += [
        [str(measure), *(f"{value:.4f}" for value in values)]
        for measure, values in grid.means.items()
    ]
    rows = [["measure", "due to", "verdict", "difference", "95% interval", "p"]]
    rows += [_row(each) for each in grid.attributions]
    told = "\n".join(f"{name}: {place}" for name, place in zip(grid.names, places, strict=True))
    return f"{head}\n{told}\n\n{align(means)}\n{align(rows, left=3)}"


def _row(each: Attribution) -> list[str]:
    if each.result is None:
        return [str(each.measure), each.factor, "undefined", "–", "–", "–"]
    interval = each.result.interval
    return [
        str(each.measure),
        each.factor,
        str(each.verdict.kind),
        show_difference(each.result.difference),
        f"[{show_difference(interval.low)}, {show_difference(interval.high)}]",
        show_p(each.result.p_adjusted),
    ]
