"""Effect sizes by hand, by brute force, and where they are undefined."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.statistics import (
    EffectSize,
    PairOutcomes,
    cliffs_delta,
    effect_sizes,
    rank_biserial,
    standardised_difference,
)

TWELFTHS = st.integers(0, 12).map(lambda x: x / 12)


def test_the_standardised_difference_is_mean_over_spread() -> None:
    # Differences 1, 2, 3: mean 2, standard deviation 1.
    assert standardised_difference([0.0] * 3, [1.0, 2.0, 3.0]) == EffectSize(2.0)


def test_equal_differences_have_no_standardised_difference() -> None:
    result = standardised_difference([1 / 3, 5 / 6], [0.5, 1.0])
    assert result == EffectSize(None, "all differences are equal: they have no spread")


def test_one_pair_has_no_standardised_difference() -> None:
    result = standardised_difference([0.0], [0.5])
    assert result == EffectSize(None, "only one pair: at least 2 are needed")


def test_the_rank_biserial_correlation_of_wilcoxons_maize() -> None:
    maize = [6.0, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    assert rank_biserial([0.0] * 15, maize).value == pytest.approx((96 - 24) / 120)


def test_only_gains_have_rank_biserial_one() -> None:
    assert rank_biserial([0.0, 0.0, 0.0], [1.0, 2.0, 0.0]) == EffectSize(1.0)


def test_no_difference_has_no_rank_biserial() -> None:
    assert rank_biserial([1.0], [1.0]) == EffectSize(None, "no pair differs: there are no ranks")


def test_cliffs_delta_compares_everyone_with_everyone() -> None:
    # b above a in 5 of 9 combinations, below in 2, equal in 2.
    assert cliffs_delta([1.0, 2.0, 4.0], [2.0, 3.0, 4.0]) == pytest.approx((5 - 2) / 9)


def test_cliffs_delta_of_separate_groups_is_one() -> None:
    assert cliffs_delta([0.1, 0.2], [0.3, 0.4]) == 1.0
    assert cliffs_delta([0.3, 0.4], [0.1, 0.2]) == -1.0


def test_cliffs_delta_ignores_float_noise() -> None:
    assert cliffs_delta([0.3], [0.1 + 0.2]) == 0.0


@given(st.lists(st.tuples(TWELFTHS, TWELFTHS), min_size=1, max_size=30))
def test_cliffs_delta_equals_brute_force(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs).T
    expected = float(np.mean(np.sign(b[:, np.newaxis] - a)))
    assert cliffs_delta(a, b) == pytest.approx(expected)


def test_all_effect_sizes_at_once() -> None:
    a, b = [0.0, 0.0, 1.0, 1.0], [1.0, 3.0, 1.0, 0.0]
    result = effect_sizes(a, b)
    assert (result.n, result.mean_difference) == (4, 0.75)
    assert result.standardised_difference == standardised_difference(a, b)
    assert result.rank_biserial == EffectSize((1.5 + 3 - 1.5) / 6)
    assert result.cliffs_delta == cliffs_delta(a, b)
    assert result.outcomes == PairOutcomes(2, 1, 1)
