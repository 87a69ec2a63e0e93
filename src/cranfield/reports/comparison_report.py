"""The report of a comparison: the verdict on each suite, what it rests on, what changed."""

from __future__ import annotations

from math import inf
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cranfield.comparisons import MOST_FAILED, MOST_OPEN, Bucket
from cranfield.formats import (
    CellKind,
    Column,
    Detail,
    Line,
    Lines,
    Report,
    Section,
    Table,
    count_of,
    tabulate,
)
from cranfield.reports.additions import list_sections, supplement_data
from cranfield.reports.comparison_data import chart_comparison, comparison_data, comparison_records
from cranfield.reports.comparison_words import (
    describe_buckets,
    describe_failures,
    describe_open,
    describe_outcome,
    describe_suite,
    describe_verdict_alone,
    verdict_tone,
)
from cranfield.reports.query_rankings import comparison_rankings
from cranfield.reports.run_facts import RUN_COLUMNS, holes_table, run_cells
from cranfield.statistics import ALPHA, FEWEST_PAIRS, PAIRED_TESTS, TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.comparisons import (
        CategoryComparison,
        Comparison,
        MeasureComparison,
        QueryChange,
        SuiteComparison,
    )
    from cranfield.reports.additions import Supplements
    from cranfield.statistics import PairedComparison, TestResult

__all__ = ["report_comparison"]

_MOST_LISTED = 60


def report_comparison(
    comparison: Comparison,
    detail: Detail = Detail.CHANGED,
    supplements: Supplements = MappingProxyType({}),
) -> Report:
    """Report a comparison; `detail` decides which queries are listed and how much text shows.

    `supplements` have sections of their own and decide no verdict.
    """
    suites = comparison.suites
    has_overview = len(suites) > 1 or detail is Detail.OVERVIEW
    return Report(
        kind="comparison",
        title=f"{comparison.name_b} against {comparison.name_a}",
        lines=tuple(_headline(comparison, suite) for suite in suites),
        sections=(
            Section("Runs", (_runs(comparison),), detail=Detail.AUDIT),
            *((Section(blocks=(_overview(comparison),)),) if has_overview else ()),
            *(_suite(comparison, suite, detail) for suite in suites),
            *list_sections(supplements, Detail.MEASURES),
            *_method(comparison),
        ),
        notes=_legend(comparison),
        lead=describe_outcome(comparison),
        make_charts=lambda: chart_comparison(comparison),
        detail=detail,
        subject=comparison,
        make_records=lambda: comparison_records(comparison),
        make_data=lambda: {**comparison_data(comparison), **supplement_data(supplements)},
        make_rankings=lambda: comparison_rankings(comparison),
    )


def _headline(comparison: Comparison, suite: SuiteComparison) -> Line:
    text = describe_verdict_alone(comparison, suite)
    return Line(text, verdict_tone(suite.verdict), label=suite.suite_id, detail=Detail.AUDIT)


def _runs(comparison: Comparison) -> Table:
    rows = [
        (suite.suite_id, arm, *run_cells(run))
        for suite in comparison.suites
        for arm, run in (("A", suite.runs.a), ("B", suite.runs.b))
    ]
    return Table((Column("suite"), Column("arm"), *RUN_COLUMNS), tuple(rows), labels=2)


def _overview(comparison: Comparison) -> Table:
    """Show a row for each suite: its headline measure in both arms, and the verdict on it."""
    columns = (
        Column("suite"),
        Column("verdict"),
        Column("measure"),
        Column("queries", CellKind.COUNT),
        Column(comparison.name_a, CellKind.VALUE),
        Column(comparison.name_b, CellKind.VALUE),
        Column("p", CellKind.P),
    )
    rows = []
    for suite in comparison.suites:
        result = suite.headline.result
        figures = (result.mean_a, result.mean_b, result.p_adjusted) if result else (None,) * 3
        named = (suite.suite_id, str(suite.verdict.kind), str(suite.headline.measure))
        rows.append((*named, _count(suite), *figures))
    notes = [
        f"{suite.suite_id}: {each}"
        for suite in comparison.suites
        for each in (*describe_failures(suite.failures), *describe_open(suite), *_reasons(suite))
    ]
    return Table(columns, tuple(rows), labels=3, title="Overview", notes=tuple(notes))


