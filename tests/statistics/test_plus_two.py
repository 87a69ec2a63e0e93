"""The interval with two imagined pairs: SciPy's interval of the longer list, and its coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.errors import StatisticsError
from cranfield.statistics import plus_two_interval, sign_flip_randomisation

VALUES = st.floats(0, 1, allow_nan=False)


@settings(deadline=None)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=40), st.floats(0.5, 0.99))
def test_it_is_students_interval_of_two_pairs_more(
    pairs: list[tuple[float, float]], confidence: float
) -> None:
    a, b = (np.array(side) for side in zip(*pairs, strict=True))
    result = plus_two_interval(a, b, confidence=confidence)
    test = stats.ttest_1samp([*(b - a), 1.2, -1.2], 0.0)
    expected = test.confidence_interval(1 - 0.9 * (1 - confidence))
    assert result.low == pytest.approx(max(expected.low, -1.0), abs=1e-12)
    assert result.high == pytest.approx(min(expected.high, 1.0), abs=1e-12)
    assert result.p_two_sided == pytest.approx(min(1.0, test.pvalue / 0.9), abs=1e-12)
    assert result.mean == pytest.approx(np.mean(b - a), abs=1e-15)
    assert result.low < result.high


def test_three_equal_differences_have_a_wide_interval() -> None:
    result = plus_two_interval([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    assert result.low < -0.5
    assert result.high > 0.5


@pytest.mark.parametrize("n", [20, 50, 100, 1000])
def test_without_a_change_the_interval_is_about_the_rule_of_three(n: int) -> None:
    same = np.linspace(0, 1, n)
    result = plus_two_interval(same, same)
    assert result.high == -result.low
    assert 2.9 / n < result.high < 3.6 / n


def test_values_beyond_1_widen_the_span() -> None:
    result = plus_two_interval([3.0, 1.0, 2.0], [2.0, 4.0, 2.5])
    assert result.span == 4.0
    assert plus_two_interval([0.3], [0.4]).span == 1.0


def test_swapping_the_arms_mirrors_the_interval() -> None:
    a, b = [0.1, 0.5, 0.9, 0.3], [0.4, 0.5, 0.7, 0.8]
    there, back = plus_two_interval(a, b), plus_two_interval(b, a)
    assert (there.low, there.high) == (-back.high, -back.low)


def test_a_span_or_confidence_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(StatisticsError, match="span is 0"):
        plus_two_interval([0.1], [0.2], span=0.0)
    with pytest.raises(StatisticsError, match="confidence is 1"):
        plus_two_interval([0.1], [0.2], confidence=1.0)


@pytest.mark.parametrize("identical", [0.0, 0.7, 0.9])
@pytest.mark.parametrize("n", [20, 50, 200])
def test_it_covers_the_mean_of_sparse_differences(identical: float, n: int) -> None:
    chance = np.random.default_rng(7)
    covered = 0
    for _ in range(400):
        right = (chance.random((2, n)) < [[0.75], [0.55]]).astype(float)
        same = chance.random(n) < identical
        b = np.where(same, right[1], right[0])
        result = plus_two_interval(right[1], b)
        covered += result.low <= 0.2 * (1 - identical) <= result.high
    assert covered >= 400 * 0.94 - 2 * np.sqrt(400 * 0.06)


def test_a_sample_without_a_loss_knows_of_losses() -> None:
    """30 gains for every 4 queries lost from rank 1: 8 % of samples of 20 have no loss."""
    gains = [4 / 30] * 20
    test = sign_flip_randomisation([0.0] * 20, gains, seed=1)
    assert test.p_two_sided is not None
    assert test.p_two_sided < 1e-4
    assert plus_two_interval([0.0] * 20, gains).low < 0
