"""Gates as plain values: the document of docs/schemas/gate.json, records, and test cases."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.comparisons import Bucket, Direction, find_headline
from cranfield.formats import CellKind, Column, Table, TestCase, TestSuite, show_value
from cranfield.gates.gate_rules import Severity
from cranfield.gates.query_outcomes import QueryOutcome
from cranfield.reports.run_facts import (
    RECORD_COLUMNS,
    REPORT_SCHEMA_VERSION,
    choose_answer,
    group_facts,
    hole_facts,
    measure_column,
    pick,
    record_cells,
    run_facts,
    show_change,
    show_expected,
    show_got,
    stale_lines,
    threshold_facts,
    volatile_facts,
)
from cranfield.statistics import UNDECIDED
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import QueryChange
    from cranfield.gates.baseline_comparisons import BaselineComparison
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gate_rules import RuleResult
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.runs.records import Answer

__all__ = ["answers_by_place", "gate_cases", "gate_data", "gate_records"]

_PLAIN_CASES = {
    QueryOutcome.PASSED: ("", "", ""),
    QueryOutcome.NOT_ASKED: ("error", "not asked", "it has not been asked yet"),
    QueryOutcome.NOT_JUDGED: ("skipped", "", "not judged: it depends on unjudged hits"),
}
"""How the test of a query ends, as what, and why, if nothing else has to be looked at."""


def gate_data(gated: Sequence[GatedRun], skipped: str = "") -> dict[str, Any]:
    """Write everything that was judged; times and ids are under `volatile` and nowhere else."""
    return {
        "kind": "gate",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": [_volatile(each) for each in gated],
        "passed": all(each.passed for each in gated),
        "skipped": skipped,
        "runs": [_run(each) for each in gated],
    }


def answers_by_place(gated: GatedRun) -> dict[int, Answer]:
    """Read one answer a query: of a repetition that failed, or else of the first."""
    chosen: dict[int, Answer] = {}
    for answer in gated.run.store.answers(gated.run.header.id):
        before = [chosen[answer.place]] if answer.place in chosen else []
        ordered = sorted([*before, answer], key=lambda each: each.repeat)
        chosen[answer.place] = choose_answer(ordered) or answer
    return chosen


def _changes_by_query(gated: GatedRun) -> dict[str, QueryChange]:
    """Return what became of each query that was compared, by its id."""
    return {change.query.id: change for change in gated.changes}


def gate_records(gated: Sequence[GatedRun]) -> Table:
    """List every query of every run, with what became of it."""
    measures = {str(measure): measure for each in gated for measure in each.run.measures}
    columns = (
        *RECORD_COLUMNS,
        Column("change"),
        Column("bucket"),
        Column("before", CellKind.VALUE),
        Column("after", CellKind.VALUE),
        *map(measure_column, measures.values()),
    )
    rows = []
    for each in gated:
        changes = _changes_by_query(each)
        for place, query in enumerate(each.outcomes.queries):
            change = changes.get(query.id)
            by = change.deciding if change else None
            moved: tuple[object, ...] = (None,) * 4
            if change and by:
                moved = (str(by.direction), str(change.bucket), by.a, by.b)
            values = dict(zip(each.run.header.measures, each.outcomes.figures(place), strict=True))
            figures = [values.get(name) for name in measures]
            rows.append((*record_cells(each.run, each.outcomes, place), *moved, *figures))
    return Table(columns, tuple(rows), labels=4)


def _volatile(gated: GatedRun) -> dict[str, Any]:
    pairs = zip(gated.outcomes.queries, gated.outcomes.seconds.tolist(), strict=True)
    return {
        **volatile_facts(gated.run.header),
        "latency": {
            each.name: pick(each, "seconds", "before", "at_most") for each in gated.latencies
        },
        "seconds": {query.id: None if isnan(seconds) else seconds for query, seconds in pairs},
    }


def _run(gated: GatedRun) -> dict[str, Any]:
    summary, against = gated.summary, gated.against
    return {
        **run_facts(gated.run),
        "passed": gated.passed,
        "cause": gated.cause,
        "results": [pick(each, "rule", "severity", "message", "queries") for each in gated.results],
        "baseline": _baseline(gated.baseline) if gated.baseline else None,
        "stale": list(against.stale) if against else [],
        "left_out": _left_out(gated),
        "not_judged": list(gated.not_judged.ids),
        "statuses": {str(status): count for status, count in sorted(summary.statuses.items())},
        "not_asked": gated.outcomes.statuses.count(None),
        "overall": group_facts(summary.overall),
        "categories": {name: group_facts(group) for name, group in summary.categories.items()},
        "holes": hole_facts(gated.holes),
        "thresholds": threshold_facts(gated.thresholds),
        "compared": _compared(gated, against) if against else None,
        "queries": _queries(gated),
    }


def _left_out(gated: GatedRun) -> list[str]:
    """Name the queries that are not compared, or in no mean of the headline."""
    shared = gated.against.left_out if gated.against else ()
    compared = gated.against.not_judged.ids if gated.against else ()
    return list(dict.fromkeys([*shared, *compared, *gated.not_judged.ids]))


def _baseline(baseline: Baseline) -> dict[str, Any]:
    return {
        **pick(baseline, "name", "suite_hash", "system"),
        "k": baseline.limit,
        **pick(baseline, "repeats", "measures"),
        **pick(baseline.accepted, "run", "date", "author", "reason", "commit", "means"),
        "files": baseline.files,
    }


def _compared(gated: GatedRun, against: BaselineComparison) -> dict[str, Any]:
    """Write before and after by each measure; those of `Pass` count queries, others are means.

    `counts` are the queries that changed by more than noise, `buckets` what became of all.
    """
    buckets = against.comparison.buckets if against.comparison else dict.fromkeys(Bucket, 0)
    return {
        **_verdict(gated, against),
        "measures": list(dict.fromkeys(each.measure for each in gated.groups)),
        "counts": {str(each): len(against.beyond_noise(each)) for each in Direction},
        "buckets": {str(bucket): count for bucket, count in buckets.items()},
        "groups": [
            pick(each, "measure", "name", "queries", "before", "after", "worse", "improved")
            for each in gated.groups
        ],
    }


def _verdict(gated: GatedRun, against: BaselineComparison) -> dict[str, Any]:
    """Write the verdict on all queries, and those that lost or found their right answers."""
    comparison, loss = against.comparison, against.net_loss
    result = comparison.headline.result if comparison else None
    figures = ("difference", "pairs", "p_adjusted")
    means = {"before": result.mean_a, "after": result.mean_b} if result else {}
    return {
        "verdict": str((comparison.verdict if comparison else UNDECIDED).kind),
        "headline": {
            "measure": str(find_headline(gated.run)),
            **dict.fromkeys(("before", "after", *figures)),
            **({**means, **pick(result, *figures)} if result else {}),
        },
        "lost": [change.query.id for change in loss.lost],
        "found": [change.query.id for change in loss.found],
        "fewest_lost": loss.fewest,
    }


def _queries(gated: GatedRun) -> list[dict[str, Any]]:
    changes, answers = _changes_by_query(gated), answers_by_place(gated)
    outcomes, names = gated.outcomes, gated.run.header.measures
    return [
        {
            **pick(query, "id", "text", "category", "language"),
            "status": str(outcomes.statuses[place]) if outcomes.statuses[place] else None,
            "first_rank": outcomes.first_ranks[place],
            "values": dict(zip(names, outcomes.figures(place), strict=True)),
            "unmet": list(gated.unmet[place]),
            "change": _change(changes.get(query.id)),
            "expect": dict(query.expect),
            **_answer(answers.get(place)),
        }
        for place, query in enumerate(outcomes.queries)
    ]


def _change(change: QueryChange | None) -> dict[str, Any] | None:
    """Write what became of a query; `kind` is where it went by more than noise."""
    by = change.deciding if change else None
    if change is None or by is None:
        return None
    return {
        "kind": str(by.direction),
        "bucket": str(change.bucket),
        "measure": str(by.measure),
        "before": by.a,
        "after": by.b,
        "rank_before": change.rank_a,
        "rank_after": change.rank_b,
        "chance": by.chance,
    }


def _answer(answer: Answer | None) -> dict[str, Any]:
    response = answer.response if answer else None
    return {
        "message": response.message if response else "it has not been asked yet",
        "route": response.route if response else "",
        "flags": list(response.flags) if response else [],
        "hits": [hit.id for hit in response.hits] if response else [],
    }


def gate_cases(gated: Sequence[GatedRun], skipped: str) -> tuple[TestSuite, ...]:
    """Write all runs; a gate that failed always has a test case that failed."""
    if not gated:
        case = TestCase("cranfield.gate", "skipped", "skipped", message=skipped)
        return (TestSuite("cranfield gate", (case,)),)
    return tuple(
        TestSuite(
            title=f"{each.run.header.suite.id}: {each.run.header.name}",
            cases=(*_query_cases(each), *_thresholds(each), *_rules(each)),
            properties=tuple(_properties(each)),
            started=each.run.header.started,
        )
        for each in gated
    )


def _properties(gated: GatedRun) -> list[tuple[str, str]]:
    header = gated.run.header
    return [
        ("run", header.id),
        ("suite", header.suite.id),
        ("suite hash", hash_suite(header.suite)),
        ("class", header.suite.query_class),
        ("system", header.system),
        ("k", str(header.limit)),
        ("repeats", str(header.repeats)),
        ("baseline", gated.baseline.name if gated.baseline else ""),
        *(("stale", line) for line in stale_lines(gated)),
        *((f"file {name}", found.sha256) for name, found in header.files.items()),
    ]


def _query_cases(gated: GatedRun) -> list[TestCase]:
    changes, answers = _changes_by_query(gated), answers_by_place(gated)
    return [
        _query(gated, place, answers.get(place), changes.get(query.id))
        for place, query in enumerate(gated.outcomes.queries)
    ]


def _query(
    gated: GatedRun, place: int, answer: Answer | None, change: QueryChange | None
) -> TestCase:
    query, suite = gated.outcomes.queries[place], gated.run.header.suite
    outcome, kind, message = _describe(gated, place, change)
    details = [
        f"expected: {show_expected(query)}",
        f"got: {show_got(answer)}",
        *([show_change(change)] if change else []),
    ]
    seconds = float(gated.outcomes.seconds[place])
    return TestCase(
        group=f"{suite.id}.{query.category}" if query.category else suite.id,
        name=" ".join([query.id, *query.text.split()]),
        outcome=outcome,
        kind=kind,
        message=message,
        detail="\n".join(details) if outcome in ("failure", "error") else "",
        seconds=None if isnan(seconds) else seconds,
    )


def _describe(gated: GatedRun, place: int, change: QueryChange | None) -> tuple[str, str, str]:
    """Describe how a query's test ends, as what, and why."""
    outcome, outcomes = gated.query_outcomes[place], gated.outcomes
    if outcome in _PLAIN_CASES:
        return _PLAIN_CASES[outcome]
    match outcome:
        case QueryOutcome.NOT_ANSWERED:
            return "error", str(outcomes.statuses[place]), "the system did not answer"
        case QueryOutcome.UNDEFINED:
            reason = outcomes.ungraded.get(place, "no measure has a value")
            return "error", "not graded", f"not graded: {reason}"
    if change and outcome is QueryOutcome.WORSE:
        return "failure", str(change.bucket), f"got worse: {show_change(change)}"
    values = dict(zip(gated.run.header.measures, outcomes.figures(place), strict=True))
    shown = [f"{name} is {show_value(values[name])}" for name in gated.unmet[place]]
    return "failure", outcome, "; ".join(shown)


