"""Gates as test cases: one for each query, each threshold and each rule."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from cranfield.formats import TestCase, TestSuite, show_value
from cranfield.gates import ChangeKind, Severity
from cranfield.reports.gate_data import answers_by_place, changes_by_query
from cranfield.reports.gate_groups import (
    deciding_measure,
    show_change,
    show_expected,
    show_got,
    stale_lines,
)
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates import Change, GatedRun, RuleResult
    from cranfield.runs import Answer

__all__ = ["gate_cases"]

_PASSING = 1 - 1e-9
"""Passed in every repetition."""
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
    outcome, kind, message = _judge(gated, place, change)
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


def _judge(gated: GatedRun, place: int, change: Change | None) -> tuple[str, str, str]:
    """Say how a query's test ends, as what, and why."""
    status = gated.outcomes.statuses[place]
    if status is None:
        return "error", "not asked", "it has not been asked yet"
    if status.is_failure:
        return "error", str(status), "the system did not answer"
    if change and change.kind is ChangeKind.REGRESSED:
        return "failure", "regressed", f"regressed: {show_change(change)}"
    figures = gated.outcomes.figures(place)
    if all(figure is None for figure in figures):
        reason = gated.outcomes.reasons.get((place, 0), "no measure has a value")
        return "skipped", "", f"undefined: {reason}"
    measure = deciding_measure(gated)
    figure = figures[gated.run.header.measures.index(measure)]
    if _is_right(measure, figure, gated.outcomes.first_ranks[place]):
        return "", "", ""
    shown = "undefined" if figure is None else show_value(figure)
    return "failure", "not right", f"{measure} is {shown}"


def _is_right(measure: str, figure: float | None, rank: int | None) -> bool:
    """Return whether a query passes; if its class does not say, anything right is enough."""
    if figure is None:
        return rank is not None
    return figure >= _PASSING if measure == "Pass" else figure > 0


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
