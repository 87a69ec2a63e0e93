"""Gates as JUnit XML: a test suite a run; a test case a query, a threshold and a rule.

What differs between two runs over the same inputs: the attributes `time` and `timestamp`, and
the property `run`.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from cranfield.gates import ChangeKind, Severity
from cranfield.reports.facts import threshold_rows
from cranfield.reports.gate_facts import (
    PASSING,
    deciding_measure,
    show_change,
    show_expected,
    show_got,
    stale_lines,
)
from cranfield.reports.gate_json import answers_by_place
from cranfield.reports.gates import GATE_FORMATS, GateFormat
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates import Change, GatedRun, RuleResult
    from cranfield.reports.gates import GateReport
    from cranfield.runs import Answer

__all__ = ["render_gate_junit"]

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_JUDGED = ("at_most", "protected", "most_failures")
"""The rules that can fail; each is a test case where the suite or the run makes it speak."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A test case; `ending` is failure, error or skipped, or nothing where all is well."""

    classname: str
    name: str
    ending: str = ""
    kind: str = ""
    message: str = ""
    detail: str = ""
    seconds: float | None = None


def render_gate_junit(report: GateReport) -> str:
    """Write all runs; a gate that failed always has a test case that failed."""
    suites = [(_title(each), _cases(each), each) for each in report.runs]
    root = ET.Element("testsuites", {"name": "cranfield gate"})
    if not suites:
        why = report.skipped or "there was no run to judge"
        skipped = _Case("cranfield.gate", "skipped", "skipped", "", why)
        root.append(_suite("cranfield gate", [skipped], None))
    for title, cases, gated in suites:
        root.append(_suite(title, cases, gated))
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(each.get(name, "0")) for each in root)))
    ET.indent(root)
    written = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{written}\n'


def _title(gated: GatedRun) -> str:
    return f"{gated.run.header.suite.id}: {gated.run.header.name}"


def _clean(text: str) -> str:
    """Leave out what XML 1.0 cannot hold."""
    return _NOT_XML.sub("", text)


def _suite(title: str, cases: Sequence[_Case], gated: GatedRun | None) -> ET.Element:
    endings = [case.ending for case in cases]
    element = ET.Element("testsuite", {"name": _clean(title), "tests": str(len(cases))})
    for name, ending in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(name, str(endings.count(ending)))
    element.set("time", f"{sum(case.seconds or 0.0 for case in cases):.6f}")
    if gated:
        element.set("timestamp", gated.run.header.started[:19])
        properties = ET.SubElement(element, "properties")
        for name, value in _facts(gated):
            attributes = {"name": name, "value": _clean(value)}
            ET.SubElement(properties, "property", attributes)
    element.extend(_element(case) for case in cases)
    return element


def _facts(gated: GatedRun) -> list[tuple[str, str]]:
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


def _element(case: _Case) -> ET.Element:
    attributes = {"classname": _clean(case.classname), "name": _clean(case.name)}
    attributes["time"] = f"{case.seconds or 0.0:.6f}"
    element = ET.Element("testcase", attributes)
    if case.ending:
        told = {"message": _clean(case.message)}
        if case.kind:
            told["type"] = case.kind
        ET.SubElement(element, case.ending, told).text = _clean(case.detail) or None
    elif case.message:
        ET.SubElement(element, "system-out").text = _clean(case.message)
    return element


def _cases(gated: GatedRun) -> list[_Case]:
    return [*_queries(gated), *_thresholds(gated), *_rules(gated)]


def _queries(gated: GatedRun) -> list[_Case]:
    known = gated.regressions.changes if gated.regressions else ()
    changes = {change.query.id: change for change in known}
    answers = answers_by_place(gated)
    return [
        _query(gated, place, answers.get(place), changes.get(query.id))
        for place, query in enumerate(gated.outcomes.queries)
    ]


def _query(gated: GatedRun, place: int, answer: Answer | None, change: Change | None) -> _Case:
    query, suite = gated.outcomes.queries[place], gated.run.header.suite
    ending, kind, message = _judge(gated, place, change)
    told = [
        f"expected: {show_expected(query)}",
        f"got: {show_got(answer)}",
        *([show_change(change)] if change else []),
    ]
    seconds = float(gated.outcomes.seconds[place])
    return _Case(
        classname=f"{suite.id}.{query.category}" if query.category else suite.id,
        name=" ".join([query.id, *query.text.split()]),
        ending=ending,
        kind=kind,
        message=message,
        detail="\n".join(told) if ending in ("failure", "error") else "",
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
    shown = "undefined" if figure is None else f"{figure:.4f}"
    return "failure", "not right", f"{measure} is {shown}"


def _is_right(measure: str, figure: float | None, rank: int | None) -> bool:
    """Tell whether a query passes; where its class does not say, anything right is enough."""
    if figure is None:
        return rank is not None
    return figure >= PASSING if measure == "Pass" else figure > 0


def _thresholds(gated: GatedRun) -> list[_Case]:
    cases = []
    results = gated.thresholds.thresholds
    for result, row in zip(results, threshold_rows(gated), strict=True):
        asked, of, value, outcome = row
        failed = not (result.reached or result.threshold.diagnostic)
        cases.append(
            _Case(
                classname=f"{gated.run.header.suite.id}.gate",
                name=f"threshold {asked} of {of}",
                ending="failure" if failed else "",
                kind="threshold" if failed else "",
                message=f"{value}: {outcome}",
            )
        )
    return cases


def _rules(gated: GatedRun) -> list[_Case]:
    """Make a case of each rule that was asked, and of whatever else had something to say."""
    said: dict[str, list[RuleResult]] = {name: [] for name in _asked(gated)}
    for result in gated.results:
        if result.rule != "threshold":
            said.setdefault(result.rule, []).append(result)
    return [_rule(gated, name, results) for name, results in said.items()]


def _asked(gated: GatedRun) -> list[str]:
    rules = gated.run.header.suite.rules
    compared = bool(gated.regressions and gated.regressions.changes)
    asked = (compared, compared and bool(rules.protected), rules.most_failures is not None)
    return [name for name, is_asked in zip(_JUDGED, asked, strict=True) if is_asked]


def _rule(gated: GatedRun, name: str, results: Sequence[RuleResult]) -> _Case:
    failed = any(each.severity is Severity.FAIL for each in results)
    queries = [query for each in results for query in each.queries]
    return _Case(
        classname=f"{gated.run.header.suite.id}.gate",
        name=f"rule {name}",
        ending="failure" if failed else "",
        kind="rule" if failed else "",
        message="; ".join(each.message for each in results),
        detail="\n".join(queries),
    )


GATE_FORMATS.register("junit", GateFormat("junit", render_gate_junit))