def _count(suite: SuiteComparison) -> int:
    """Return the number of queries; of those that the means are over, if others are not judged."""
    is_open = suite.has_right_answers and suite.not_judged.count
    result = suite.headline.result
    return (result.pairs if result else 0) if is_open else len(suite.changes)


def _reasons(suite: SuiteComparison) -> list[str]:
    """Say why there is no verdict, if not for too few queries."""
    return [str(suite.verdict)] if suite.verdict.reason else []


def _suite(comparison: Comparison, suite: SuiteComparison, detail: Detail) -> Section:
    queries = count_of(len(suite.changes), "query", "queries")
    return Section(
        title=f"{suite.suite_id}, {queries} of the class {suite.query_class}",
        blocks=(
            describe_suite(comparison, suite),
            _measures(comparison, suite),
            _tests(suite),
            holes_table(
                dict(zip((comparison.name_a, comparison.name_b), suite.holes, strict=True)),
                detail=Detail.MEASURES,
            ),
            _categories(comparison, suite, detail),
            _buckets(suite),
            _queries(suite, detail),
        ),
        detail=Detail.MEASURES,
    )


def _measures(comparison: Comparison, suite: SuiteComparison) -> Table:
    noisy = any(each.noise is not None for each in suite.measures)
    columns: dict[Column, Callable[[MeasureComparison], Any]] = {
        Column("measure"): lambda each: str(each.measure),
        Column("verdict"): _measure_verdict,
        Column(comparison.name_a, CellKind.VALUE): _of_result("mean_a"),
        Column(comparison.name_b, CellKind.VALUE): _of_result("mean_b"),
        Column("difference", CellKind.DIFFERENCE): _of_result("difference"),
        Column("95% interval", CellKind.INTERVAL): _of_result("interval.low", "interval.high"),
        Column("noise", CellKind.VALUE, Detail.NONE if noisy else Detail.AUDIT): _noise,
        Column("p", CellKind.P): _of_result("p_adjusted"),
        Column("effect", CellKind.EFFECT): _of_result("effects.standardised_difference.value"),
        Column("pairs", CellKind.COUNT): lambda each: each.result.pairs if each.result else 0,
        Column("queries needed", CellKind.COUNT, Detail.AUDIT): _queries_needed,
    }
    reasons = [
        (each.measure, each.result.test.reason if each.result else each.reason)
        for each in suite.measures
    ]
    notes = tuple(f"{measure} is not tested: {reason}" for measure, reason in reasons if reason)
    return Table(*tabulate(suite.measures, columns), labels=2, notes=notes)


def _measure_verdict(each: MeasureComparison) -> str:
    """Write the verdict; that of a secondary measure decides nothing, and says so."""
    if each.result is None:
        return "undefined"
    return str(each.verdict.kind) + ("" if each.result.is_headline else " (secondary)")


def _of_result(*names: str) -> Callable[[MeasureComparison | CategoryComparison], Any]:
    """Make a reader of figures of a test, by their names; None if nothing could be tested."""
    read = attrgetter(*names)
    return lambda each: None if each.result is None else read(each.result)


def _noise(each: MeasureComparison) -> float | None:
    return each.noise


def _queries_needed(each: MeasureComparison) -> int | None:
    return each.verdict.queries_needed if each.result else None


def _tests(suite: SuiteComparison) -> Table:
    """Show what decides, and beside it the test that the class names for the measure."""
    texts = [Column(title) for title in ("measure", "test", "what it counted")]
    figures = [Column(title, CellKind.P) for title in ("p", "p (B better)", "p corrected")]
    rows = [
        (str(each.measure), *cells)
        for each in suite.measures
        if each.result is not None
        for cells in _tests_of(each.result)
    ]
    return Table((*texts, *figures), tuple(rows), labels=3, title="Tests")


