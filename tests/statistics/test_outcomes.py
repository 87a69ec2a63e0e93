"""Wins, ties and losses of B."""

import pytest

from cranfield.errors import StatisticsError
from cranfield.statistics import Outcomes, count_outcomes


def test_b_above_a_is_a_win() -> None:
    assert count_outcomes([1.0, 1.0, 1.0, 1.0], [2.0, 3.0, 1.0, 0.0]) == Outcomes(2, 1, 1)


def test_float_noise_is_a_tie() -> None:
    assert count_outcomes([0.3, 0.3], [0.1 + 0.2, 0.3 + 1e-12]) == Outcomes(0, 2, 0)


def test_a_tolerance_of_zero_still_ignores_float_noise() -> None:
    assert count_outcomes([0.3], [0.1 + 0.2], tolerance=0.0) == Outcomes(0, 1, 0)


def test_a_difference_as_large_as_the_tolerance_is_a_tie() -> None:
    # 0.3 - 0.2 is a little below and 0.4 - 0.3 a little above one tenth in floats.
    assert count_outcomes([0.2, 0.3, 0.2], [0.3, 0.4, 0.31], tolerance=0.1) == Outcomes(1, 2, 0)


@pytest.mark.parametrize("tolerance", [-0.1, float("nan"), float("inf")])
def test_a_tolerance_that_is_no_size_is_refused(tolerance: float) -> None:
    with pytest.raises(StatisticsError, match="tolerance is"):
        count_outcomes([0.0], [1.0], tolerance=tolerance)
