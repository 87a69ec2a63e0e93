"""The report of a grid of two binaries and two indexes: four means, and what each factor adds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.formats import (
    CellKind,
    Chart,
    Column,
    Detail,
    Line,
    Lines,
    Report,
    Section,
    Series,
    Table,
    Tone,
    count_of,
    name_queries,
)
from cranfield.reports.comparison_data import failures_data
from cranfield.reports.comparison_words import describe_failures
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, number

if TYPE_CHECKING:
    from cranfield.comparisons import Attribution, Grid, GridComparison

__all__ = ["report_grid"]

_ARMS = ("old binary, old index", "new binary, old index", "old, new", "new, new")


def report_grid(grid: Grid, detail: Detail = Detail.CHANGED) -> Report:
    """Report a grid, one section for each suite; an overview has its headline only."""
    return Report(
        kind="grid",
        title="What the binary and the index change",
        sections=tuple(_section(suite, detail) for suite in grid.suites),
        notes=_legend(grid),
        detail=detail,
        subject=grid,
        make_data=lambda: _data(grid),
    )


def _section(grid: GridComparison, detail: Detail) -> Section:
    arms = [Line(f"{name}: {arm}") for name, arm in zip(grid.names, _ARMS, strict=True)]
    arms += [Line(each, Tone.WARNING) for each in describe_failures(grid.failures)]
    if grid.ungraded:
        named = name_queries(grid.ungraded)
        arms.append(Line(f"not graded, and left out: {len(grid.ungraded)} ({named})", Tone.WARNING))
    if grid.not_judged.count:
        named = name_queries(grid.not_judged.ids)
        arms.append(Line(f"not judged: {grid.not_judged}: {named}", Tone.WARNING))
    reasons = dict.fromkeys(each.verdict.reason for each in grid.attributions)
    arms += [Line(f"cannot tell: {each}", Tone.WARNING) for each in reasons if each]
    queries = count_of(grid.queries, "query", "queries")
    return Section(
        title=f"{grid.suite_id}, {queries} of the class {grid.query_class}",
        blocks=(Lines(tuple(arms)), _means(grid), _attributions(grid, detail), _chart(grid)),
    )


def _legend(grid: Grid) -> tuple[str, ...]:
    options = grid.suites[0].options
    margin, seed = f"±{options.margin:g}", options.seed
    return (f"a difference shown to lie within {margin} counts as equivalent; seed {seed}",)


def _means(grid: GridComparison) -> Table:
    columns = (Column("measure"), *(Column(name, CellKind.VALUE) for name in grid.names))
    rows = [(str(measure), *means) for measure, means in grid.means.items()]
    return Table(columns, tuple(rows), title="Means", detail=Detail.MEASURES)


def _attributions(grid: GridComparison, detail: Detail) -> Table:
    shown = [
        each
        for each in grid.attributions
        if detail > Detail.OVERVIEW or each.measure == grid.headline
    ]
    columns = (
        Column("measure"),
        Column("due to"),
        Column("verdict"),
        Column("difference", CellKind.DIFFERENCE),
        Column("95% interval", CellKind.INTERVAL),
        Column("p", CellKind.P),
    )
    rows = tuple(_row(each) for each in shown)
    return Table(columns, rows, labels=3, title="Due to")


def _row(each: Attribution) -> tuple[Any, ...]:
    if each.result is None:
        return (str(each.measure), each.factor, "undefined", None, None, None)
    interval = each.result.interval
    return (
        str(each.measure),
        each.factor,
        str(each.verdict.kind) + ("" if each.result.is_headline else " (secondary)"),
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


def _data(grid: Grid) -> dict[str, Any]:
    """Write a grid by docs/schemas/grid.json."""
    return {
        "kind": "grid",
        "schema_version": REPORT_SCHEMA_VERSION,
        "suites": [_grid_data(suite) for suite in grid.suites],
    }


def _grid_data(grid: GridComparison) -> dict[str, Any]:
    return {
        "id": grid.suite_id,
        "class": grid.query_class,
        "queries": grid.queries,
        "arms": list(grid.names),
        "margin": grid.options.margin,
        "seed": grid.options.seed,
        "failures": [failures_data(each) for each in grid.failures],
        "not_judged": list(grid.not_judged.ids),
        "means": {
            str(measure): [number(mean) for mean in means] for measure, means in grid.means.items()
        },
        "attributions": [_attribution_data(each) for each in grid.attributions],
    }


def _attribution_data(each: Attribution) -> dict[str, Any]:
    named = {"measure": str(each.measure), "factor": each.factor}
    if each.result is None:
        return {**named, "verdict": "undefined", "reason": each.verdict.reason}
    return {
        **named,
        "secondary": not each.result.is_headline,
        "verdict": str(each.verdict.kind),
        "reason": each.verdict.reason,
        "difference": each.result.difference,
        "interval": asdict(each.result.interval),
        "test": asdict(each.result.test),
        "p_adjusted": each.result.p_adjusted,
    }
