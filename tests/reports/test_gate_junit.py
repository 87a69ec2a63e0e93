"""JUnit: a failing gate is a failing test, and any text is XML."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import GatedRun, gate_run
from cranfield.model import Query, RegressionRules, Response, Status, Suite, Threshold
from cranfield.reports.gate_report import report_gates
from cranfield.runs.runner import run_suite
from cranfield.systems import System
from gate_simulation import SimulatedRun

if TYPE_CHECKING:
    from collections.abc import Callable

ACCEPTED = {"date": "2026-11-01", "author": "ann", "reason": "the release", "commit": "abc1234"}
STORABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def parsed(*gated: GatedRun, skipped: str = "") -> ET.Element:
    text = render(report_gates(gated, skipped), "junit")
    return ET.fromstring(text.encode())  # noqa: S314 - it is our own


def cases(root: ET.Element) -> dict[str, ET.Element]:
    return {case.get("name", ""): case for case in root.iter("testcase")}


def check_counts(root: ET.Element) -> None:
    """Hold every count to the elements, as readers of JUnit do."""
    for element in [root, *root.iter("testsuite")]:
        assert element.get("tests") == str(len(list(element.iter("testcase"))))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(name) == str(len(list(element.iter(tag)))), (element.tag, name)
    for case in root.iter("testcase"):
        assert case.get("name")
        assert case.get("classname")
        assert float(case.get("time", "")) >= 0
        assert len([child for child in case if child.tag != "system-out"]) <= 1


def test_a_query_is_a_case_under_its_suite_and_category() -> None:
    root = parsed(gate_run(run_suite(small_suite(2), right_first)))
    check_counts(root)
    assert root.tag == "testsuites"
    assert [(each.get("classname"), each.get("name")) for each in root.iter("testcase")] == [
        ("small.even", "q0 word0"),
        ("small.odd", "q1 word1"),
        ("small.gate", "rule judged"),
    ]
    assert (root.get("failures"), root.get("errors")) == ("0", "0")


def test_a_query_that_got_worse_fails_with_expected_and_got() -> None:
    suite = small_suite(1)
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    root = parsed(gate_run(run_suite(suite, right_second), baseline))
    check_counts(root)
    failure = cases(root)["q0 word0"].find("failure")
    assert failure is not None
    assert failure.get("type") == "removed from rank 1"
    assert failure.text == (
        "expected: doc-0\ngot: doc-x, doc-0, doc-y\nRR@10 1.0000 → 0.5000, rank 1 → 2"
    )


def test_a_query_that_does_not_pass_fails_where_passing_is_measured() -> None:
    def third(text: str, limit: int) -> list[str]:
        return ["doc-x", "doc-y", *right_first(text, limit)[:1]]

    query = Query("q0", "word0", {"ids": "doc-0"}, pass_rank=2)
    suite = Suite("home", "files", (query,))
    case = cases(parsed(gate_run(run_suite(suite, third))))["q0 word0"]
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == "Pass is 0.0000"
    assert case.get("classname") == "home"


def test_without_a_notion_of_passing_any_right_hit_is_enough() -> None:
    suite = small_suite(1)
    assert parsed(gate_run(run_suite(suite, right_second))).get("failures") == "0"
    assert parsed(gate_run(run_suite(suite, right_never))).get("failures") == "1"


@pytest.mark.parametrize("status", [Status.ERROR, Status.TIMEOUT, Status.UNPARSEABLE])
def test_a_query_without_an_answer_is_an_error(status: Status) -> None:
    class Failing(System):
        def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
            return Response.failed(status, "went <wrong> & away")

    root = parsed(gate_run(run_suite(small_suite(1), Failing())))
    check_counts(root)
    error = cases(root)["q0 word0"].find("error")
    assert error is not None
    assert error.get("type") == str(status)
    assert error.text == f"expected: doc-0\ngot: {status}: went <wrong> & away"


def test_a_query_without_any_value_is_an_error_with_the_reason() -> None:
    run = run_suite(small_suite(1), right_first)
    known = run.outcomes()
    values, reasons = np.full_like(known.values, np.nan), {(0, 0): "nothing is judged"}
    outcomes = replace(known, values=values, by_repeat=values[None], reasons=reasons)
    root = parsed(gate_run(SimulatedRun(run.header, run.store, outcomes)))
    check_counts(root)
    error = cases(root)["q0 word0"].find("error")
    assert error is not None
    assert error.get("message") == "not graded: nothing is judged"


def test_thresholds_and_rules_are_cases_also_where_all_is_well() -> None:
    gate = (Threshold("P@1", 0.5), Threshold("RR@10", 1.0, "odd", diagnostic=True))
    rules = RegressionRules(at_most=1, protected=("even",), most_failures=0)
    plain = small_suite(2, gate=gate)
    suite = Suite(plain.id, plain.query_class, plain.queries, gate=gate, rules=rules)
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    root = parsed(gate_run(run_suite(suite, right_first), baseline))
    assert [name for name in cases(root) if not name.startswith("q")] == [
        "threshold P@1 ≥ 0.5 of all",
        "threshold RR@10 ≥ 1 of odd",
        "rule at_most",
        "rule protected",
        "rule failures",
    ]
    assert root.get("failures") == "0"


def test_a_diagnostic_threshold_never_fails() -> None:
    suite = small_suite(1, gate=(Threshold("P@1", 1.0, diagnostic=True),))
    case = cases(parsed(gate_run(run_suite(suite, right_second))))["threshold P@1 ≥ 1 of all"]
    assert case.find("failure") is None
    assert case.findtext("system-out") == "0.0000: below, diagnostic"


SYSTEMS = {"first": right_first, "second": right_second, "never": right_never}
RULES = [RegressionRules(at_most=9), RegressionRules(), RegressionRules(9, ("even",), ("odd",), 0)]


@pytest.mark.parametrize(("name", "rules"), list(product(SYSTEMS, RULES)))
@pytest.mark.parametrize("at_least", [0.0, 0.6])
def test_a_failing_gate_has_a_failing_threshold_or_rule_and_a_passing_one_none(
    name: str, rules: RegressionRules, at_least: float
) -> None:
    plain = small_suite(4)
    gate = (Threshold("RR@10", at_least),)
    suite = Suite(plain.id, plain.query_class, plain.queries, gate=gate, rules=rules)
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    gated = gate_run(run_suite(suite, SYSTEMS[name]), baseline)
    judged = [
        case for case in parsed(gated).iter("testcase") if case.get("classname") == "small.gate"
    ]
    assert any(case.find("failure") is not None for case in judged) is not gated.passed


def test_a_skipped_gate_is_one_skipped_case() -> None:
    root = parsed(skipped="none of the 2 changed paths fits src/**")
    check_counts(root)
    [case] = root.iter("testcase")
    skipped = case.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "none of the 2 changed paths fits src/**"


def test_two_runs_over_the_same_inputs_differ_only_where_it_is_said() -> None:
    suite = small_suite(3)
    texts = [
        render(report_gates([gate_run(run_suite(suite, right_second))]), "junit") for _ in range(2)
    ]
    volatile = re.compile(r' (time|timestamp)="[^"]*"|<property name="run" value="[^"]*" />')
    assert volatile.sub("", texts[0]) == volatile.sub("", texts[1])


def test_a_property_names_the_baseline_and_what_is_stale() -> None:
    suite = small_suite(2)
    fewer = Suite("small", "canonical", suite.queries[:1])
    baseline = make_baseline(run_suite(fewer, right_first), "main", ACCEPTED)
    root = parsed(gate_run(run_suite(suite, right_first), baseline))
    properties = [(each.get("name"), each.get("value")) for each in root.iter("property")]
    assert ("baseline", "main") in properties
    assert ("stale", "not compared: q1") in properties


@pytest.mark.corpus
@given(STORABLE, STORABLE, STORABLE)
def test_any_text_gives_xml_that_can_be_parsed(text: str, category: str, hit: str) -> None:
    query = Query("q", text, {"ids": ["doc", f"other {hit}"]}, category=category)
    suite = Suite(f"s{text}", "canonical", (query,))
    search: Callable[[str, int], list[str]] = lambda _text, _limit: [f"not {hit}"]  # noqa: E731
    baseline = make_baseline(run_suite(suite, lambda _text, _limit: ["doc"]), "main", ACCEPTED)
    root = parsed(gate_run(run_suite(suite, search), baseline))
    check_counts(root)


def test_characters_that_xml_cannot_hold_are_left_out() -> None:
    query = Query("q", 'a\x00b\x0b<c>\ufffe & "d"]]>', {"ids": "doc"})
    suite = Suite("small", "canonical", (query,))
    root = parsed(gate_run(run_suite(suite, right_first)))
    name, _ = cases(root)
    assert name == 'q ab <c> & "d"]]>'
