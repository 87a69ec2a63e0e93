"""Signed ranks, Wilcoxon's test and the rank-sum test: hand counts, SciPy, every branch."""

from __future__ import annotations

import itertools
from itertools import combinations
from math import comb, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import rankdata

from cranfield.errors import StatisticsError
from cranfield.statistics import WilcoxonResult, rank_sum_p_less, wilcoxon_signed_rank
from cranfield.statistics.pairs import pair_differences
from cranfield.statistics.rank_tests import rank_differences

# Darwin's maize, in eighths of an inch, as Wilcoxon (1945) ranks it.
MAIZE = [6.0, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]


def signed_rank(differences: list[float]) -> WilcoxonResult:
    return wilcoxon_signed_rank([0.0] * len(differences), differences)


def scipy_p_values(differences: list[float], method: str = "auto") -> list[float]:
    return [
        float(stats.wilcoxon(differences, alternative=alternative, method=method).pvalue)
        for alternative in ("two-sided", "greater", "less")
    ]


def test_wilcoxons_own_example() -> None:
    result = signed_rank(MAIZE)
    assert (result.w_plus, result.w_minus, result.statistic) == (96.0, 24.0, 24.0)
    assert result.method == "exact"
    assert result.p_two_sided == pytest.approx(0.041259765625)


def test_six_gains_are_one_in_thirty_two() -> None:
    result = signed_rank([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert result.p_two_sided == pytest.approx(2 / 64)
    assert result.p_greater == pytest.approx(1 / 64)
    assert result.p_less == 1.0


def test_fewer_than_six_non_zero_pairs_give_no_p_value() -> None:
    result = signed_rank([0.1, 0.2, 0.3, 0.4, 0.5, 0.0, 0.0])
    assert (result.n, result.n_nonzero) == (7, 5)
    assert (result.w_plus, result.w_minus) == (15.0, 0.0)
    assert (result.p_two_sided, result.p_greater, result.p_less) == (None, None, None)
    assert result.method is None
    assert result.reason == "too few non-zero pairs: 5, at least 6 are needed"


def test_no_difference_leaves_no_rank_sums() -> None:
    result = signed_rank([0.0, 0.0])
    assert (result.w_plus, result.w_minus, result.statistic) == (None, None, None)
    assert result.reason == "too few non-zero pairs: 0, at least 6 are needed"


def test_zeros_change_nothing_but_the_count() -> None:
    with_zeros = signed_rank([*MAIZE, 0.0, 0.0])
    assert with_zeros.n == 17
    assert with_zeros.p_two_sided == signed_rank(MAIZE).p_two_sided


def test_float_noise_does_not_break_a_tie() -> None:
    # Six differences of one sixth, reached in three ways.
    a = [1 / 3, 5 / 6, 1 / 2, 1 / 3, 5 / 6, 1 / 2]
    b = [1 / 2, 1.0, 2 / 3, 1 / 2, 1.0, 2 / 3]
    noisy, plain = wilcoxon_signed_rank(a, b), signed_rank([1.0] * 6)
    assert noisy == plain


def test_few_tied_differences_are_enumerated() -> None:
    differences = [1.0, 1, 2, 2, 3, -1, -2]
    result = signed_rank(differences)
    assert result.method == "exact"
    ranks = stats.rankdata(np.abs(differences))
    sums = [
        sum(rank for rank, positive in zip(ranks, signs, strict=True) if positive)
        for signs in itertools.product([False, True], repeat=7)
    ]
    assert result.p_greater == sum(s >= result.w_plus for s in sums) / 128
    assert result.p_less == sum(s <= result.w_plus for s in sums) / 128


def test_many_tied_differences_use_the_tie_corrected_normal_approximation() -> None:
    differences = [1.0] * 9 + [-1.0] * 3 + [2.0] * 5 + [-2.0] * 3
    result = signed_rank(differences)
    # Ranks 6.5 (12 times) and 16.5 (8 times); sigma² = 20·21·41/24 - (12³-12 + 8³-8)/48.
    z = (9 * 6.5 + 5 * 16.5 - 105) / np.sqrt(717.5 - (1716 + 504) / 48)
    assert result.method == "normal"
    assert result.p_greater == pytest.approx(stats.norm.sf(z), rel=1e-12)


def test_fifty_untied_differences_are_exact_and_fifty_one_are_not() -> None:
    numbers = [float(x) * (-1) ** (x % 3) for x in range(1, 52)]
    assert signed_rank(numbers[:50]).method == "exact"
    assert signed_rank(numbers).method == "normal"


def test_thirteen_tied_differences_are_exact_and_fourteen_are_not() -> None:
    assert signed_rank([1.0, -2.0] + [1.0] * 11).method == "exact"
    assert signed_rank([1.0, -2.0] + [1.0] * 12).method == "normal"


@pytest.mark.parametrize("n", [6, 10, 14, 50, 51, 400])
@pytest.mark.parametrize("tied", [False, True])
def test_scipy_agrees_in_every_branch(n: int, *, tied: bool) -> None:
    generator = np.random.default_rng(n)
    drawn = generator.choice([-3.0, -2, -1, 1, 2, 3, 4], n) if tied else generator.normal(0.3, 1, n)
    result = signed_rank(drawn.tolist())
    expected = scipy_p_values(drawn.tolist())
    assert [result.p_two_sided, result.p_greater, result.p_less] == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(-9, 9).filter(bool), min_size=14, max_size=80))
