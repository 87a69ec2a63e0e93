"""A gate is never passed by unjudged hits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import judge, listed_run, unjudged_suite

from cranfield.formats import render
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gate_rules import Cause, Severity
from cranfield.gates.gated_runs import gate_run
from cranfield.judgments import JudgedBy, JudgmentStore, judge_runs
from cranfield.model import Threshold
from cranfield.reports.gate_report import report_gates
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.runs.runner import Run

QUERIES = 40
ACCEPTED = {"date": "2026-01-01", "author": "ann", "reason": "as it is", "commit": ""}


def run_behind(behind: int, at_least: float = 0.95) -> Run:
    """A run whose right hit is gone from some queries, which have unjudged hits."""
    suite = replace(unjudged_suite(QUERIES), gate=(Threshold("nDCG@10", at_least),))
    hits = {
        query.text: [f"new-{query.id}"] if place < behind else [f"right-{query.id}"]
        for place, query in enumerate(suite.queries)
    }
    store = JudgmentStore(open_store())
    store.add([judge(each, f"right-{each.id}", 1) for each in suite.queries], [*suite.queries])
    [judged] = judge_runs([listed_run(suite, hits)], store.store, JudgedBy())
    return judged


def accepted(run: Run) -> Baseline:
    return make_baseline(run, "main", ACCEPTED)


def severities(gated: GatedRun) -> dict[str, Severity]:
    return {each.rule: each.severity for each in gated.results}


def test_a_threshold_takes_hits_that_nobody_judged_for_irrelevant() -> None:
    gated = gate_run(run_behind(20))
    [threshold] = gated.thresholds.thresholds
    assert threshold.value == pytest.approx(0.5)
    assert threshold.not_judged == 20
    assert not gated.passed
    # Nobody knows whether these hits are right: it is not a statement about quality.
    assert gated.cause is Cause.GRADING
    [failed] = [each for each in gated.results if each.rule == "threshold"]
    assert failed.message == (
        "nDCG@10 is 0.5000; at least 0.95 is required; 20 queries depend on unjudged hits, "
        "which count as irrelevant; over the others it is 1.0000"
    )


def test_a_threshold_that_is_reached_in_any_case_is_reached() -> None:
    gated = gate_run(run_behind(20, 0.5))
    assert gated.passed
    assert severities(gated) == {"holes": Severity.WARN}


def test_the_number_of_queries_is_that_of_the_mean() -> None:
    gated = gate_run(run_behind(20))
    text = render(report_gates([gated]), "text")
    row = next(line for line in text.split("\n") if line.startswith("all "))
    assert row.split()[:3] == ["all", "20", "1.0000"]
    assert "0.5000  FAILED (20 not judged)" in text
    [run] = report_gates([gated]).data["runs"]
    assert run["left_out"] == run["not_judged"] == [f"q{place}" for place in range(20)]
    assert run["thresholds"][0]["value"] == pytest.approx(0.5)
    assert run["thresholds"][0]["not_judged"] == 20
    assert run["overall"]["defined"]["nDCG@10"] == 20


def test_a_comparison_that_leaves_out_too_many_queries_fails() -> None:
    gated = gate_run(run_behind(20, 0.1), accepted(run_behind(0)))
    assert not gated.passed
    assert gated.cause is Cause.GRADING
    assert severities(gated) == {"holes": Severity.FAIL}
    assert gated.against is not None
    assert "20 of 40 queries depend on unjudged hits" in str(
        gated.against.comparison and gated.against.comparison.headline
    )
    assert len(gated.against.changes) == 20
    assert "no query changed" not in render(report_gates([gated]), "text")


def test_a_few_are_a_warning_and_no_regression() -> None:
    gated = gate_run(run_behind(4, 0.5), accepted(run_behind(0)))
    assert gated.passed
    assert severities(gated) == {"holes": Severity.WARN}
    assert gated.against is not None
    assert len(gated.against.changes) == 36


def test_a_baseline_with_holes_cannot_be_compared_either() -> None:
    gated = gate_run(run_behind(0), accepted(run_behind(20)))
    assert severities(gated) == {"holes": Severity.FAIL}


def test_a_query_that_is_not_judged_is_a_skipped_test() -> None:
    written = render(report_gates([gate_run(run_behind(20))]), "junit")
    assert written.count("not judged: it depends on unjudged hits") == 20
