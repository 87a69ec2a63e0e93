"""What was not answered is a finding of its own, and says nothing about quality."""

from __future__ import annotations

import pytest
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.comparisons import (
    MOST_FAILED,
    Bucket,
    CompareOptions,
    VerdictKind,
    attribute,
    compare,
    compare_arms,
)
from cranfield.model import Query, Response, Status
from cranfield.runs.runner import Run, RunOptions, run_suite
from cranfield.systems import PythonSystem, System


class Failing(System):
    """Answers as a function does, but for the first queries, which time out."""

    def __init__(self, failures: int, *, only_repeat: int | None = None) -> None:
        self._failures = failures
        self._asked: dict[str, int] = {}
        self._repeat = only_repeat

    def search(self, query: Query, limit: int) -> Response:
        asked = self._asked[query.id] = self._asked.get(query.id, 0) + 1
        fails = int(query.id.removeprefix("q")) < self._failures
        if fails and self._repeat in (None, asked):
            return Response.failed(Status.TIMEOUT, "no answer")
        return PythonSystem(right_first).search(query, limit)


def run(failures: int, queries: int = 40) -> Run:
    return run_suite(small_suite(queries), Failing(failures))


@pytest.mark.parametrize("turned", [False, True])
def test_the_verdict_is_of_the_pairs_that_both_answered(turned: bool) -> None:
    arms = [run_suite(small_suite(40), right_first), run(4)]
    [only] = compare(*(reversed(arms) if turned else arms)).suites
    # Where both answered they are the same; with failures as zeros B would be worse.
    assert only.headline.result is not None
    assert only.headline.result.difference == 0.0
    assert only.headline.result.pairs == 36
    assert only.verdict.kind is not VerdictKind.WORSE
    assert sorted(each.count for each in only.failures) == [0, 4]
    assert only.has_failures
    assert only.buckets[Bucket.FAILED] == 4
    assert only.buckets[Bucket.LOST] == only.buckets[Bucket.ADDED] == 0
    assert sum(only.buckets.values()) == 40
    assert only.fallen == ()


def test_above_a_stated_share_there_is_no_verdict() -> None:
    old = run_suite(small_suite(40), right_second)
    most = int(40 * MOST_FAILED)
    assert compare(old, run(most)).verdict.kind is VerdictKind.BETTER
    refused = compare(old, run(most + 1)).suites[0]
    assert str(refused.verdict) == "cannot tell: 5 of 40 queries failed in Failing"
    assert all(each.verdict == refused.verdict for each in refused.measures)
    assert str(compare(old, run(17)).verdict) == "cannot tell: 17 of 40 queries failed in Failing"


def test_a_category_is_refused_for_its_own_failures() -> None:
    [only] = compare(run_suite(small_suite(40), right_second), run(3)).suites
    even, odd = only.categories
    assert only.verdict.kind is VerdictKind.BETTER
    assert odd.verdict.kind is VerdictKind.BETTER
    assert even.verdict.kind is VerdictKind.BETTER
    [only] = compare(run_suite(small_suite(40), right_second), run(4)).suites
    assert [each.verdict.kind for each in only.categories] == [VerdictKind.BETTER] * 2
    few = compare(run_suite(small_suite(12), right_second), run(1, 12)).suites[0]
    assert few.categories[0].verdict.reason == "1 of 6 queries failed in Failing"
    assert few.categories[1].verdict.reason == ""


def test_a_failure_in_one_repetition_is_a_failure() -> None:
    twice = RunOptions(repeats=2)
    suite = small_suite(40)
    waver = run_suite(suite, Failing(3, only_repeat=2), twice)
    [only] = compare(run_suite(suite, right_first, twice), waver).suites
    assert only.failures[1].count == 3
    assert only.headline.result is not None
    assert only.headline.result.difference == 0.0
    # That an arm fails now and then is not a noise of its ranking.
    assert only.headline.noise == 0.0


def test_the_arms_of_a_leaderboard_fail_each_for_itself() -> None:
    arms = [run_suite(small_suite(40), right_second), run(17), run(2)]
    board = compare_arms(arms)
    [suite] = board.suites
    first, broken, good = suite.standings
    assert (first.queries, first.failed, first.comparison) == (40, 0, None)
    assert broken.comparison is not None
    assert broken.comparison.verdict.reason == f"17 of 40 queries failed in {broken.name}"
    assert good.comparison is not None
    assert (good.queries, good.failed) == (38, 2)
    assert good.comparison.verdict.kind is VerdictKind.BETTER
    assert board.has_failures


def test_a_grid_leaves_out_what_any_arm_did_not_answer() -> None:
    suite = small_suite(40)
    old, new = run_suite(suite, right_second), run_suite(suite, right_first)
    [few] = attribute([[old], [old], [new], [run(2)]]).suites
    assert [each.count for each in few.failures] == [0, 0, 0, 2]
    index = next(each for each in few.attributions if each.factor == "index")
    assert index.result is not None
    assert (index.result.pairs, index.result.difference) == (38, 0.5)
    assert index.verdict.kind is VerdictKind.BETTER
    grid = attribute([[old], [old], [new], [run(17)]], CompareOptions())
    assert grid.has_failures
    assert {each.reason for each in grid.verdicts} == {"17 of 40 queries failed in Failing"}
