"""Scores as tables to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.model import Undefined
from cranfield.tables import align, show_difference, show_p, show_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.scores.formats import ScoreReport
    from cranfield.scores.run_comparisons import RunComparison
    from cranfield.trec import ScoredRun
    from cranfield.verdicts import PairedComparison

__all__ = ["render_table"]

_WIDEST = 120
"""Beyond so many characters, a table of several runs has a row for each run instead."""


def render_table(report: ScoreReport) -> str:
    """Write a table of measures by runs, then the comparisons, then each query if asked."""
    parts = [_means(report), *_reasons(report)]
    if report.comparisons:
        parts.append(_comparisons(report.comparisons))
    if report.per_query:
        parts.extend(_queries(run) for run in report.runs)
    return "\n".join(parts)


def _means(report: ScoreReport) -> str:
    rows = [["measure", *(run.name for run in report.runs)]]
    for measure in report.runs[0].columns:
        is_count = measure.family.is_count
        cells = [show_value(run.value(measure), is_count=is_count) for run in report.runs]
        rows.append([str(measure), *cells])
        if report.tie_bounds:
            bounds = [run.tie_bounds[measure] for run in report.runs]
            worst = [show_value(each.worst, is_count=is_count) for each in bounds]
            best = [show_value(each.best, is_count=is_count) for each in bounds]
            rows.append(["  worst of ties", *worst])
            rows.append(["  best of ties", *best])
    rows.append(["queries", *(str(len(run.queries)) for run in report.runs)])
    table = align(rows)
    too_wide = len(report.runs) > 2 and max(map(len, table.splitlines())) > _WIDEST
    return align(list(zip(*rows, strict=True))) if too_wide else table


def _reasons(report: ScoreReport) -> Iterator[str]:
    """Say why there is a dash."""
    reasons: dict[str, None] = {}
    for run in report.runs:
        for measure in run.columns:
            bounds = run.tie_bounds[measure].worst if report.tie_bounds else None
            for value in (run.value(measure), bounds):
                if isinstance(value, Undefined):
                    reasons[f"– {measure}: {value.reason}\n"] = None
    if reasons:
        yield "".join(reasons)


def _comparisons(comparisons: list[RunComparison]) -> str:
    first = comparisons[0].run_a
    results = [each.result for each in comparisons if each.result is not None]
    if not results:
        return f"compared with {first}: no query has a value in both runs\n"
    interval = f"{results[0].interval.confidence:.0%} interval"
    head = ["run", "measure", "verdict", "difference", interval, "p", "effect", "win/tie/loss"]
    rows = [
        [each.run_b, str(each.measure), str(each.verdict), *_comparison_cells(each.result)]
        for each in comparisons
    ]
    return (
        f"compared with {first}, query by query\n\n{align([head, *rows], left=3)}\n"
        f"verdict     {_verdict_rule(results[0])}\n"
        f"difference  mean of the run minus mean of {first}, with its own BCa interval\n"
        f"p           two-sided sign-flip randomisation, Holm-corrected for {_tests(results)}\n"
        "effect      mean difference / standard deviation of the differences\n"
    )


def _tests(results: list[PairedComparison]) -> str:
    count = sum(result.test.p_two_sided is not None for result in results)
    return "1 test" if count == 1 else f"{count} tests at once"


def _verdict_rule(result: PairedComparison) -> str:
    rule = "better or worse if p is below 0.05"
    if result.equivalence is None:
        return rule
    return f"equivalent if surely within ±{result.equivalence.margin:g}, else {rule}"


def _comparison_cells(result: PairedComparison | None) -> list[str]:
    if result is None:
        return ["–"] * 5
    effect = result.effects.standardised_difference.value
    counts = result.effects.outcomes
    return [
        show_difference(result.difference),
        f"[{show_difference(result.interval.low)}, {show_difference(result.interval.high)}]",
        show_p(result.p_adjusted),
        "–" if effect is None else f"{effect:+.2f}",
        f"{counts.wins}/{counts.ties}/{counts.losses}",
    ]


def _queries(run: ScoredRun) -> str:
    rows = [["query", *(str(measure) for measure in run.columns)]]
    for place, query in enumerate(run.queries):
        cells = [
            show_value(column.value(place), is_count=measure.family.is_count)
            for measure, column in run.columns.items()
        ]
        rows.append([query, *cells])
    return f"{run.name}\n\n{align(rows)}"
