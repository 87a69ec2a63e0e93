"""A comparison as plain text: the verdict first, then what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.comparisons import VerdictKind
from cranfield.reports.comparisons import COMPARE_FORMATS, CompareFormat, Show
from cranfield.reports.run_text import shorten
from cranfield.tables import align, show_difference, show_p, show_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.comparisons import (
        Comparison,
        MeasureComparison,
        QueryChange,
        SuiteComparison,
        Verdict,
    )
    from cranfield.measures import Measure
    from cranfield.model import Status
    from cranfield.reports.comparisons import CompareReport

__all__ = [
    "failures_line",
    "render_compare_text",
    "show_figure",
    "show_rank",
    "verdict_line",
]

_MOST_LISTED = 60


def render_compare_text(report: CompareReport) -> str:
    """Write an overview of several suites, one part a suite, and what the columns mean."""
    if report.show is Show.NONE:
        return ""
    comparison = report.comparison
    is_short = report.show is Show.OVERVIEW
    parts = [] if is_short else [_suite(report, suite) for suite in comparison.suites]
    if is_short or len(parts) > 1:
        parts.insert(0, _overview(comparison))
    return "\n".join([*parts, _legend(comparison)])


def _overview(comparison: Comparison) -> str:
    """Write one line a suite: its headline in both arms, and the verdict on it."""
    names = (comparison.name_a, comparison.name_b)
    rows = [["suite", "verdict", "measure", "queries", *names, "p"]]
    for suite in comparison.suites:
        headline, result = suite.headline, suite.headline.result
        figures = (
            [show_value(result.mean_a), show_value(result.mean_b), show_p(result.p_adjusted)]
            if result
            else ["–", "–", "–"]
        )
        told = [suite.suite_id, str(suite.verdict.kind), str(headline.measure)]
        rows.append([*told, str(len(suite.changes)), *figures])
    return align(rows, left=3)


def _what_would_tell(headline: MeasureComparison, verdict: Verdict) -> list[str]:
    """Say how many queries would tell, and what difference these could have shown."""
    told = []
    if verdict.queries_needed is not None:
        told.append(f"{verdict.queries_needed} queries would tell")
    if headline.detectable is not None:
        told.append(f"these show differences from {headline.detectable:.4f} on")
    return told


def verdict_line(comparison: Comparison, suite: SuiteComparison) -> str:
    """Say in one sentence what the comparison comes to."""
    headline, verdict = suite.headline, suite.verdict
    names = f"{comparison.name_b} against {comparison.name_a}"
    if headline.result is None:
        return f"{names}: cannot tell: {headline.measure} is undefined ({headline.reason})"
    moved = (
        f"{headline.measure} {headline.result.mean_a:.4f} → {headline.result.mean_b:.4f}, "
        f"p {show_p(headline.result.p_adjusted)}"
    )
    if verdict.kind is VerdictKind.EQUIVALENT:
        outcomes = headline.result.effects.outcomes
        same = outcomes.wins + outcomes.losses == 0
        why = "no query differs" if same else f"within ±{comparison.options.margin:g}"
        return f"{names}: equivalent ({moved}, {why})"
    if verdict.reason:
        return f"{names}: cannot tell ({moved}; {verdict.reason})"
    if verdict.kind is VerdictKind.CANNOT_TELL:
        return f"{names}: cannot tell ({'; '.join([moved, *_what_would_tell(headline, verdict)])})"
    return f"{names}: {verdict.kind} ({moved})"


def failures_line(comparison: Comparison, suite: SuiteComparison) -> str:
    """Say how many queries each arm did not answer, before any number is read."""
    sides = zip((comparison.name_a, comparison.name_b), suite.failures, strict=True)
    told = [f"{name}: {_counts(failures)}" for name, failures in sides if failures]
    line = f"not answered, and scored 0: {'; '.join(told)}" if told else ""
    empty = [
        f"{name} {count}"
        for name, count in zip((comparison.name_a, comparison.name_b), suite.empty, strict=True)
        if count
    ]
    return "; ".join(
        filter(None, (line, f"queries without a result: {', '.join(empty)}" if empty else ""))
    )


def show_rank(rank: int | None) -> str:
    """Show a rank; – for not found."""
    return "–" if rank is None else str(rank)


def show_figure(value: float | None) -> str:
    """Show one query's value; – for none."""
    return "–" if value is None else f"{value:.4f}"