def _tests_of(result: PairedComparison) -> list[tuple[Any, ...]]:
    """List the two that decide together, by the larger p, and the test that the class names."""
    holds = "leaves out" if result.interval.p_two_sided < ALPHA else "includes"
    interval = ("interval of the mean", f"{holds} 0", result.interval.p_two_sided, None)
    rows = [(*_test_cells(result.test), None), (*interval, result.p_adjusted)]
    if result.class_test is not result.test:
        rows.append((*_test_cells(result.class_test), result.class_p_adjusted))
    return rows


def _test_cells(test: TestResult) -> tuple[Any, ...]:
    title = PAIRED_TESTS.get(test.name).title
    return (title, test.reason or test.detail, test.p_two_sided, test.p_greater)


def _categories(comparison: Comparison, suite: SuiteComparison, detail: Detail) -> Table:
    """Show the headline in each category, with a verdict of its own.

    Categories with too few pairs to ever have a verdict are rows only if everything is shown.
    """
    least = 0 if detail >= Detail.ALL else FEWEST_PAIRS
    shown = [each for each in suite.categories if each.pairs >= least]
    small = len(suite.categories) - len(shown)
    columns: dict[Column, Callable[[CategoryComparison], Any]] = {
        Column("category"): lambda each: each.name,
        Column("verdict"): lambda each: str(each.verdict.kind) if each.result else "undefined",
        Column("queries", CellKind.COUNT): lambda each: each.queries,
        Column(comparison.name_a, CellKind.VALUE): _of_result("mean_a"),
        Column(comparison.name_b, CellKind.VALUE): _of_result("mean_b"),
        Column("difference", CellKind.DIFFERENCE): _of_result("difference"),
        Column("95% interval", CellKind.INTERVAL): _of_result("interval.low", "interval.high"),
        Column("p", CellKind.P): _of_result("p_adjusted"),
        Column("pairs", CellKind.COUNT): lambda each: each.pairs,
    }
    notes = [f"{each.name}: {each.verdict.reason}" for each in shown if each.verdict.reason]
    if small:
        left_out = count_of(small, "category", "categories")
        too_few = f"of fewer than {FEWEST_PAIRS} pairs cannot have a verdict"
        notes.append(f"{left_out} {too_few}; --show all has them")
    among = "categories of all suites" if len(comparison.suites) > 1 else "categories"
    caption = (
        f"{suite.headline.measure} by category; p is corrected among all {among}, "
        "the intervals are not"
    )
    return Table(*tabulate(shown, columns), labels=2, caption=caption, notes=tuple(notes))


def _buckets(suite: SuiteComparison) -> Table:
    return Table(
        (Column("bucket"), Column("queries", CellKind.COUNT)),
        tuple((str(bucket), count) for bucket, count in suite.buckets.items()),
        title="Buckets",
        summary=describe_buckets(suite),
    )


def _queries(suite: SuiteComparison, detail: Detail) -> Table:
    measure = suite.headline.measure
    columns: dict[Column, Callable[[QueryChange], Any]] = {
        Column("query", CellKind.ID): lambda each: each.query.id,
        Column("text", CellKind.QUERY): lambda each: each.query.text,
        Column("change"): _what_changed,
        **({Column("beyond noise"): _noisy} if suite.is_repeated else {}),
        Column("rank A", CellKind.RANK): lambda each: each.rank_a,
        Column("rank B", CellKind.RANK, short="B"): lambda each: each.rank_b,
        Column(f"{measure} A", CellKind.VALUE): lambda each: each.values_a.get(measure),
        Column(f"{measure} B", CellKind.VALUE, short="B"): lambda each: each.values_b.get(measure),
    }
    return Table(
        *tabulate(_listed(suite, detail), columns),
        labels=3,
        title="Queries",
        most=_MOST_LISTED,
        rest="--format csv has all",
        detail=Detail.FAILED,
    )


