"""Every query lands in exactly one bucket."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.comparisons import Bucket, Direction, SuiteComparison, bucket_of, compare
from cranfield.formats import render
from cranfield.measures import parse_measure
from cranfield.model import Hit, Query, Response, Suite
from cranfield.reports.comparison_report import report_comparison
from cranfield.runs.runner import Run, RunOptions, run_suite

RANKS = st.none() | st.integers(1, 50)
GAINS = st.sampled_from([-1.0, -0.25, 0.0, 0.25, 1.0])


@pytest.mark.parametrize(
    ("rank_a", "rank_b", "gain", "bucket"),
    [
        (None, 7, 0.1, "added"),
        (None, 1, 0.1, "added"),
        (4, 1, 0.1, "fixed"),
        (4, 2, 0.1, "improved"),
        (1, 1, 0.1, "improved"),
        (2, 5, 0.1, "improved"),
        (1, None, 0.1, "improved"),
        (1, 1, 0.0, "unchanged at rank 1"),
        (3, 3, 0.0, "unchanged below"),
        (2, 5, -0.1, "degraded"),
        (4, 2, -0.1, "degraded"),
        (None, 4, -0.1, "degraded"),
        (1, 2, -0.1, "removed from rank 1"),
        (1, None, -0.1, "lost"),
        (9, None, -0.1, "lost"),
        (None, None, 0.0, "never found"),
    ],
)
def test_the_bucket_of_a_query_is_by_its_value_and_then_by_its_ranks(
    rank_a: int | None, rank_b: int | None, gain: float, bucket: str
) -> None:
    assert bucket_of(rank_a, rank_b, gain) == bucket


@pytest.mark.parametrize(
    ("ranks", "difference", "checks", "bucket"),
    [
        ((4, 1), 0.75, (-1.0,), "degraded"),
        ((4, 2), 0.25, (-1.0,), "degraded"),
        ((None, 1), 1.0, (-1.0,), "degraded"),
        ((2, 2), 0.1, (-1.0,), "degraded"),
        ((1, 1), 0.0, (-1.0,), "degraded"),
        ((1, 1), 0.0, (1.0, -1.0), "degraded"),
        ((1, 2), -0.5, (-1.0,), "removed from rank 1"),
        ((1, None), -1.0, (-1.0,), "lost"),
        ((1, 2), -0.5, (1.0,), "removed from rank 1"),
        ((1, 1), 0.0, (1.0,), "improved"),
        ((None, None), 0.0, (1.0,), "improved"),
        ((4, 1), 0.75, (1.0,), "fixed"),
    ],
)
def test_a_lost_check_is_a_loss_whatever_was_gained(
    ranks: tuple[int | None, int | None],
    difference: float,
    checks: tuple[float, ...],
    bucket: str,
) -> None:
    assert bucket_of(*ranks, difference, checks) == bucket


def test_a_query_that_rose_to_rank_1_and_lost_its_route_is_degraded() -> None:
    suite = Suite("s", "canonical", (Query("q", "word", {"ids": ["a"], "route": "search"}),))

    def answered(route: str, *ids: str) -> Run:
        return run_suite(suite, lambda *_: Response.of(tuple(map(Hit, ids)), route=route))

    before, after = answered("search", "x", "a"), answered("elsewhere", "a", "x")
    [change] = compare(before, after).suites[0].changes
    assert (change.bucket, [str(each) for each in change.lost_checks]) == (
        Bucket.DEGRADED,
        ["Route"],
    )
    assert compare(after, before).suites[0].changes[0].bucket.is_loss


@pytest.mark.parametrize(("rank_a", "rank_b"), [(1, 2), (2, 1), (5, 2), (9, None), (None, 9)])
def test_a_query_whose_value_is_the_same_did_not_change_wherever_its_hit_went(
    rank_a: int | None, rank_b: int | None
) -> None:
    bucket = bucket_of(rank_a, rank_b)
    assert (bucket, bucket.direction) == (Bucket.UNCHANGED_BELOW, Direction.SAME)


@given(RANKS, RANKS, GAINS, st.lists(GAINS, max_size=2))
def test_a_query_is_worse_improved_or_the_same_by_its_values_alone(
    rank_a: int | None, rank_b: int | None, gain: float, checks: list[float]
) -> None:
    bucket = bucket_of(rank_a, rank_b, gain, tuple(checks))
    gains = [gain, *checks]
    assert bucket.is_loss == (min(gains) < 0)
    assert bucket.is_gain == (min(gains) >= 0 and max(gains) > 0)
    assert bucket.is_change == (bucket.is_loss or bucket.is_gain)


@given(RANKS, RANKS, GAINS)
def test_swapping_the_arms_swaps_gains_and_losses(
    rank_a: int | None, rank_b: int | None, gain: float
) -> None:
    there, back = bucket_of(rank_a, rank_b, gain), bucket_of(rank_b, rank_a, -gain)
    assert there.is_change == back.is_change == (gain != 0)
    if there.is_change:
        assert there.is_loss != back.is_loss
    else:
        assert there is back


def test_a_query_that_rose_and_lost_a_check_is_degraded() -> None:
    assert bucket_of(4, 2, 0.25, (-1.0,)) is Bucket.DEGRADED
    assert bucket_of(2, 2, 0.0, (1.0,)) is Bucket.IMPROVED


def test_every_line_counts_the_queries_in_one_way() -> None:
    """P@5 is the same if a right hit moves from rank 1 to 2, and RR@10 is not."""
    suite = Suite("s", "judged", (Query("q", "word", {"ids": ["a", "b"]}),))

    def compared(*measures: str) -> SuiteComparison:
        options = RunOptions(measures=tuple(map(parse_measure, measures)))
        a = run_suite(suite, lambda _text, _limit: ["a", "x"], options)
        b = run_suite(suite, lambda _text, _limit: ["x", "a"], options)
        return compare(a, b).suites[0]

    by_precision, by_rank = compared("P@5", "RR@10"), compared("RR@10", "P@5")
    assert by_precision.directions == {"improved": 0, "worse": 0, "the same": 1}
    assert (by_precision.fallen, by_precision.buckets[Bucket.UNCHANGED_BELOW]) == ((), 1)
    assert by_rank.directions == {"improved": 0, "worse": 1, "the same": 0}
    assert ([each.query.id for each in by_rank.fallen], by_rank.buckets[Bucket.REMOVED]) == (
        ["q"],
        1,
    )


def test_compare_says_which_queries_changed_by_more_than_noise() -> None:
    turns = iter(range(1000))

    def unsure(text: str, limit: int) -> list[str]:
        return (right_first if next(turns) % 2 else right_second)(text, limit)

    suite = small_suite(3)
    noisy = run_suite(suite, unsure, RunOptions(repeats=4))
    within = compare(noisy, run_suite(suite, right_second, RunOptions(repeats=4)))
    beyond = compare(noisy, run_suite(suite, right_never, RunOptions(repeats=4)))
    assert {each.bucket.direction for each in within.suites[0].changes} == {Direction.WORSE}
    assert {each.beyond_noise for each in within.suites[0].changes} == {Direction.SAME}
    assert {each.beyond_noise for each in beyond.suites[0].changes} == {Direction.WORSE}
    shown = render(report_comparison(within))
    assert "changed by more than noise: 0 improved, 0 worse" in shown
    assert "3 queries got worse" in report_comparison(within).lead
    per_query = json.loads(render(report_comparison(within), "json"))["suites"][0]["per_query"]
    assert {each["beyond_noise"] for each in per_query} == {"the same"}


def test_a_query_that_is_never_found_is_no_change_whatever_wrong_hits_there_are() -> None:
    suite = small_suite(4)
    empty = run_suite(suite, lambda _text, _limit: [])
    changes = compare(empty, run_suite(suite, right_never)).suites[0].changes
    assert [(each.bucket, each.changed) for each in changes] == [(Bucket.NEVER, False)] * 4


def test_a_row_says_why_it_improved_if_its_figures_do_not() -> None:
    suite = Suite("s", "judged", (Query("q", "word", {"ids": ["a", "b"]}),))
    options = RunOptions(measures=(parse_measure("P@5"), parse_measure("RR@10")))

    def compared(before: list[str], after: list[str]) -> str:
        a = run_suite(suite, lambda _text, _limit: before, options)
        b = run_suite(suite, lambda _text, _limit: after, options)
        return render(report_comparison(compare(a, b)))

    assert "improved" not in compared(["x", "y", "a"], ["x", "a", "y"]).partition("queries:")[2]
    assert "degraded in P@5" in compared(["x", "y", "a", "b"], ["x", "a", "y", "z"])
    assert "improved in P@5" in compared(["x", "a", "y", "z"], ["x", "y", "a", "b"])
    assert "improved in" not in compared(["x", "y", "a", "z"], ["x", "a", "b", "z"])
