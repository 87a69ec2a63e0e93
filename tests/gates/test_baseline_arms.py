"""A baseline is an arm: compared as the run that it was made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.comparisons import Direction, compare, pair_runs
from cranfield.evaluation.gate_evaluation import DEMANDS, Demand, DemandRequest, GateOptions, gate
from cranfield.evaluation.project import Project
from cranfield.gates.baseline_files import read_baseline, write_baseline
from cranfield.gates.baselines import make_arm, make_baseline
from cranfield.gates.gate_rules import RuleResult, Severity
from cranfield.gates.gated_runs import Latency, gate_run, judge_latencies
from cranfield.measures import parse_measure
from cranfield.model import RegressionRules
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.suites import hash_suite, load_suite

if TYPE_CHECKING:
    from pathlib import Path

ACCEPTED = {"date": "", "author": "", "reason": ""}


def unsure(text: str, limit: int) -> list[str]:
    """Right at rank 1 or 2, depending on the number in the text."""
    number = int(text.removeprefix("word"))
    return (right_first, right_second, right_never)[number % 3](text, limit)


def test_a_baseline_that_was_written_and_read_compares_as_its_run_does(tmp_path: Path) -> None:
    suite = small_suite(12)
    before, after = run_suite(suite, unsure), run_suite(suite, right_second)
    write_baseline(tmp_path / "b.json", make_baseline(before, "main", ACCEPTED))
    arm = make_arm(read_baseline(tmp_path / "b.json"), after)
    [known], [again] = (compare(each, after).suites for each in (before, arm))
    assert again.buckets == known.buckets
    assert again.headline.result == known.headline.result
    assert [each.measure for each in again.measures] == [each.measure for each in known.measures]
    assert [each.judged for each in again.changes] == [each.judged for each in known.changes]


def test_the_repetitions_of_a_baseline_are_those_of_its_run() -> None:
    turns = iter(range(1000))

    def varying(text: str, limit: int) -> list[str]:
        return (right_first if next(turns) % 3 else right_second)(text, limit)

    suite = small_suite(4)
    noisy = run_suite(suite, varying, RunOptions(repeats=5))
    arm = make_arm(make_baseline(noisy, "main", ACCEPTED), noisy)
    rows, own = arm.outcomes().by_repeat, noisy.outcomes().by_repeat
    assert np.sort(rows, axis=0) == pytest.approx(np.sort(own, axis=0))
    paired = pair_runs(arm, noisy)
    assert paired.places_a == paired.places_b == (0, 1, 2, 3)


def test_queries_and_measures_are_in_the_order_of_the_run() -> None:
    suite = small_suite(4)
    options = [
        RunOptions(measures=tuple(map(parse_measure, names)))
        for names in (("P@1", "RR@10"), ("RR@10", "P@1", "P@5"))
    ]
    baseline = make_baseline(run_suite(suite, right_first, options[0]), "main", ACCEPTED)
    turned = replace(suite, queries=suite.queries[:0:-1])
    run = run_suite(turned, right_first, options[1])
    arm = make_arm(baseline, run)
    assert arm.header.measures == ("RR@10", "P@1")
    assert [query.id for query in arm.outcomes().queries] == ["q3", "q2", "q1", "q0"]
    gated = gate_run(run, baseline)
    assert gated.against is not None
    assert gated.against.comparison is not None
    assert str(gated.against.comparison.headline.measure) == "RR@10"
    assert [each.query.id for each in gated.changes] == ["q3", "q2", "q1"]


def test_a_gate_has_the_buckets_of_the_comparison() -> None:
    suite = small_suite(3)
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    gated = gate_run(run_suite(suite, unsure), baseline)
    assert [str(each.bucket) for each in gated.changes] == [
        "unchanged at rank 1",
        "removed from rank 1",
        "lost",
    ]
    assert [each.beyond_noise for each in gated.changes] == [
        Direction.SAME,
        Direction.WORSE,
        Direction.WORSE,
    ]


@pytest.mark.parametrize(
    ("rule", "before", "now", "fails"),
    [
        ({"p95": 2.0}, 0.1, 0.21, True),
        ({"p95": 2.0}, 0.1, 0.2, False),
        ({"p95": 2.0}, None, 9.0, False),
        ({"p50": 2.0}, 0.1, 0.21, False),
        ({}, 0.1, 0.21, False),
    ],
)
def test_a_response_time_that_doubled_fails_if_a_suite_asks_for_it(
    rule: dict[str, float], before: float | None, now: float, *, fails: bool
) -> None:
    found = judge_latencies(RegressionRules(latency=rule), [Latency("p95", now, before)])
    assert [(each.rule, each.severity) for each in found] == (
        [("latency", Severity.FAIL)] if fails else []
    )


def test_a_gate_fails_by_the_rule_for_response_times_and_says_by_how_much() -> None:
    suite = replace(small_suite(4), rules=RegressionRules(latency={"p95": 2.0}))
    run = run_suite(suite, right_first)
    made = make_baseline(run, "main", ACCEPTED)
    times = {"p95": max(run.outcomes().seconds) / 1000}
    baseline = replace(made, accepted=replace(made.accepted, latency=times))
    gated = gate_run(run, baseline)
    assert not gated.passed
    [failed] = gated.results
    assert failed.rule == "latency"
    assert "at most 2 times is allowed, by the suite's rule latency" in failed.message
    assert gate_run(run, replace(made, accepted=replace(made.accepted, latency={}))).passed


def test_the_rule_for_response_times_is_read_and_no_other_suite_has_another_hash(
    tmp_path: Path,
) -> None:
    query = '[[query]]\nid = "q"\ntext = "word"\nexpect.ids = "doc"\n'
    head, rule = 'id = "small"\nclass = "canonical"\n', "[regressions]\nlatency = { p95 = 2.0 }\n"
    (tmp_path / "with.toml").write_text(head + rule + query)
    (tmp_path / "plain.toml").write_text(head + query)
    ruled, plain = (load_suite(tmp_path / f"{name}.toml") for name in ("with", "plain"))
    assert ruled.rules.latency == {"p95": 2.0}
    assert hash_suite(plain) == "75f5af8b536ef418"
    assert hash_suite(ruled) != hash_suite(plain)


def test_the_gate_of_the_library_asks_what_slices_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def judge(request: DemandRequest) -> dict[str, list[RuleResult]]:
        asked.append(request.is_quick)
        return {"small": [RuleResult("made", Severity.FAIL, "not enough")]}

    monkeypatch.setitem(DEMANDS._things, "made", Demand("made", judge))
    run = run_suite(small_suite(2), right_first)
    project = Project(tmp_path)
    result = gate([run], project)
    assert not result.passed
    assert [each.rule for each in result.runs[0].results] == ["made", "judged"]
    assert gate([run]).passed
    gate([run], project, GateOptions(is_quick=True))
    assert asked == [False, True]
