"""A grid of two binaries and two indexes as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.reports.facts import SCHEMA_VERSION, as_json, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import Attribution, GridComparison

__all__ = ["render_grid_json"]


def render_grid_json(grids: Sequence[GridComparison]) -> str:
    """Write the four means of every measure, and what each factor adds."""
    written = {
        "kind": "grid",
        "schema_version": SCHEMA_VERSION,
        "suites": [_grid(grid) for grid in grids],
    }
    return as_json(written)


def _grid(grid: GridComparison) -> dict[str, Any]:
    return {
        "id": grid.suite_id,
        "class": grid.query_class,
        "queries": grid.queries,
        "arms": list(grid.names),
        "margin": grid.options.margin,
        "seed": grid.options.seed,
        "means": {
            str(measure): [number(mean) for mean in means] for measure, means in grid.means.items()
        },
        "attributions": [_attribution(each) for each in grid.attributions],
    }


def _attribution(each: Attribution) -> dict[str, Any]:
    named = {"measure": str(each.measure), "factor": each.factor}
    if each.result is None:
        return {**named, "verdict": "undefined"}
    return {
        **named,
        "verdict": str(each.verdict.kind),
        "difference": each.result.difference,
        "interval": asdict(each.result.interval),
        "test": asdict(each.result.test),
        "p_adjusted": each.result.p_adjusted,
    }
