"""The report of a comparison: the verdict on each suite, what it rests on, what changed."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from cranfield.comparisons import VerdictKind
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
    show_p,
    tabulate,
)
from cranfield.reports.comparison_data import comparison_data, comparison_records
from cranfield.reports.run_facts import RUN_COLUMNS, run_cells
from cranfield.statistics import PAIRED_TESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cranfield.comparisons import Comparison, MeasureComparison, QueryChange, SuiteComparison
    from cranfield.model import Status

__all__ = ["report_comparison"]

_MOST_LISTED = 60
_TONES = {VerdictKind.BETTER: Tone.GOOD, VerdictKind.WORSE: Tone.BAD}


def report_comparison(comparison: Comparison, detail: Detail = Detail.CHANGED) -> Report:
    """Report a comparison; `detail` decides which queries are listed and how much text shows."""
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
            *_method(comparison),
        ),
        notes=_legend(comparison),
        detail=detail,
        subject=comparison,
        make_records=lambda: comparison_records(comparison),
        make_data=lambda: comparison_data(comparison),
    )


def _headline(comparison: Comparison, suite: SuiteComparison) -> Line:
    tone = _TONES.get(suite.verdict.kind, Tone.NEUTRAL)
    text = _verdict_sentence(comparison, suite)
    return Line(text, tone, label=suite.suite_id, detail=Detail.AUDIT)


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
        rows.append((*named, len(suite.changes), *figures))
    return Table(columns, tuple(rows), labels=3, title="Overview")


def _suite(comparison: Comparison, suite: SuiteComparison, detail: Detail) -> Section:
    count = len(suite.changes)
    return Section(
        title=f"{suite.suite_id}, {count} queries of the class {suite.query_class}",
        blocks=(
            _verdict_lines(comparison, suite),
            _measures(comparison, suite),
            _tests(suite),
            _buckets(suite),
            _queries(suite, detail),
            *_charts(suite),
        ),
        detail=Detail.MEASURES,
    )


def _verdict_lines(comparison: Comparison, suite: SuiteComparison) -> Lines:
    tone = _TONES.get(suite.verdict.kind, Tone.NEUTRAL)
    lines = [Line(_verdict_sentence(comparison, suite), tone)]
    if failures := _failures_sentence(comparison, suite):
        lines.append(Line(failures, Tone.WARNING))
    lines += [Line(each, label="left out") for each in suite.runs.left_out]
    lines += [Line(each, Tone.WARNING, "warning") for each in suite.warnings]
    return Lines(tuple(lines))


def _verdict_sentence(comparison: Comparison, suite: SuiteComparison) -> str:
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
        return f"{names}: cannot tell ({'; '.join([moved, *_what_would_tell(headline)])})"
    return f"{names}: {verdict.kind} ({moved})"


def _what_would_tell(headline: MeasureComparison) -> list[str]:
    """Say how many queries would tell, and what difference these could have shown."""
    said = []
    if headline.verdict.queries_needed is not None:
        said.append(f"{headline.verdict.queries_needed} queries would tell")
    if headline.detectable is not None:
        said.append(f"these show differences from {headline.detectable:.4f} on")
    return said


def _failures_sentence(comparison: Comparison, suite: SuiteComparison) -> str:
    """Say how many queries each arm did not answer, before any number is read."""
    names = (comparison.name_a, comparison.name_b)
    failed = [
        f"{name}: {_counts(failures)}"
        for name, failures in zip(names, suite.failures, strict=True)
        if failures
    ]
    empty = [f"{name} {count}" for name, count in zip(names, suite.empty, strict=True) if count]
    parts = [
        f"not answered, and scored 0: {'; '.join(failed)}" if failed else "",
        f"queries without a result: {', '.join(empty)}" if empty else "",
    ]
    return "; ".join(filter(None, parts))


def _counts(failures: Mapping[Status, int]) -> str:
    return ", ".join(f"{count} {status}" for status, count in sorted(failures.items()))


def _measures(comparison: Comparison, suite: SuiteComparison) -> Table:
    noisy = any(each.noise is not None for each in suite.measures)
    columns: dict[Column, Callable[[MeasureComparison], Any]] = {
        Column("measure"): lambda each: str(each.measure),
        Column("verdict"): lambda each: str(each.verdict.kind) if each.result else "undefined",
        Column(comparison.name_a, CellKind.VALUE): _of_result("mean_a"),
        Column(comparison.name_b, CellKind.VALUE): _of_result("mean_b"),
        Column("difference", CellKind.DIFFERENCE): _of_result("difference"),
        Column("95% interval", CellKind.INTERVAL): _of_result("interval.low", "interval.high"),
        Column("noise", CellKind.VALUE, Detail.NONE if noisy else Detail.AUDIT): _noise,
        Column("p", CellKind.P): _of_result("p_adjusted"),
        Column("test"): _of_result("test.name"),
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


def _of_result(*names: str) -> Callable[[MeasureComparison], Any]:
    """Make a reader of figures of a test, by their names; None if nothing could be tested."""
    read = attrgetter(*names)
    return lambda each: None if each.result is None else read(each.result)


def _noise(each: MeasureComparison) -> float | None:
    return each.noise


def _queries_needed(each: MeasureComparison) -> int | None:
    return each.verdict.queries_needed if each.result else None


def _tests(suite: SuiteComparison) -> Table:
    texts = [Column(title) for title in ("measure", "test", "what it counted")]
    figures = [Column(title, CellKind.P) for title in ("p", "p (B better)", "p corrected")]
    rows = []
    for each in suite.measures:
        if each.result is not None:
            test, title = each.result.test, PAIRED_TESTS.get(each.result.test.name).title
            named = (str(each.measure), title, test.reason or test.detail)
            rows.append((*named, test.p_two_sided, test.p_greater, each.result.p_adjusted))
    columns = (*texts, *figures)
    return Table(columns, tuple(rows), labels=3, title="Tests", detail=Detail.AUDIT)


def _buckets(suite: SuiteComparison) -> Table:
    filled = [f"{count} {bucket}" for bucket, count in suite.buckets.items() if count]
    return Table(
        (Column("bucket"), Column("queries", CellKind.COUNT)),
        tuple((str(bucket), count) for bucket, count in suite.buckets.items()),
        title="Buckets",
        summary=f"queries: {', '.join(filled)}",
    )


def _queries(suite: SuiteComparison, detail: Detail) -> Table:
    measure = suite.headline.measure
    columns: dict[Column, Callable[[QueryChange], Any]] = {
        Column("query", CellKind.ID): lambda each: each.query.id,
        Column("text", CellKind.QUERY): lambda each: each.query.text,
        Column("change"): _what_changed,
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
    failed = [f"{side} {status}" for side, status in sides if status.is_failure]
    return ", ".join([str(change.bucket), *failed])


def _charts(suite: SuiteComparison) -> tuple[Chart, ...]:
    intervals = [
        (str(each.measure), (each.result.difference, *_bounds(each)))
        for each in suite.measures
        if each.result is not None
    ]
    headline = str(suite.headline.measure)
    differences = sorted((change.difference, change.query.id) for change in suite.changes)
    points = tuple((name, (value,)) for value, name in differences)
    return (
        Chart("intervals", "Differences, B minus A", (Series("95%", tuple(intervals)),)),
        Chart("bars", f"{headline} of each query, B minus A", (Series(headline, points),)),
    )


def _bounds(each: MeasureComparison) -> tuple[float, ...]:
    return (each.result.interval.low, each.result.interval.high) if each.result else ()


def _legend(comparison: Comparison) -> tuple[str, ...]:
    a, b, options = comparison.name_a, comparison.name_b, comparison.options
    legend = f"""\
A is {a}, B is {b}; ranks are those of the first right hit
p is two-sided, corrected (Holm) over {comparison.tests} tests; \
effect is the mean difference in standard deviations
a difference that surely lies within ±{options.margin:g} is equivalent; seed {options.seed}"""
    return tuple(legend.split("\n"))


def _method(comparison: Comparison) -> tuple[Section, ...]:
    classes = ", ".join(sorted({suite.query_class for suite in comparison.suites}))
    method = (
        "Every query was sent to both arms from the outside, asking for the same number of hits. "
        "The order in which a system returned its hits is the ranking. Answers that failed score "
        "0 and are counted apart. Queries are paired by the hash of what they ask and expect. "
        "Differences are B minus A over the pairs that have a value in both arms; intervals are "
        "bootstrap BCa of the mean difference, 95%. Each measure is tested as its class says. "
        f"All {comparison.tests} p-values are corrected together (Holm). A difference that surely "
        f"lies within ±{comparison.options.margin:g} is called equivalent; one with a corrected p "
        "below 0.05 better or worse; otherwise we cannot tell. Effect is the mean difference in "
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
