"""Equivalence: SciPy's one-sided tests, and pairs without spread."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.errors import StatisticsError
from cranfield.statistics import equivalence, mean_interval

DIFFERENCES = [0.02, -0.01, 0.00, 0.01, -0.02, 0.03, 0.00, -0.01]
ZEROS = [0.0] * 8


def test_the_p_values_are_those_of_two_one_sided_t_tests() -> None:
    result = equivalence(ZEROS, DIFFERENCES, margin=0.015)
    lower = stats.ttest_1samp(DIFFERENCES, -0.015, alternative="greater").pvalue
    upper = stats.ttest_1samp(DIFFERENCES, 0.015, alternative="less").pvalue
    assert result.p_above_lower == pytest.approx(lower)
    assert result.p_below_upper == pytest.approx(upper)
    assert result.p_value == pytest.approx(max(lower, upper))


def test_the_interval_has_confidence_one_minus_two_alpha() -> None:
    result = equivalence(ZEROS, DIFFERENCES, margin=0.015, alpha=0.05)
    expected = stats.ttest_1samp(DIFFERENCES, 0.0).confidence_interval(0.9)
    assert (result.low, result.high) == pytest.approx((expected.low, expected.high))


def test_a_wide_margin_shows_equivalence_and_a_narrow_one_does_not() -> None:
    assert equivalence(ZEROS, DIFFERENCES, margin=0.05).equivalent
    assert not equivalence(ZEROS, DIFFERENCES, margin=0.005).equivalent


@settings(deadline=None)
@given(
    st.lists(st.integers(-50, 50), min_size=3, max_size=20).filter(lambda x: len(set(x)) > 1),
    st.floats(0.001, 1.0),
    st.floats(0.001, 0.4),
)
def test_equivalent_means_that_the_interval_lies_within_the_margin(
    hundredths: list[int], margin: float, alpha: float
) -> None:
    differences = [x / 100 for x in hundredths]
    result = equivalence([0.0] * len(differences), differences, margin=margin, alpha=alpha)
    assert result.low is not None
    assert result.high is not None
    outside = max(-margin - result.low, result.high - margin)
    if abs(outside) > 1e-9:
        assert result.equivalent == (outside < 0)


def test_a_large_gain_is_not_equivalent() -> None:
    gains = [x + 1.0 for x in DIFFERENCES]
    assert not equivalence(ZEROS, gains, margin=0.05).equivalent


@pytest.mark.parametrize("shift", [0.0, 0.02, -0.05])
def test_pairs_without_spread_show_nothing(shift: float) -> None:
    a = np.array([0.1, 0.4, 0.7])
    same = equivalence(a, a + shift, margin=0.05)
    assert not same.equivalent
    assert (same.p_value, same.p_above_lower, same.p_below_upper) == (None,) * 3
    assert same.reason == "all differences are equal: they have no spread"


def test_with_a_span_equivalent_means_that_the_guarded_interval_lies_within_the_margin() -> None:
    chance = np.random.default_rng(2)
    for _ in range(20):
        differences = chance.choice([0.0, 0.1, -0.1, 1.0], 200, p=[0.9, 0.05, 0.04, 0.01])
        zeros = np.zeros(200)
        result = equivalence(zeros, differences, margin=0.04, span=1.0)
        interval = mean_interval(zeros, differences, confidence=0.9)
        assert (result.low, result.high) == pytest.approx((interval.low, interval.high), abs=1e-6)
        assert result.equivalent == (interval.low > -0.04 and interval.high < 0.04)


@pytest.mark.parametrize(("n", "equivalent"), [(6, False), (20, False), (165, False), (166, True)])
def test_with_a_span_identical_pairs_have_to_be_many(n: int, *, equivalent: bool) -> None:
    same = np.linspace(0, 1, n)
    assert equivalence(same, same, margin=0.02, span=1.0).equivalent is equivalent


def test_one_pair_shows_nothing() -> None:
    same = equivalence([0.5], [0.5], margin=0.05)
    assert not same.equivalent
    assert (same.low, same.high) == (None, None)
    assert same.reason == "only one pair: at least 2 are needed"


@pytest.mark.parametrize("margin", [0.0, -0.1, float("nan"), float("inf")])
def test_a_margin_that_is_not_positive_is_refused(margin: float) -> None:
    with pytest.raises(StatisticsError, match=r"margin is .*: give a finite number above 0"):
        equivalence(ZEROS, DIFFERENCES, margin=margin)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_an_alpha_without_interval_is_refused(alpha: float) -> None:
    with pytest.raises(StatisticsError, match="alpha is"):
        equivalence(ZEROS, DIFFERENCES, margin=0.1, alpha=alpha)
