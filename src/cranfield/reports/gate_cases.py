"""Gates as test cases: one for each query, each threshold and each rule."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from cranfield.formats import TestCase, TestSuite, show_value
from cranfield.gates import QueryOutcome, Severity
from cranfield.reports.gate_data import answers_by_place, changes_by_query
from cranfield.reports.run_facts import show_change, show_expected, show_got, stale_lines
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates import Change, GatedRun, RuleResult
    from cranfield.runs import Answer

__all__ = ["gate_cases"]

_JUDGED = ("at_most", "protected", "most_failures")
"""The rules that can fail; each is a test case if the suite or the run makes it apply."""


def gate_cases(gated: Sequence[GatedRun], skipped: str) -> tuple[TestSuite, ...]:
    """Write all runs; a gate that failed always has a test case that failed."""
    if not gated:
        case = TestCase("cranfield.gate", "skipped", "skipped", message=skipped)
        return (TestSuite("cranfield gate", (case,)),)
    return tuple(
        TestSuite(
            title=f"{each.run.header.suite.id}: {each.run.header.name}",
            cases=(*_queries(each), *_thresholds(each), *_rules(each)),
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


def _queries(gated: GatedRun) -> list[TestCase]:
    changes, answers = changes_by_query(gated), answers_by_place(gated)
    return [
        _query(gated, place, answers.get(place), changes.get(query.id))
        for place, query in enumerate(gated.outcomes.queries)
    ]


def _query(gated: GatedRun, place: int, answer: Answer | None, change: Change | None) -> TestCase:
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


def _describe(gated: GatedRun, place: int, change: Change | None) -> tuple[str, str, str]:
    """Describe how a query's test ends, as what, and why."""
    outcome, outcomes = gated.query_outcomes[place], gated.outcomes
    match outcome:
        case QueryOutcome.PASSED:
            return "", "", ""
        case QueryOutcome.NOT_ASKED:
            return "error", outcome, "it has not been asked yet"
        case QueryOutcome.NOT_ANSWERED:
            return "error", str(outcomes.statuses[place]), "the system did not answer"
        case QueryOutcome.UNDEFINED:
            reason = outcomes.reasons.get((place, 0), "no measure has a value")
            return "skipped", "", f"undefined: {reason}"
    if change and outcome is QueryOutcome.REGRESSED:
        return "failure", outcome, f"regressed: {show_change(change)}"
    figure = outcomes.figures(place)[gated.run.header.measures.index(gated.measure)]
    shown = "undefined" if figure is None else show_value(figure)
    return "failure", outcome, f"{gated.measure} is {shown}"


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
    rules = gated.run.header.suite.rules
    compared = bool(gated.regressions and gated.regressions.changes)
    applied = (compared, compared and bool(rules.protected), rules.most_failures is not None)
    return [name for name, applies in zip(_JUDGED, applied, strict=True) if applies]


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
