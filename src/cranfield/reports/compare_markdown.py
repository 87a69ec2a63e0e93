"""A comparison as an audit document in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.reports.compare_text import (
    failures_line,
    show_figure,
    show_rank,
    verdict_line,
)
from cranfield.reports.comparisons import COMPARE_FORMATS, CompareFormat
from cranfield.reports.markdown import markdown_table, run_cells
from cranfield.statistics import PAIRED_TESTS
from cranfield.tables import show_difference, show_p, show_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import Comparison, MeasureComparison, QueryChange, SuiteComparison
    from cranfield.measures import Measure
    from cranfield.reports.comparisons import CompareReport

__all__ = ["render_compare_markdown"]


def render_compare_markdown(report: CompareReport) -> str:
    """Write header, headline, and per suite aggregates, tests, buckets, queries; then method."""
    comparison = report.comparison
    parts = [
        f"# {comparison.name_b} against {comparison.name_a}\n",
        _header(comparison),
        "## Headline\n",
        "".join(
            f"- **{suite.suite_id}**: {verdict_line(comparison, suite)}\n"
            for suite in comparison.suites
        ),
        *(_suite(report, suite) for suite in comparison.suites),
        _method(comparison),
        _limits(comparison),
    ]
    return "\n".join(parts)


def _header(comparison: Comparison) -> str:
    rows = [["suite", "arm", "system", "run", "started", "queries", "k", "files"]]
    for suite in comparison.suites:
        for arm, run in (("A", suite.runs.a), ("B", suite.runs.b)):
            rows.append([suite.suite_id, arm, *run_cells(run)])
    return markdown_table(rows)


def _suite(report: CompareReport, suite: SuiteComparison) -> str:
    failed = failures_line(report.comparison, suite)
    parts = [
        f"## {suite.suite_id}, class {suite.query_class}, {len(suite.changes)} queries\n",
        f"{failed}\n" if failed else "",
        "".join(f"left out: {reason}\n" for reason in suite.runs.left_out),
        "".join(f"warning: {warning}\n" for warning in suite.warnings),
        _aggregates(report.comparison, suite),
        "### Tests\n",
        _tests(suite),
        "### Buckets\n",
        markdown_table(
            [["bucket", "queries"], *([str(name), str(n)] for name, n in suite.buckets.items())]
        ),
        _changes(report.shown(suite), suite.headline.measure),
    ]
    return "\n".join(part for part in parts if part)


def _aggregates(comparison: Comparison, suite: SuiteComparison) -> str:
    head = ["measure", comparison.name_a, comparison.name_b, "difference", "95% interval"]
    rows = [[*head, "effect", "noise", "verdict"]]
    rows += [_aggregate(each) for each in suite.measures]
    return markdown_table(rows)


def _aggregate(each: MeasureComparison) -> list[str]:
    noise = "–" if each.noise is None else f"{each.noise:.4f}"
    if each.result is None:
        return [str(each.measure), *["–"] * 5, noise, f"undefined: {each.reason}"]
    result = each.result
    effect = result.effects.standardised_difference.value
    low, high = show_difference(result.interval.low), show_difference(result.interval.high)
    return [
        str(each.measure),
        show_value(result.mean_a),
        show_value(result.mean_b),
        show_difference(result.difference),
        f"[{low}, {high}]",
        "–" if effect is None else f"{effect:+.2f}",
        noise,
        str(each.verdict),
    ]


def _tests(suite: SuiteComparison) -> str:
    rows = [["measure", "test", "what it counted", "p", "p (B better)", "p corrected"]]
    rows += [
        [
            str(each.measure),
            PAIRED_TESTS.get(each.result.test.name).title,
            each.result.test.reason or each.result.test.detail,
            show_p(each.result.test.p_two_sided),
            show_p(each.result.test.p_greater),
            show_p(each.result.p_adjusted),
        ]
        for each in suite.measures
        if each.result is not None
    ]
    return markdown_table(rows)


def _changes(shown: Sequence[QueryChange], measure: Measure) -> str:
    if not shown:
        return ""
    values = [f"{measure} A", f"{measure} B"]
    rows = [["query", "text", "rank A", "rank B", *values, "change", "answered"]]
    rows += [
        [
            change.query.id,
            change.query.text,
            show_rank(change.rank_a),
            show_rank(change.rank_b),
            *(show_figure(side.get(measure)) for side in (change.values_a, change.values_b)),
            str(change.bucket),
            f"{change.status_a}, {change.status_b}",
        ]
        for change in shown
    ]
    return f"### Queries\n\n{markdown_table(rows)}"


def _method(comparison: Comparison) -> str:
    return (
        "## Method\n\n"
        "Every query was asked of both arms from the outside, with the same number of hits. The "
        "order in which a system returned its hits is the ranking. Answers that failed score 0 "
        "and are counted apart. Queries are paired by the hash of what they ask and expect. "
        "Differences are B minus A over the pairs that have a value in both arms; intervals are "
        "bootstrap BCa of the mean difference, 95%. Each measure is tested as its class says. "
        f"All {comparison.tests} p-values are corrected together (Holm). A difference that surely "
        f"lies within ±{comparison.options.margin:g} is called equivalent; one with a corrected p "
        "below 0.05 better or worse; otherwise we cannot tell. Effect is the mean difference in "
        f"standard deviations. Randomised statistics used the seed {comparison.options.seed}.\n"
    )


def _limits(comparison: Comparison) -> str:
    classes = ", ".join(sorted({suite.query_class for suite in comparison.suites}))
    return (
        "## What this does not measure\n\n"
        f"Only queries of these classes were asked: {classes}. Nothing is said of other classes, "
        "and no figure sums them up: they are not alike. Right is what the suite's rules say; a "
        "good answer that no rule knows counts as none. Speed is not compared.\n"
    )


COMPARE_FORMATS.register("markdown", CompareFormat("markdown", render_compare_markdown))