def test_the_normal_approximation_is_scipys(numbers: list[int]) -> None:
    differences = [float(x) for x in numbers]
    result = signed_rank(differences)
    if result.method == "normal":
        expected = scipy_p_values(differences, "asymptotic")
        assert [result.p_two_sided, result.p_greater, result.p_less] == pytest.approx(expected)


def test_a_p_value_too_small_for_a_float_is_not_zero() -> None:
    result = signed_rank([float(x) for x in range(1, 3001)])
    assert result.p_greater is not None
    assert result.p_greater > 0.0


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


FEW = st.lists(st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 1.0]), min_size=1, max_size=6)


def count_choices(before: list[float], after: list[float]) -> float:
    """All ways to choose, one by one."""
    pooled = [*before, *after]
    ranks = [sorted(set(pooled)).index(value) for value in pooled]
    observed = sum(ranks[len(before) :])
    sums = [sum(chosen) for chosen in combinations(ranks, len(after))]
    return sum(each <= observed for each in sums) / len(sums)


@given(FEW, FEW)
def test_it_is_the_share_of_all_choices_that_are_as_low(
    before: list[float], after: list[float]
) -> None:
    assert rank_sum_p_less(before, after) == pytest.approx(count_choices(before, after))


def test_yes_and_no_are_counted_as_in_an_urn() -> None:
    # 27 of 30 right before, none of 12 now: 15 zeros among 42, all 12 chosen of them.
    urn = comb(15, 12) / comb(42, 12)
    assert rank_sum_p_less([1.0] * 27 + [0.0] * 3, [0.0] * 12) == pytest.approx(urn, rel=1e-6)
    assert rank_sum_p_less([1.0], [0.0]) == pytest.approx(1 / 2)
    assert rank_sum_p_less([1.0] * 5, [0.0] * 3) == pytest.approx(1 / 56)


def test_the_same_values_say_nothing() -> None:
    assert rank_sum_p_less([0.5] * 4, [0.5] * 9) == pytest.approx(1.0)


def test_noise_of_the_last_digits_is_a_tie() -> None:
    assert rank_sum_p_less([0.1 + 0.2], [0.3]) == 1.0


def test_many_values_do_not_overflow() -> None:
    assert 0.0 < rank_sum_p_less([1.0] * 400, [0.0] * 400) < 1e-200
    mixed = np.tile([0.0, 1.0], 150)
    assert rank_sum_p_less(mixed, mixed) == pytest.approx(0.5, abs=0.05)


def test_very_many_different_values_are_taken_in_groups() -> None:
    values = np.linspace(0.5, 1.0, 150)
    assert rank_sum_p_less(values, values) == pytest.approx(0.5, abs=0.05)
    assert rank_sum_p_less(values, values - 0.6) < 1e-20
    assert rank_sum_p_less(values, values + 0.6) == pytest.approx(1.0)


@pytest.mark.parametrize(("before", "after"), [([], [1.0]), ([1.0], []), ([nan], [1.0])])
def test_nothing_and_what_is_no_number_is_refused(before: list[float], after: list[float]) -> None:
    with pytest.raises(StatisticsError, match="at least one value"):
        rank_sum_p_less(before, after)
