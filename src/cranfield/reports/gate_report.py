"""The report of gates: the outcome first, then what failed and why, then the queries to look at."""

from __future__ import annotations

import shlex
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from cranfield.comparisons import Direction
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
    show_milliseconds,
    tabulate,
)
from cranfield.gates.gate_rules import Severity
from cranfield.gates.query_outcomes import QueryOutcome
from cranfield.reports.comparison_words import count_changes, describe_buckets, describe_noise
from cranfield.reports.gate_data import gate_cases, gate_data, gate_records
from cranfield.reports.query_rankings import run_rankings
from cranfield.reports.run_facts import (
    choose_answer,
    count_lines,
    holes_table,
    means_table,
    show_expected,
    show_got,
    stale_lines,
    thresholds_table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.comparisons import QueryChange
    from cranfield.formats import Block
    from cranfield.gates.gate_rules import RuleResult
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.gates.query_outcomes import GroupChange

__all__ = ["report_gates"]

_MOST_SHOWN = 50
_NOTHING = "there was no run to judge"
_SEVERITIES = {
    Severity.FAIL: (Tone.BAD, "failed"),
    Severity.WARN: (Tone.WARNING, "warning"),
    Severity.NOTE: (Tone.NEUTRAL, "note"),
}


def report_gates(gated: Sequence[GatedRun], skipped: str = "", options: str = "") -> Report:
    """Report gated runs; without any, `skipped` says why nothing was run.

    `options` are what commands need in addition to find the same project.
    """
    why = "" if gated else skipped or _NOTHING
    return Report(
        kind="gate",
        title="Search quality",
        lines=_outcome(gated, why),
        sections=tuple(_section(each, options) for each in gated),
        passed=all(each.passed for each in gated),
        skipped=why,
        subject=tuple(gated),
        make_records=lambda: gate_records(gated),
        make_tests=lambda: gate_cases(gated, why),
        make_data=lambda: gate_data(gated, skipped),
        make_rankings=lambda: run_rankings(gated),
    )


def _outcome(gated: Sequence[GatedRun], skipped: str) -> tuple[Line, ...]:
    """Say how many of several gates passed, and which did not."""
    if skipped:
        return (Line(skipped, label="SKIPPED"),)
    if len(gated) == 1:
        return ()
    failed = [each.run.header.suite.id for each in gated if not each.passed]
    which = f"; FAILED: {', '.join(failed)}" if failed else ""
    tone = Tone.BAD if failed else Tone.GOOD
    return (Line(f"{len(gated) - len(failed)} of {len(gated)} gates passed{which}", tone),)


def _section(gated: GatedRun, options: str) -> Section:
    stale = [Line(each, Tone.WARNING) for each in stale_lines(gated)]
    changes = [Line(each, Tone.WARNING, "warning") for each in gated.run.header.warnings]
    return Section(
        title=gated.run.header.suite.id,
        passed=gated.passed,
        blocks=(
            Lines((Line(_compared(gated)), *stale, *changes, *_verdict(gated))),
            Lines(tuple(_result(each) for each in gated.results)),
            means_table(gated, detail=Detail.MEASURES if gated.against else Detail.NONE),
            Lines(tuple(_counts(gated)), detail=Detail.MEASURES),
            thresholds_table(gated, detail=Detail.MEASURES),
            holes_table({gated.run.header.name: gated.holes}, detail=Detail.MEASURES),
            _unanswered(gated),
            *_changes(gated),
            Lines(tuple(_latency(gated)), detail=Detail.MEASURES),
            Lines((_next(gated, options),), detail=Detail.MEASURES),
        ),
    )


def _compared(gated: GatedRun) -> str:
    """Say what was held to what."""
    header = gated.run.header
    queries = count_of(len(gated.outcomes.queries), "query", "queries")
    asked = f"{queries} of the class {header.suite.query_class}"
    if gated.baseline is None:
        return f"{header.name}, {asked}; there is no baseline, so nothing was compared"
    accepted = gated.baseline.accepted
    facts = [f"run {accepted.run}", f"accepted {accepted.date} by {accepted.author}"]
    facts += [f"commit {accepted.commit}"] if accepted.commit else []
    is_other = gated.baseline.system != header.system
    facts += [f"of another system, {gated.baseline.system}"] if is_other else []
    return f"{header.name} against the baseline {gated.baseline.name} ({', '.join(facts)}), {asked}"


def _counts(gated: GatedRun) -> list[Line]:
    """Say which means are over fewer queries, if some are not judged."""
    return [Line(each) for each in count_lines(gated)] if gated.not_judged.count else []


def _verdict(gated: GatedRun) -> list[Line]:
    """Say what the comparison with the baseline comes to, over all queries."""
    comparison = gated.against.comparison if gated.against else None
    if comparison is None or comparison.headline.result is None:
        return []
    return [
        Line(f"{comparison.headline}; {count_changes(comparison)}", label="compared"),
        *(Line(each) for each in describe_noise(comparison)),
        Line(describe_buckets(comparison), detail=Detail.MEASURES),
    ]


def _result(result: RuleResult) -> Line:
    """Write what a rule says; notes are left out where there is little room, but not of noise."""
    tone, label = _SEVERITIES[result.severity]
    is_aside = result.severity is Severity.NOTE and result.rule != "noise"
    detail = Detail.MEASURES if is_aside else Detail.NONE
    return Line(result.message, tone, label, result.queries, detail)


def _changes(gated: GatedRun) -> list[Block]:
    """Show the groups of queries before and after, and the queries that changed."""
    against = gated.against
    if against is None or not against.changes:
        return []
    worse, improved = map(against.beyond_noise, (Direction.WORSE, Direction.IMPROVED))
    named = name_queries([each.query.id for each in improved])
    blocks: list[Block] = [
        *(_groups(name, some) for name, some in _by_measure(gated)),
        *(_chart(name, some) for name, some in _by_measure(gated)),
        _queries(gated, worse, f"got worse: {len(worse)}"),
        _queries(gated, improved, f"improved: {len(improved)}", f" ({named})"),
    ]
    waiting = against.not_judged.count
    which = "no query that is judged changed" if waiting else "no query changed"
    unchanged = Lines((Line(which, Tone.NEUTRAL if waiting else Tone.GOOD),))
    return blocks if worse or improved else [*blocks, unchanged]


def _by_measure(gated: GatedRun) -> list[tuple[str, list[GroupChange]]]:
    """Return the groups by measure: no table or chart mixes two."""
    measures = dict.fromkeys(each.measure for each in gated.groups)
    return [(name, [each for each in gated.groups if each.measure == name]) for name in measures]


def _groups(measure: str, groups: Sequence[GroupChange]) -> Table:
    is_passing = groups[0].is_passing
    side = CellKind.SHARE if is_passing else CellKind.VALUE
    difference = CellKind.COUNT_DIFFERENCE if is_passing else CellKind.DIFFERENCE
    columns: dict[Column, Callable[[GroupChange], Any]] = {
        Column(f"compared, by {measure}"): lambda each: each.name,
        Column("queries", CellKind.COUNT): lambda each: each.queries,
        Column("before", side): lambda each: _side(each, each.before),
        Column("after", side): lambda each: _side(each, each.after),
        Column("difference", difference): lambda each: each.difference,
        Column("worse", CellKind.COUNT): lambda each: each.worse,
        Column("improved", CellKind.COUNT): lambda each: each.improved,
    }
    return Table(*tabulate(groups, columns))


def _side(group: GroupChange, value: float | None) -> Any:
    return (value, group.queries) if group.is_passing and value is not None else value


def _chart(measure: str, groups: Sequence[GroupChange]) -> Chart:
    points = [
        (each.name, (each.before, each.after))
        for each in groups
        if each.before is not None and each.after is not None
    ]
    return Chart("slopes", f"{measure} before and after", (Series(measure, tuple(points)),))


def _queries(
    gated: GatedRun, changes: Sequence[QueryChange], caption: str, named: str = ""
) -> Table:
    """List queries that changed; a short format only names them if `named` does."""
    places = {query.id: place for place, query in enumerate(gated.outcomes.queries)}
    columns: dict[Column, Callable[[QueryChange], Any]] = {
        Column("query", CellKind.ID): lambda each: each.query.id,
        Column("text", CellKind.QUERY): lambda each: each.query.text,
        Column("category"): lambda each: each.query.category,
        Column("change"): lambda each: str(each.bucket),
        Column("value", CellKind.MEASURE_CHANGE): _values,
        Column("rank", CellKind.RANK_CHANGE): attrgetter("rank_a", "rank_b"),
        Column("expected", CellKind.MESSAGE): lambda each: show_expected(each.query),
        Column("got", CellKind.MESSAGE): lambda each: _read_got(gated, places[each.query.id]),
    }
    return Table(
        *tabulate(changes, columns),
        labels=3,
        caption=caption,
        summary=caption + named if named and changes else "",
        is_stacked=True,
        most=_MOST_SHOWN,
        rest="--report json=FILE has all",
    )


def _values(change: QueryChange) -> tuple[str, float | None, float | None] | None:
    by = change.deciding
    return (str(by.measure), by.a, by.b) if by else None


def _unanswered(gated: GatedRun) -> Table:
    """List the queries that the system did not answer, and what it said instead."""
    queries = gated.outcomes.queries
    outcomes = enumerate(gated.query_outcomes)
    places = [place for place, each in outcomes if each is QueryOutcome.NOT_ANSWERED]
    columns: dict[Column, Callable[[int], Any]] = {
        Column("query", CellKind.ID): lambda place: queries[place].id,
        Column("text", CellKind.QUERY): lambda place: queries[place].text,
        Column("category"): lambda place: queries[place].category,
        Column("got", CellKind.MESSAGE): lambda place: _read_got(gated, place),
    }
    return Table(
        *tabulate(places, columns),
        labels=3,
        caption=f"not answered: {len(places)}",
        most=_MOST_SHOWN,
        rest="--report json=FILE has all",
    )


def _read_got(gated: GatedRun, place: int) -> str:
    """Read what came back for a query from the store."""
    answers = gated.run.store.answers(gated.run.header.id, place)
    return show_got(choose_answer(list(answers)))


def _latency(gated: GatedRun) -> list[Line]:
    """Say how long answers took, if it is known."""
    times = [
        f"{each.name} {show_milliseconds(each.seconds)}"
        + ("" if each.before is None else f" (baseline {show_milliseconds(each.before)})")
        for each in gated.latencies
    ]
    judged = "" if gated.run.header.suite.rules.latency else ", not judged"
    return [Line(f"time of an answer{judged}: {', '.join(times)}")] if times else []


def _next(gated: GatedRun, options: str) -> Line:
    """Say what to type next, in names that a shell can read."""
    run = gated.run.header.id
    named = [query for each in gated.results for query in each.queries]
    query = shlex.quote(next(iter(named), "QUERY"))
    look = f"one query: cranfield runs show {run} {query}{options}"
    return Line(f"{look}; accept this run: cranfield baseline accept {run}{options} --reason …")
