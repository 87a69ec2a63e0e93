"""Signed ranks, by hand and by SciPy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from cranfield.statistics.pairs import pair_differences
from cranfield.statistics.ranks import rank_differences


def test_equal_sizes_share_their_mean_rank() -> None:
    ranks = rank_differences(pair_differences([0.0] * 5, [3.0, -1.0, 1.0, 0.0, 2.0]))
    assert ranks.ranks.tolist() == [4.0, 1.5, 1.5, 3.0]
    assert ranks.tie_sizes.tolist() == [2, 1, 1]
    assert ranks.tied
    assert (ranks.w_plus, ranks.w_minus) == (8.5, 1.5)


def test_sizes_that_differ_by_float_noise_are_tied() -> None:
    ranks = rank_differences(pair_differences([1 / 3, 1.0], [0.5, 5 / 6]))
    assert ranks.ranks.tolist() == [1.5, 1.5]


def test_no_difference_leaves_no_ranks() -> None:
    assert rank_differences(pair_differences([1.0, 2.0], [1.0, 2.0])).n == 0


@settings(deadline=None)
@given(st.lists(st.integers(-20, 20).filter(bool), min_size=1, max_size=60))
def test_ranks_are_those_of_scipy(numbers: list[int]) -> None:
    ranks = rank_differences(pair_differences([0.0] * len(numbers), [float(x) for x in numbers]))
    assert ranks.ranks.tolist() == rankdata([abs(x) for x in numbers]).tolist()
    assert ranks.w_plus + ranks.w_minus == pytest.approx(len(numbers) * (len(numbers) + 1) / 2)
