"""The exact rank-sum test, held to counting all choices and to hand-computed values."""

from __future__ import annotations

from itertools import combinations
from math import comb, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import StatisticsError
from cranfield.statistics import rank_sum_p_less

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
