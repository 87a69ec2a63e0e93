"""The JSON reports keep to their published schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.comparisons import attribute, compare, compare_arms
from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import gate_run
from cranfield.model import Query, Response, Status, Suite, Threshold
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.grid_report import report_grid
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.reports.run_report import report_runs
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.systems import System

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def schema(name: str) -> Draft202012Validator:
    content: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(content)
    return Draft202012Validator(content)


class Failing(System):
    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        return Response.failed(Status.UNPARSEABLE, "not JSON", raw="<html>")


SUITES = [
    small_suite(8, gate=(Threshold("RR@10", 0.5), Threshold("P@1", 1.0, "odd", diagnostic=True))),
    Suite("golden", "passages", (Query("q", "word1", {"route": "no_results"}, language="en"),)),
    Suite("attributes", "attribute", (Query("q", "word1", {"where": {"kind": "method"}}),)),
]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.id)
@pytest.mark.parametrize("system", [right_first, Failing()], ids=["answers", "fails"])
def test_the_json_of_a_run_keeps_to_its_schema(suite: Suite, system: Any) -> None:
    run = run_suite(suite, system, RunOptions(repeats=2, label="nightly"))
    written = render(report_runs([gate_run(run)]), "json")
    assert list(schema("run").iter_errors(json.loads(written))) == []


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.id)
@pytest.mark.parametrize("system", [right_first, Failing()], ids=["answers", "fails"])
def test_the_json_of_a_comparison_keeps_to_its_schema(suite: Suite, system: Any) -> None:
    compared = compare(run_suite(suite, right_second), run_suite(suite, system))
    written = render(report_comparison(compared), "json")
    assert list(schema("comparison").iter_errors(json.loads(written))) == []


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.id)
@pytest.mark.parametrize("system", [right_first, Failing()], ids=["answers", "fails"])
def test_the_json_of_a_leaderboard_keeps_to_its_schema(suite: Suite, system: Any) -> None:
    arms = [run_suite(suite, each) for each in (right_second, system, right_first)]
    written = render(report_leaderboard(compare_arms(arms)), "json")
    assert list(schema("leaderboard").iter_errors(json.loads(written))) == []


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.id)
def test_the_json_of_a_grid_keeps_to_its_schema(suite: Suite) -> None:
    arms = [
        [run_suite(suite, each)] for each in (right_second, right_second, right_first, right_first)
    ]
    written = render(report_grid(attribute(arms)), "json")
    assert list(schema("grid").iter_errors(json.loads(written))) == []


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.id)
@pytest.mark.parametrize("system", [right_first, Failing()], ids=["answers", "fails"])
def test_the_json_of_a_gate_keeps_to_its_schema(suite: Suite, system: Any) -> None:
    accepted = {"date": "2026-11-16T00:00:00Z", "author": "Ann", "reason": "first"}
    baseline = make_baseline(run_suite(suite, right_second), "main", accepted)
    run = run_suite(suite, system)
    for report in (
        report_gates([gate_run(run, baseline), gate_run(run)]),
        report_gates((), "none of the changed paths fits"),
    ):
        written = render(report, "json")
        assert list(schema("gate").iter_errors(json.loads(written))) == []
