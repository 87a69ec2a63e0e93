"""A measure of grades that no target has is doubted, since it is 0 whatever is found."""

from __future__ import annotations

from dataclasses import replace

from tests.runs.samples import right_first, small_suite

from cranfield.measures import parse_measure
from cranfield.model import Query
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.summaries import find_doubts

STRICT = RunOptions(measures=(parse_measure("P(rel=2)@5"), parse_measure("P@5")))


def test_a_grade_that_no_target_has_is_doubted() -> None:
    run = run_suite(small_suite(6), right_first, STRICT)
    [doubt] = find_doubts(run, run.outcomes())
    assert doubt.startswith("P(rel=2)@5 is 0 for every query: no target has grade 2 or more")


def test_a_grade_that_one_target_has_is_not() -> None:
    suite = small_suite(6)
    graded = Query("graded", "word9", {"ids": [{"id": "doc-9", "grade": 2}]})
    run = run_suite(replace(suite, queries=(*suite.queries, graded)), right_first, STRICT)
    assert find_doubts(run, run.outcomes()) == []


def test_grades_of_unknown_targets_are_not_doubted() -> None:
    suite = small_suite(6)
    unknown = Query("unknown", "word9", {"where": {"kind": "method"}})
    run = run_suite(replace(suite, queries=(*suite.queries, unknown)), right_first, STRICT)
    assert run.outcomes().queries[-1].id == "unknown"
    assert all("rel=2" not in each for each in find_doubts(run, run.outcomes()))
