"""Every query lands in exactly one bucket."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.comparisons import Bucket, bucket_of

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


@given(RANKS, RANKS)
def test_swapping_the_arms_swaps_gains_and_losses(rank_a: int | None, rank_b: int | None) -> None:
    there, back = bucket_of(rank_a, rank_b), bucket_of(rank_b, rank_a)
    assert there.is_change == back.is_change == (rank_a != rank_b)
    if there.is_change:
        assert there.is_loss != back.is_loss
    else:
        assert there is back
    assert there in Bucket