def _thresholds(gated: GatedRun) -> list[TestCase]:
    cases = []
    for each in gated.thresholds.thresholds:
        asked = each.threshold
        failed = not (each.reached or asked.diagnostic)
        of = asked.category or "all"
        cases.append(
            TestCase(
                group=f"{gated.run.header.suite.id}.gate",
                name=f"threshold {asked.measure} ≥ {asked.at_least:g} of {of}",
                outcome="failure" if failed else "",
                kind="threshold" if failed else "",
                message=f"{show_value(each.value)}: {each.outcome}",
            )
        )
    return cases


def _rules(gated: GatedRun) -> list[TestCase]:
    """Make a case of each rule that applied, and of whatever else had something to say."""
    said: dict[str, list[RuleResult]] = {name: [] for name in _applied(gated)}
    for result in gated.results:
        if result.rule != "threshold":
            said.setdefault(result.rule, []).append(result)
    return [_rule(gated, name, results) for name, results in said.items()]


def _applied(gated: GatedRun) -> list[str]:
    """Name the rules that can fail this run: each is a test case, also if it does not."""
    rules = gated.run.header.suite.rules
    compared = bool(gated.changes)
    applied = {
        "worse": compared and rules.at_most is None,
        "lost": compared and rules.at_most is None,
        "at_most": compared and rules.at_most is not None,
        "protected": compared and bool(rules.protected),
        "failures": rules.most_failures is not None,
        "latency": bool(gated.baseline and rules.latency),
    }
    return [name for name, applies in applied.items() if applies]


def _rule(gated: GatedRun, name: str, results: Sequence[RuleResult]) -> TestCase:
    failed = any(each.severity is Severity.FAIL for each in results)
    queries = [query for each in results for query in each.queries]
    return TestCase(
        group=f"{gated.run.header.suite.id}.gate",
        name=f"rule {name}",
        outcome="failure" if failed else "",
        kind="rule" if failed else "",
        message="; ".join(each.message for each in results),
        detail="\n".join(queries),
    )
