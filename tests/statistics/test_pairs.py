"""Paired differences without float noise, and pairs won, tied and lost."""

import numpy as np
import pytest

from cranfield.errors import StatisticsError
from cranfield.statistics import PairOutcomes, count_outcomes
from cranfield.statistics.pairs import pair_differences, pair_without_noise


def test_the_difference_is_b_minus_a() -> None:
    assert pair_differences([1.0, 5.0], [4.0, 3.0]).values.tolist() == [3.0, -2.0]


def test_float_noise_is_no_difference() -> None:
    differences = pair_differences([0.3, 0.5], [0.1 + 0.2, 0.75])
    assert differences.values[0] != 0.0
    assert differences.comparable.tolist() == [0.0, 0.25]


def test_a_difference_of_a_trillionth_is_a_tie_and_a_larger_one_is_not() -> None:
    differences = pair_differences([0.0, 0.0, 0.0], [1e-12, -1e-12, 3e-12])
    assert differences.comparable.tolist() == [0.0, 0.0, 3e-12]


def test_equal_differences_computed_in_different_ways_compare_equal() -> None:
    differences = pair_differences([1 / 3, 5 / 6], [0.5, 1.0])
    assert differences.values[0] != differences.values[1]
    assert differences.all_equal


def test_noise_grows_with_the_size_of_the_values() -> None:
    differences = pair_differences([1e6, 1e6], [1e6 + 1e-10, 1e6 + 1e-3])
    assert differences.comparable[0] == 0.0
    assert differences.comparable[1] == pytest.approx(1e-3, rel=1e-3)


def test_values_are_cleaned_of_noise_on_both_sides() -> None:
    a, b = pair_without_noise([0.1 + 0.2], [0.3])
    assert a[0] == b[0]


def test_arguments_are_left_as_they_were() -> None:
    a, b = np.array([0.1, 0.2]), np.array([0.1 + 1e-15, 0.5])
    before = a.tobytes(), b.tobytes()
    pair_differences(a, b)
    assert (a.tobytes(), b.tobytes()) == before


def test_unequal_lengths_are_refused_with_both_lengths() -> None:
    with pytest.raises(StatisticsError, match="a has 1 values and b has 2: pair them by query"):
        pair_differences([1.0], [1.0, 2.0])


def test_no_pairs_are_refused() -> None:
    with pytest.raises(StatisticsError, match="a has no values: give at least one pair"):
        pair_differences([], [])


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf"), 1e101])
def test_a_value_that_is_not_finite_or_too_large_is_refused_with_its_place(bad: float) -> None:
    with pytest.raises(StatisticsError, match=r"b\[1\] is .*must be finite"):
        pair_differences([0.0, 0.0], [0.0, bad])


def test_a_missing_value_is_refused_with_its_place() -> None:
    with pytest.raises(StatisticsError, match=r"a\[0\] is nan"):
        pair_differences([None, 1.0], [0.0, 0.0])  # type: ignore[list-item]


def test_something_that_is_no_number_is_refused() -> None:
    with pytest.raises(StatisticsError, match="a holds something that is not a number"):
        pair_differences(["high"], [0.0])  # type: ignore[list-item]


def test_a_table_is_refused() -> None:
    with pytest.raises(StatisticsError, match="a has 2 dimensions"):
        pair_differences(np.zeros((2, 2)), np.zeros((2, 2)))


def test_b_above_a_is_a_win() -> None:
    assert count_outcomes([1.0, 1.0, 1.0, 1.0], [2.0, 3.0, 1.0, 0.0]) == PairOutcomes(2, 1, 1)


def test_float_noise_is_a_tie() -> None:
    assert count_outcomes([0.3, 0.3], [0.1 + 0.2, 0.3 + 1e-12]) == PairOutcomes(0, 2, 0)


def test_a_tolerance_of_zero_still_ignores_float_noise() -> None:
    assert count_outcomes([0.3], [0.1 + 0.2], tolerance=0.0) == PairOutcomes(0, 1, 0)


def test_a_difference_as_large_as_the_tolerance_is_a_tie() -> None:
    # 0.3 - 0.2 is a little below and 0.4 - 0.3 a little above one tenth in floats.
    assert count_outcomes([0.2, 0.3, 0.2], [0.3, 0.4, 0.31], tolerance=0.1) == PairOutcomes(1, 2, 0)


@pytest.mark.parametrize("tolerance", [-0.1, float("nan"), float("inf")])
def test_a_tolerance_that_is_no_size_is_refused(tolerance: float) -> None:
    with pytest.raises(StatisticsError, match="tolerance is"):
        count_outcomes([0.0], [1.0], tolerance=tolerance)


def test_differences_that_cancel_out_have_a_mean_of_exactly_nought() -> None:
    differences = pair_differences([0.3, 0.1, 0.2], [0.1 + 0.2, 0.2, 0.1])
    assert differences.mean == 0.0
    assert str(differences.mean) == "0.0"
