"""A comparison in charts: differences, buckets, ranks and times, as the data of each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cranfield.comparisons import Bucket
from cranfield.formats import Chart, Series, show_difference, show_milliseconds
from cranfield.runs.summaries import take_percentiles

if TYPE_CHECKING:
    from cranfield.comparisons import Comparison, SuiteComparison

__all__ = ["chart_comparison"]

_TIMES = ("p50", "p95")


def chart_comparison(comparison: Comparison) -> tuple[Chart, ...]:
    """Return the charts of all suites together, then the ranks of each suite."""
    charts = (
        _differences(comparison),
        _buckets(comparison),
        *(_ranks(comparison, suite) for suite in comparison.suites),
        _times(comparison),
    )
    return tuple(chart for chart in charts if any(series.points for series in chart.series))


def _differences(comparison: Comparison) -> Chart:
    """Show the headline of each suite: the difference, its interval, and the margin."""
    points, words = [], []
    for suite in comparison.suites:
        result = suite.headline.result
        if result is None:
            continue
        label = f"{suite.suite_id}, {suite.headline.measure}"
        numbers = (result.difference, result.interval.low, result.interval.high)
        points.append((f"{suite.suite_id}\n{suite.headline.measure}", numbers))
        low, high = map(show_difference, numbers[1:])
        difference = show_difference(result.difference)
        words.append(f"{label}: {suite.verdict.kind}, {difference} [{low}, {high}]")
    margin = comparison.options.margin
    title = f"Difference, {comparison.name_b} minus {comparison.name_a}, with 95% interval"
    series = (Series("95% interval", tuple(points)),)
    return Chart("intervals", title, series, band=(-margin, margin), summary="; ".join(words))


def _buckets(comparison: Comparison) -> Chart:
    """Show how many queries of each suite are in each bucket."""
    filled = [
        bucket for bucket in Bucket if any(suite.buckets.get(bucket) for suite in comparison.suites)
    ]
    series = tuple(
        Series(
            str(bucket),
            tuple((s.suite_id, (float(s.buckets.get(bucket, 0)),)) for s in comparison.suites),
        )
        for bucket in filled
    )
    words = [
        f"{suite.suite_id}: "
        + ", ".join(
            f"{suite.buckets[bucket]} {bucket}" for bucket in filled if suite.buckets[bucket]
        )
        for suite in comparison.suites
    ]
    return Chart("shares", "What became of the queries", series, summary="; ".join(words))


def _ranks(comparison: Comparison, suite: SuiteComparison) -> Chart:
    """Show how the first right hit of each query moved; queries that moved alike are one line."""
    ranked = [each for each in suite.changes if not each.bucket.is_undecided]
    deepest = max(
        (rank for each in ranked for rank in (each.rank_a, each.rank_b) if rank), default=0
    )
    missing = deepest + 1
    moves = Counter(
        (each.bucket, each.rank_a or missing, each.rank_b or missing) for each in ranked
    )
    series = tuple(
        Series(
            str(bucket),
            tuple(
                (f"{before} → {after}", (float(before), float(after), float(count)))
                for (of, before, after), count in sorted(moves.items())
                if of is bucket
            ),
        )
        for bucket in Bucket
    )
    moved = sum(count for (_, before, after), count in moves.items() if before != after)
    summary = f"the rank of the first right hit changed for {moved} of {len(ranked)} queries"
    return Chart(
        "flows",
        suite.suite_id,
        tuple(each for each in series if each.points),
        summary=summary,
        missing=missing,
        ends=(comparison.name_a, comparison.name_b),
    )


def _times(comparison: Comparison) -> Chart:
    """Show how long half and 95 of 100 answers took at most, in each arm."""
    names = (comparison.name_a, comparison.name_b)
    series, words = [], []
    for place, name in enumerate(names):
        points = []
        for suite in comparison.suites:
            outcomes = (suite.runs.outcomes_a, suite.runs.outcomes_b)[place]
            times = take_percentiles(outcomes)
            if all(each in times for each in _TIMES):
                low, high = (times[each] for each in _TIMES)
                points.append((suite.suite_id, (low, high)))
                shown = f"{show_milliseconds(low)} and {show_milliseconds(high)}"
                words.append(f"{suite.suite_id}, {name}: {shown}")
        series.append(Series(name, tuple(points)))
    title = "Response time: half of the answers, and 95 of 100, took at most"
    return Chart("spans", title, tuple(series), summary="; ".join(words))
