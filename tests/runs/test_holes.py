"""Holes of a run: what nobody judged, and how far the means are open."""

from __future__ import annotations

import pytest
from tests.judging.samples import judge, listed_run, questions, unjudged_suite

from cranfield.judgments import JudgedBy, JudgmentStore, judge_runs
from cranfield.measures import parse_measure
from cranfield.model import Query, Suite
from cranfield.runs.holes import find_holes
from cranfield.runs.store import open_store


def test_bounds_are_the_means_with_all_holes_irrelevant_and_all_relevant() -> None:
    suite = unjudged_suite(2)
    first, second = suite.queries
    run = listed_run(suite, {first.text: ["a", "b"], second.text: ["c", "d"]})
    store = JudgmentStore(open_store())
    store.add([judge(first, "a", 0), judge(first, "b", 1), judge(second, "c", 1)], [first, second])
    [judged] = judge_runs([run], store.store, JudgedBy())
    bounds = {str(each.measure): each for each in find_holes(judged)}
    precision = bounds["P@5"]
    assert (precision.holes, precision.hits, precision.depth) == (1, 4, 5)
    assert precision.share == 0.25
    assert precision.low == pytest.approx((1 / 5 + 1 / 5) / 2)
    assert precision.high == pytest.approx((1 / 5 + 2 / 5) / 2)
    ranks = bounds["RR@10"]
    assert ranks.low == ranks.high == pytest.approx(0.75)


def test_a_suite_that_states_what_is_right_has_no_holes() -> None:
    query = Query("q0", questions(1)[0].text, {"matches": "^a$"})
    run = listed_run(Suite("stated", "canonical", (query,)), {query.text: ["a", "b"]})
    assert find_holes(run) == ()


def test_what_is_judged_to_the_last_hit_has_no_holes() -> None:
    suite = unjudged_suite(1)
    [query] = suite.queries
    run = listed_run(suite, {query.text: ["a"]})
    store = JudgmentStore(open_store())
    store.add([judge(query, "a", 1)], [query])
    [judged] = judge_runs([run], store.store, JudgedBy())
    assert find_holes(judged) == ()
    assert judged.measures[0] == parse_measure("nDCG@10")
