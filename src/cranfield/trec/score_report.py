"""The report of scored TREC runs: measures by run, each run against the first, each query."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.formats import (
    Cell,
    CellKind,
    Column,
    Detail,
    Line,
    Lines,
    Report,
    Section,
    Subject,
    Table,
    count_of,
)
from cranfield.model import Undefined
from cranfield.trec.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Value
    from cranfield.statistics import PairedComparison
    from cranfield.trec.scores import RunComparison, ScoredRun

__all__ = ["SCORES", "report_scores"]

_SCHEMA = "cranfield.score/1"


def report_scores(
    runs: Sequence[ScoredRun],
    comparisons: Sequence[RunComparison] = (),
    *,
    per_query: bool = False,
    tie_bounds: bool = False,
) -> Report:
    """Report scored runs, and the comparison of each with the first if there are several."""
    means, reasons = _means(runs, tie_bounds=tie_bounds), _reasons(runs, tie_bounds=tie_bounds)
    sections = [Section(blocks=(means, reasons))]
    if comparisons:
        sections.append(_comparisons(comparisons))
    elif len(runs) > 1:
        sections.append(_not_compared(runs))
    if per_query:
        sections += [Section(run.name, (_queries(run),)) for run in runs]
    return Report(
        kind="score",
        title=", ".join(run.name for run in runs),
        sections=tuple(sections),
        detail=Detail.ALL if per_query else Detail.MEASURES,
        subject=tuple(runs),
        make_records=lambda: _records(runs, per_query=per_query),
        make_data=lambda: _data(runs, comparisons),
    )


SCORES = Subject(Scores, lambda scores: report_scores(scores.runs, scores.comparisons))
"""What `cranfield.report` writes of the result of `cranfield.score`."""


def _kind(measure: Measure) -> CellKind:
    return CellKind.COUNT if measure.family.is_count else CellKind.VALUE


def _means(runs: Sequence[ScoredRun], *, tie_bounds: bool) -> Table:
    columns = (Column("measure"), *(Column(run.name, CellKind.VALUE) for run in runs))
    rows: list[tuple[Any, ...]] = []
    for measure in runs[0].columns:
        kind = _kind(measure)
        rows.append((str(measure), *(Cell(run.value(measure), kind) for run in runs)))
        if tie_bounds:
            bounds = [run.tie_bounds[measure] for run in runs]
            rows.append(("  worst of ties", *(Cell(each.worst, kind) for each in bounds)))
            rows.append(("  best of ties", *(Cell(each.best, kind) for each in bounds)))
    rows.append(("queries", *(Cell(len(run.queries), CellKind.COUNT) for run in runs)))
    return Table(columns, tuple(rows), is_turnable=True)


def _reasons(runs: Sequence[ScoredRun], *, tie_bounds: bool) -> Lines:
    """Say why there is a dash."""
    reasons: dict[str, None] = {}
    for run in runs:
        for measure in run.columns:
            bounds = run.tie_bounds[measure].worst if tie_bounds else None
            for value in (run.value(measure), bounds):
                if isinstance(value, Undefined):
                    reasons[f"– {measure}: {value.reason}"] = None
    return Lines(tuple(map(Line, reasons)))


def _comparisons(comparisons: Sequence[RunComparison]) -> Section:
    first = comparisons[0].run_a
    results = [each.result for each in comparisons if each.result is not None]
    if not results:
        missing = Line(f"compared with {first}: no query has a value in both runs")
        return Section(blocks=(Lines((missing,)),))
    tests = sum(result.is_headline and result.p_adjusted is not None for result in results)
    headlines = count_of(tests, "headline", "headlines at once")
    corrected = f", Holm-corrected for {headlines}" if tests else ""
    legend = (
        f"verdict     {_verdict_rule(results[0])}; secondary measures decide nothing",
        f"difference  mean of the run minus mean of {first}",
        "interval    Student's, guarded against changes too rare to have been seen",
        f"p           larger of sign-flip test and interval{corrected}",
        "effect      mean difference / standard deviation of the differences",
    )
    columns = (
        Column("run"),
        Column("measure"),
        Column("verdict"),
        Column("difference", CellKind.DIFFERENCE),
        Column(f"{results[0].interval.confidence:.0%} interval", CellKind.INTERVAL),
        Column("p", CellKind.P),
        Column("effect", CellKind.EFFECT),
        Column("win/tie/loss"),
    )
    rows = tuple(_comparison_row(each) for each in comparisons)
    return Section(
        f"compared with {first}, query by query",
        (Table(columns, rows, labels=3), Lines(tuple(map(Line, legend)))),
    )


def _not_compared(runs: Sequence[ScoredRun]) -> Section:
    """Say why several runs are not compared, if no measure can decide."""
    undecisive = [measure for measure in runs[0].columns if measure.undecisive]
    if len(undecisive) < len(runs[0].columns):
        return Section()
    lines = [Line(f"not compared: {measure} {measure.undecisive}") for measure in undecisive]
    return Section(blocks=(Lines((*lines, Line("add a measure such as AP or nDCG@10"))),))


def _verdict_rule(result: PairedComparison) -> str:
    rule = "better or worse if p is below 0.05"
    if result.equivalence is None:
        return rule
    return f"equivalent if surely within ±{result.equivalence.margin:g}, else {rule}"


def _comparison_row(each: RunComparison) -> tuple[Any, ...]:
    if each.result is None:
        return (each.run_b, str(each.measure), str(each.verdict), *[None] * 5)
    role = "" if each.result.is_headline else " (secondary)"
    named = (each.run_b, str(each.measure), f"{each.verdict}{role}")
    counts = each.result.effects.outcomes
    return (
        *named,
        each.result.difference,
        (each.result.interval.low, each.result.interval.high),
        each.result.p_adjusted,
        each.result.effects.standardised_difference.value,
        f"{counts.wins}/{counts.ties}/{counts.losses}",
    )


def _queries(run: ScoredRun) -> Table:
    columns = (
        Column("query", CellKind.ID),
        *(Column(str(measure), _kind(measure)) for measure in run.columns),
    )
    rows = [
        (query, *(column.value(place) for column in run.columns.values()))
        for place, query in enumerate(run.queries)
    ]
    return Table(columns, tuple(rows))


def _records(runs: Sequence[ScoredRun], *, per_query: bool) -> Table:
    """List a row for each run, measure and query; the query `all` is the figure over all."""
    columns = (
        Column("run"),
        Column("query", CellKind.ID),
        Column("measure"),
        Column("value", CellKind.VALUE),
    )
    return Table(columns, tuple(_record_rows(runs, per_query=per_query)), labels=3)


def _record_rows(runs: Sequence[ScoredRun], *, per_query: bool) -> Iterator[tuple[Any, ...]]:
    for run in runs:
        for measure, column in run.columns.items():
            name = str(measure)
            yield (run.name, "all", name, run.value(measure))
            if per_query:
                for place, query in enumerate(run.queries):
                    yield (run.name, query, name, column.value(place))


def _data(runs: Sequence[ScoredRun], comparisons: Sequence[RunComparison]) -> dict[str, Any]:
    """Write everything that is known; an undefined value is null and its reason stands apart."""
    return {
        "schema": _SCHEMA,
        "runs": [_run_data(run) for run in runs],
        "comparisons": [_comparison_data(each) for each in comparisons],
        "warnings": [
            {"run": run.name, **asdict(warned)} for run in runs for warned in run.warnings
        ],
    }


def _run_data(run: ScoredRun) -> dict[str, Any]:
    figures = {str(measure): run.value(measure) for measure in run.columns}
    columns = {str(measure): column for measure, column in run.columns.items()}
    return {
        "name": run.name,
        "tag": run.tag,
        "measures": {name: _number(value) for name, value in figures.items()},
        "undefined": {
            name: value.reason for name, value in figures.items() if isinstance(value, Undefined)
        },
        "tie_bounds": {
            str(measure): [_number(bounds.worst), _number(bounds.best)]
            for measure, bounds in run.tie_bounds.items()
        },
        "queries": {
            query: {name: _number(column.value(place)) for name, column in columns.items()}
            for place, query in enumerate(run.queries)
        },
    }


def _comparison_data(comparison: RunComparison) -> dict[str, Any]:
    names = {"measure": str(comparison.measure), "a": comparison.run_a, "b": comparison.run_b}
    if comparison.result is None:
        return {**names, "reason": "no query has a value in both runs"}
    result = comparison.result
    return {
        **names,
        "verdict": asdict(comparison.verdict),
        "pairs": result.pairs,
        "difference": result.difference,
        "p_adjusted": result.p_adjusted,
        "randomisation": asdict(result.test.full),
        **{
            key: value
            for key, value in asdict(result).items()
            if key not in ("p_adjusted", "test", "verdict")
        },
    }


def _number(value: Value) -> float | None:
    return None if isinstance(value, Undefined) else value