def _listed(suite: SuiteComparison, detail: Detail) -> list[QueryChange]:
    """Return the queries to list: what lost most first, what gained most last."""
    wanted: Callable[[QueryChange], bool] = {
        Detail.CHANGED: lambda change: change.changed,
        Detail.ALL: lambda _: True,
        Detail.FAILED: lambda change: change.failed,
    }.get(detail, lambda _: False)
    listed = [change for change in suite.changes if wanted(change)]
    if detail is Detail.ALL:
        return listed
    return sorted(listed, key=lambda change: change.difference)


def _what_changed(change: QueryChange) -> str:
    sides = (("A", change.status_a), ("B", change.status_b))
    failed = [f"{side} {status}" for side, status in sides if status and status.is_failure]
    lost = [f"{check} lost" for check in change.lost_checks if check != change.headline]
    return ", ".join([f"{change.bucket}{_by(change)}", *failed, *lost])


def _noisy(change: QueryChange) -> str:
    """Say where a query went by more than noise; a dash if it was not compared."""
    return str(change.beyond_noise or "–")


def _by(change: QueryChange) -> str:
    """Say what improved or degraded a query if its rank does not show it."""
    if change.bucket not in (Bucket.IMPROVED, Bucket.DEGRADED) or change.lost_checks:
        return ""
    if abs(change.difference) <= TIE_TOLERANCE:
        return " in a check"
    ranks = (change.rank_a or inf, change.rank_b or inf)
    is_better = change.bucket is Bucket.IMPROVED
    is_opposed = ranks[1] > ranks[0] if is_better else ranks[1] < ranks[0]
    return f" in {change.headline}" if is_opposed else ""


def _legend(comparison: Comparison) -> tuple[str, ...]:
    a, b, options = comparison.name_a, comparison.name_b, comparison.options
    headlines = count_of(comparison.tests, "headline")
    corrected = f", corrected (Holm) over {headlines}" if comparison.tests else ""
    legend = f"""\
A is {a}, B is {b}; ranks are those of the first right hit
p tests the mean difference (two-sided): \
the larger of the sign-flip test's and the interval's{corrected}
secondary measures are corrected among themselves and decide nothing; \
effect is the mean difference in standard deviations
a difference shown to lie within ±{options.margin:g} counts as equivalent; seed {options.seed}"""
    return tuple(legend.split("\n"))


def _method(comparison: Comparison) -> tuple[Section, ...]:
    classes = ", ".join(sorted({suite.query_class for suite in comparison.suites}))
    together = (
        f", and the p-values of all {comparison.tests} headlines are corrected together (Holm)"
    )
    corrected = together if comparison.tests > 1 else ""
    method = (
        "Every query was sent to both arms from the outside, asking for the same number of hits. "
        "The order in which a system returned its hits is the ranking. Queries that either arm "
        "failed to answer are counted separately and left out of every figure; if an arm failed to "
        f"answer more than {MOST_FAILED:.0%} of them, there is no verdict. Nor is there one by a "
        f"measure that depends on unjudged hits for more than {MOST_OPEN:.0%} of them; up "
        "to so many are counted separately, and left out. "
        "Queries are paired by the hash of what they ask and expect. "
        "Differences are B minus A over the pairs that have a value in both arms; intervals are "
        "Student's of the mean difference, 95%, guarded against changes too rare to have been "
        "seen. The first measure of a suite is its headline and alone decides: its p is the "
        f"larger of that of the sign-flip test and that of the interval{corrected}. A difference "
        f"shown to lie within ±{comparison.options.margin:g} counts as equivalent; one with a "
        f"corrected p below {ALPHA:g} better or worse; otherwise we cannot tell. Secondary "
        "measures are corrected among themselves, and the tests that a class names stand beside "
        "the one that decides. Effect is the mean difference in "
        f"standard deviations. Randomised statistics used the seed {comparison.options.seed}."
    )
    limits = (
        f"Only queries of these classes were run: {classes}. Nothing is said of other classes, "
        "and no figure sums them up: they are not alike. Right is what the suite's rules say; a "
        "good answer that no rule knows counts as none. Speed is not compared."
    )
    return (
        Section("Method", (Lines((Line(method),)),), detail=Detail.AUDIT),
        Section("What this does not measure", (Lines((Line(limits),)),), detail=Detail.AUDIT),
    )
