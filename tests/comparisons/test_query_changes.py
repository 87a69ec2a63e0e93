"""Every query lands in exactly one bucket."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.samples import right_never, small_suite

from cranfield.comparisons import Bucket, bucket_of, compare
from cranfield.formats import render
from cranfield.measures import parse_measure
from cranfield.model import Hit, Query, Response, Suite
from cranfield.reports import report_comparison
from cranfield.runs import Run, RunOptions, run_suite

RANKS = st.none() | st.integers(1, 50)


@pytest.mark.parametrize(
    ("rank_a", "rank_b", "bucket"),
    [
        (None, 7, "added"),
        (None, 1, "added"),
        (4, 1, "fixed"),
        (4, 2, "improved"),
        (1, 1, "unchanged at rank 1"),
        (3, 3, "unchanged below"),
        (2, 5, "degraded"),
        (1, 2, "removed from rank 1"),
        (1, None, "lost"),
        (9, None, "lost"),
        (None, None, "never found"),
    ],
)
def test_the_bucket_of_a_query_by_its_ranks(
    rank_a: int | None, rank_b: int | None, bucket: str
) -> None:
    assert bucket_of(rank_a, rank_b) == bucket


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


@given(RANKS, RANKS)
def test_swapping_the_arms_swaps_gains_and_losses(rank_a: int | None, rank_b: int | None) -> None:
    there, back = bucket_of(rank_a, rank_b), bucket_of(rank_b, rank_a)
    assert there.is_change == back.is_change == (rank_a != rank_b)
    if there.is_change:
        assert there.is_loss != back.is_loss
    else:
        assert there is back
    assert there in Bucket


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

    assert "improved in rank" in compared(["x", "y", "a"], ["x", "a", "y"])
    assert "degraded in P@5" in compared(["x", "y", "a", "b"], ["x", "a", "y", "z"])
    assert "improved in P@5" in compared(["x", "a", "y", "z"], ["x", "y", "a", "b"])
    assert "improved in" not in compared(["x", "y", "a", "z"], ["x", "a", "b", "z"])
