"""The report of a grid of two binaries and two indexes: four means, and what each factor adds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Chart, Column, Line, Lines, Report, Section, Series, Table
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import Attribution, GridComparison

__all__ = ["report_grids"]

_ARMS = ("old binary, old index", "new binary, old index", "old, new", "new, new")


def report_grids(grids: Sequence[GridComparison]) -> Report:
    """Report grids, one section for each suite."""
    return Report(
        kind="grid",
        title="What the binary and the index change",
        sections=tuple(_section(grid) for grid in grids),
        subject=tuple(grids),
        make_data=lambda: _data(grids),
    )


def _section(grid: GridComparison) -> Section:
    arms = [Line(f"{name}: {arm}") for name, arm in zip(grid.names, _ARMS, strict=True)]
    return Section(
        title=f"{grid.suite_id}, {grid.queries} queries of the class {grid.query_class}",
        blocks=(Lines(tuple(arms)), _means(grid), _attributions(grid), _chart(grid)),
    )


def _means(grid: GridComparison) -> Table:
    columns = (Column("measure"), *(Column(name, CellKind.VALUE) for name in grid.names))
    rows = [(str(measure), *means) for measure, means in grid.means.items()]
    return Table(columns, tuple(rows), title="Means")


def _attributions(grid: GridComparison) -> Table:
    columns = (
        Column("measure"),
        Column("due to"),
        Column("verdict"),
        Column("difference", CellKind.DIFFERENCE),
        Column("95% interval", CellKind.INTERVAL),
        Column("p", CellKind.P),
    )
    rows = tuple(_row(each) for each in grid.attributions)
    return Table(columns, rows, labels=3, title="Due to")


def _row(each: Attribution) -> tuple[Any, ...]:
    if each.result is None:
        return (str(each.measure), each.factor, "undefined", None, None, None)
    interval = each.result.interval
    return (
        str(each.measure),
        each.factor,
        str(each.verdict.kind),
        each.result.difference,
        (interval.low, interval.high),
        each.result.p_adjusted,
    )


def _chart(grid: GridComparison) -> Chart:
    points = [
        (
            f"{each.measure}, {each.factor}",
            (each.result.difference, each.result.interval.low, each.result.interval.high),
        )
        for each in grid.attributions
        if each.result is not None
    ]
    return Chart("intervals", "What each factor adds", (Series("95%", tuple(points)),))


def _data(grids: Sequence[GridComparison]) -> dict[str, Any]:
    """Write the grids by docs/schemas/grid.json."""
    return {
        "kind": "grid",
        "schema_version": REPORT_SCHEMA_VERSION,
        "suites": [_grid_data(grid) for grid in grids],
    }


def _grid_data(grid: GridComparison) -> dict[str, Any]:
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
        "attributions": [_attribution_data(each) for each in grid.attributions],
    }


def _attribution_data(each: Attribution) -> dict[str, Any]:
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
