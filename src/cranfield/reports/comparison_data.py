"""What a comparison is as data: JSON, records, and the figures of its charts."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.comparisons import Bucket
from cranfield.formats import (
    CellKind,
    Chart,
    Column,
    Series,
    Table,
    show_difference,
    show_milliseconds,
)
from cranfield.reports.run_facts import (
    REPORT_SCHEMA_VERSION,
    hole_facts,
    pick,
    run_facts,
    volatile_facts,
)
from cranfield.runs.summaries import take_percentiles

if TYPE_CHECKING:
    from cranfield.comparisons import (
        ArmFailures,
        CategoryComparison,
        Comparison,
        MeasureComparison,
        PairedRuns,
        QueryChange,
        SuiteComparison,
        Verdict,
    )
    from cranfield.measures import Measure

__all__ = [
    "chart_comparison",
    "comparison_content",
    "comparison_data",
    "comparison_records",
    "comparison_times",
    "failures_data",
]


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """Write the whole comparison; times and ids are under `volatile` and nowhere else."""
    return {
        "kind": "comparison",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": comparison_times(comparison),
        **comparison_content(comparison),
    }


def comparison_times(comparison: Comparison) -> list[dict[str, Any]]:
    """Write what differs between two comparisons over the same inputs."""
    return [
        {
            "suite": suite.suite_id,
            "a": volatile_facts(suite.runs.a.header),
            "b": volatile_facts(suite.runs.b.header),
        }
        for suite in comparison.suites
    ]


def comparison_content(comparison: Comparison) -> dict[str, Any]:
    """Write what follows from the answers alone."""
    return {
        "a": comparison.name_a,
        "b": comparison.name_b,
        "margin": comparison.options.margin,
        "seed": comparison.options.seed,
        "tests": comparison.tests,
        "suites": [_suite(comparison, suite) for suite in comparison.suites],
    }


def _suite(comparison: Comparison, suite: SuiteComparison) -> dict[str, Any]:
    return {
        "id": suite.suite_id,
        "class": suite.query_class,
        "queries": len(suite.changes),
        "answered": len(suite.changes) - suite.buckets[Bucket.FAILED],
        **_verdict(suite.verdict),
        "margin": comparison.options.margin,
        "headline": str(suite.headline.measure),
        "fallen": [change.query.id for change in suite.fallen],
        "never_found": [change.query.id for change in suite.never_found],
        "left_out": list(describe_left_out(suite)),
        "not_judged": list(suite.not_judged.ids),
        "failures": dict(zip("ab", map(failures_data, suite.failures), strict=True)),
        "truth": truth_facts(suite.runs),
        "runs": {"a": run_facts(suite.runs.a), "b": run_facts(suite.runs.b)},
        "holes": dict(zip("ab", map(hole_facts, suite.holes), strict=True)),
        "measures": [_measure(each) for each in suite.measures],
        "categories": [_category(each) for each in suite.categories],
        "buckets": {str(bucket): count for bucket, count in suite.buckets.items()},
        "per_query": [_change(change) for change in suite.changes],
    }


def describe_left_out(suite: SuiteComparison) -> tuple[str, ...]:
    """Say which queries are in no figure of the headline, but for those that failed."""
    found = suite.not_judged
    if not (found.count and suite.has_right_answers):
        return suite.runs.left_out
    return (*suite.runs.left_out, f"{found}: {', '.join(found.ids)}")


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": str(verdict.kind),
        "reason": verdict.reason,
        "queries_needed": verdict.queries_needed,
    }


def failures_data(failures: ArmFailures) -> dict[str, Any]:
    """Write what an arm did not answer."""
    return {
        "count": failures.count,
        "statuses": {str(status): count for status, count in failures.statuses.items()},
        "queries": list(failures.ids),
    }


def _category(each: CategoryComparison) -> dict[str, Any]:
    result = each.result
    return {
        "name": each.name,
        "queries": each.queries,
        "pairs": each.pairs,
        **(
            _verdict(each.verdict) if result else {**_verdict(each.verdict), "verdict": "undefined"}
        ),
        "a": result.mean_a if result else None,
        "b": result.mean_b if result else None,
        "difference": result.difference if result else None,
        "interval": asdict(result.interval) if result else None,
        "p_adjusted": result.p_adjusted if result else None,
    }


def truth_facts(runs: PairedRuns) -> dict[str, Any] | None:
    """Write which databases named the right answers, and for which queries B's own differed."""
    if not (runs.truth or runs.regraded):
        return None
    return {"databases": [asdict(each) for each in runs.truth], "regraded": list(runs.regraded)}


def _measure(each: MeasureComparison) -> dict[str, Any]:
    named = {"measure": str(each.measure), "noise": each.noise}
    if each.result is None:
        return {**named, "verdict": "undefined", "reason": each.verdict.reason or each.reason}
    result = each.result
    return {
        **named,
        "secondary": not result.is_headline,
        **_verdict(each.verdict),
        "pairs": result.pairs,
        "a": result.mean_a,
        "b": result.mean_b,
        "difference": result.difference,
        "interval": asdict(result.interval),
        "test": asdict(result.test),
        "p": result.p,
        "p_adjusted": result.p_adjusted,
        "class_test": asdict(result.class_test),
        "class_p_adjusted": result.class_p_adjusted,
        "effects": asdict(result.effects),
        "equivalence": None if result.equivalence is None else asdict(result.equivalence),
        "p_equivalent": result.p_equivalent,
    }


def _change(change: QueryChange) -> dict[str, Any]:
    sides = {
        "a": (change.status_a, change.rank_a, change.values_a),
        "b": (change.status_b, change.rank_b, change.values_b),
    }
    return {
        **pick(change.query, "id", "text", "category"),
        "bucket": str(change.bucket),
        "beyond_noise": str(change.beyond_noise) if change.beyond_noise else None,
        "lost_checks": [str(check) for check in change.lost_checks],
        **{
            side: {
                "status": str(status),
                "first_rank": rank,
                "values": {str(measure): value for measure, value in values.items()},
            }
            for side, (status, rank, values) in sides.items()
        },
    }


def comparison_records(comparison: Comparison) -> Table:
    """List every query in both arms, with a pair of columns for each measure of any suite."""
    suites = comparison.suites
    measures = tuple(dict.fromkeys(each.measure for suite in suites for each in suite.measures))
    columns = (
        Column("suite"),
        Column("query", CellKind.ID),
        Column("text", CellKind.QUERY),
        *(Column(name) for name in ("category", "bucket", "status_a", "status_b")),
        *(Column(name, CellKind.RANK) for name in ("rank_a", "rank_b")),
        *(Column(f"{each} {side}", CellKind.VALUE) for each in measures for side in "AB"),
    )
    rows = [row for suite in suites for row in _suite_records(suite, measures)]
    return Table(columns, tuple(rows), labels=3)


def _suite_records(suite: SuiteComparison, measures: tuple[Measure, ...]) -> list[tuple[Any, ...]]:
    own = {each.measure for each in suite.measures}
    return [
        (
            suite.suite_id,
            change.query.id,
            change.query.text,
            change.query.category,
            str(change.bucket),
            str(change.status_a),
            str(change.status_b),
            change.rank_a,
            change.rank_b,
            *(
                values.get(measure) if measure in own else None
                for measure in measures
                for values in (change.values_a, change.values_b)
            ),
        )
        for change in suite.changes
    ]


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
