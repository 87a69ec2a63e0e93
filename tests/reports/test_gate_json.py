"""The JSON of a gate has all of it, in the same bytes for the same inputs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.runs.samples import right_first, right_second, small_suite

from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import GatedRun, gate_run
from cranfield.model import Query, Response, Status, Suite, Threshold
from cranfield.reports.gate_data import answers_by_place
from cranfield.reports.gate_report import report_gates
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.systems import System

ACCEPTED = {"date": "2026-11-01", "author": "ann", "reason": "the release", "commit": "abc1234"}


def written(*gated: GatedRun, skipped: str = "") -> dict[str, Any]:
    content: dict[str, Any] = json.loads(render(report_gates(gated, skipped), "json"))
    return content


def test_it_tells_what_failed_by_rule_and_query() -> None:
    suite = small_suite(2, gate=(Threshold("P@1", 0.5),))
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    content = written(gate_run(run_suite(suite, right_second), baseline))
    [run] = content["runs"]
    assert (content["passed"], run["passed"]) == (False, False)
    assert [(each["rule"], each["severity"], each["queries"]) for each in run["results"]] == [
        ("threshold", "fail", []),
        ("fallen", "warn", ["q0", "q1"]),
    ]
    assert run["compared"]["counts"] == {"worse": 2, "improved": 0, "the same": 0}
    assert run["compared"]["measures"] == ["RR@10"]
    assert {group["measure"] for group in run["compared"]["groups"]} == {"RR@10"}
    assert run["cause"] == "quality"
    assert (run["compared"]["verdict"], run["compared"]["lost"]) == ("cannot tell", [])
    headline = run["compared"]["headline"]
    assert (headline["before"], headline["after"], headline["pairs"]) == (1.0, 0.5, 2)
    assert run["compared"]["groups"][0] == {
        "measure": "RR@10",
        "name": "all",
        "queries": 2,
        "before": 1.0,
        "after": 0.5,
        "worse": 2,
        "improved": 0,
    }
    assert run["baseline"]["commit"] == "abc1234"


def test_every_query_has_its_change_and_what_came_back() -> None:
    suite = small_suite(1)
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    [run] = written(gate_run(run_suite(suite, right_second), baseline))["runs"]
    [query] = run["queries"]
    assert query["change"] == {
        "kind": "worse",
        "bucket": "removed from rank 1",
        "measure": "RR@10",
        "before": 1.0,
        "after": 0.5,
        "rank_before": 1,
        "rank_after": 2,
        "chance": 0.5,
    }
    assert query["expect"] == {"ids": "doc-0"}
    assert query["hits"] == ["doc-x", "doc-0", "doc-y"]


def test_two_runs_over_the_same_inputs_differ_only_in_the_volatile_part() -> None:
    suite = small_suite(5, gate=(Threshold("P@1", 0.5),))
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    first, second = (written(gate_run(run_suite(suite, right_second), baseline)) for _ in range(2))
    assert first["volatile"] != second["volatile"]
    del first["volatile"], second["volatile"]
    assert json.dumps(first) == json.dumps(second)


def test_without_a_baseline_nothing_is_compared() -> None:
    [run] = written(gate_run(run_suite(small_suite(2), right_first)))["runs"]
    assert (run["baseline"], run["compared"], run["stale"]) == (None, None, [])
    assert [query["change"] for query in run["queries"]] == [None, None]


def test_what_is_stale_and_left_out_is_there() -> None:
    suite = small_suite(3)
    fewer = replace(suite, queries=suite.queries[1:])
    baseline = make_baseline(run_suite(fewer, right_first), "main", ACCEPTED)
    [run] = written(gate_run(run_suite(suite, right_first), baseline))["runs"]
    assert run["left_out"] == ["q0"]
    assert run["stale"] == ["1 query was added, changed or removed"]


def test_undefined_is_null_with_its_reason() -> None:
    suite = Suite(
        "golden",
        "passages",
        (Query("q", "weather", {"route": "no_results"}),),
        gate=(Threshold("RR@10", 0.1),),
    )
    [run] = written(gate_run(run_suite(suite, right_first)))["runs"]
    assert run["overall"]["means"]["RR@10"] is None
    assert run["overall"]["undefined"]["RR@10"]
    assert run["thresholds"][0]["value"] is None
    assert run["passed"] is False


def test_a_skipped_gate_has_its_reason_and_no_runs() -> None:
    content = written(skipped="nothing relevant")
    assert (content["skipped"], content["runs"], content["passed"]) == (
        "nothing relevant",
        [],
        True,
    )


def test_of_several_repetitions_the_one_that_failed_is_told() -> None:
    class Tired(System):
        """Answers once."""

        asked = 0

        def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
            self.asked += 1
            if self.asked == 2:
                return Response.failed(Status.TIMEOUT, "too late")
            return Response.of(())

    gated = gate_run(run_suite(small_suite(1), Tired(), RunOptions(repeats=3)))
    assert answers_by_place(gated)[0].response.message == "too late"
    [run] = written(gated)["runs"]
    assert run["queries"][0]["status"] == "timeout"
    assert run["queries"][0]["message"] == "too late"