def _counts(failures: Mapping[Status, int]) -> str:
    return ", ".join(f"{count} {status}" for status, count in sorted(failures.items()))


def _suite(report: CompareReport, suite: SuiteComparison) -> str:
    comparison = report.comparison
    lines = [
        f"{suite.suite_id}, {len(suite.changes)} queries of the class {suite.query_class}",
        verdict_line(comparison, suite),
        failures_line(comparison, suite),
        *(f"left out: {reason}" for reason in suite.runs.left_out),
        *(f"warning: {warning}" for warning in suite.warnings),
    ]
    head = "".join(f"{line}\n" for line in lines if line)
    parts = [head, _measures(comparison, suite), _buckets(suite), _queries(report, suite)]
    return "\n".join(part for part in parts if part)


def _measures(comparison: Comparison, suite: SuiteComparison) -> str:
    noisy = any(each.noise is not None for each in suite.measures)
    head = ["measure", "verdict", comparison.name_a, comparison.name_b, "difference"]
    rows = [[*head, "95% interval", *(["noise"] if noisy else []), "p", "test", "effect", "pairs"]]
    rows += [_measure(each, noisy=noisy) for each in suite.measures]
    return align(rows, left=2) + "".join(_untested(suite))


def _untested(suite: SuiteComparison) -> list[str]:
    """Say why a measure has no p."""
    reasons = [
        (each.measure, each.result.test.reason if each.result else each.reason)
        for each in suite.measures
    ]
    return [f"{measure} is not tested: {reason}\n" for measure, reason in reasons if reason]


def _measure(each: MeasureComparison, *, noisy: bool) -> list[str]:
    noise = ["–" if each.noise is None else f"{each.noise:.4f}"] if noisy else []
    if each.result is None:
        return [str(each.measure), "undefined", "–", "–", "–", "–", *noise, "–", "–", "–", "0"]
    result = each.result
    effect = result.effects.standardised_difference.value
    return [
        str(each.measure),
        str(each.verdict.kind),
        show_value(result.mean_a),
        show_value(result.mean_b),
        show_difference(result.difference),
        f"[{show_difference(result.interval.low)}, {show_difference(result.interval.high)}]",
        *noise,
        show_p(result.p_adjusted),
        result.test.name,
        "–" if effect is None else f"{effect:+.2f}",
        str(result.pairs),
    ]


def _buckets(suite: SuiteComparison) -> str:
    filled = [f"{count} {bucket}" for bucket, count in suite.buckets.items() if count]
    return f"queries: {', '.join(filled)}\n"


def _queries(report: CompareReport, suite: SuiteComparison) -> str:
    shown = report.shown(suite)
    if not shown:
        return ""
    measure = suite.headline.measure
    rows = [["query", "text", "change", "rank A", "B", f"{measure} A", "B"]]
    rows += [_query(change, measure) for change in shown[:_MOST_LISTED]]
    more = len(shown) - _MOST_LISTED
    tail = f"… and {more} more; --format csv has all\n" if more > 0 else ""
    return align(rows, left=3) + tail


def _query(change: QueryChange, measure: Measure) -> list[str]:
    failed = [
        f"{side} {status}"
        for side, status in (("A", change.status_a), ("B", change.status_b))
        if status.is_failure
    ]
    told = ", ".join([str(change.bucket), *failed])
    values = [show_figure(side.get(measure)) for side in (change.values_a, change.values_b)]
    ranks = [show_rank(change.rank_a), show_rank(change.rank_b)]
    return [change.query.id, shorten(change.query.text), told, *ranks, *values]


def _legend(comparison: Comparison) -> str:
    tests = comparison.tests
    return (
        f"A is {comparison.name_a}, B is {comparison.name_b}; ranks are those of the first right "
        "hit\n"
        f"p is two-sided, corrected (Holm) over {tests} tests; effect is the mean difference in "
        "standard deviations\n"
        f"a difference that surely lies within ±{comparison.options.margin:g} is equivalent; seed "
        f"{comparison.options.seed}\n"
    )


COMPARE_FORMATS.register("text", CompareFormat("text", render_compare_text))
