"""The interval of the mean: Student's, the exact binomial one, and what lies between them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.errors import StatisticsError
from cranfield.statistics import TIE_TOLERANCE, mean_interval, sign_flip_randomisation
from cranfield.statistics.mean_interval import OneSidedTest
from cranfield.statistics.pairs import pair_differences

VALUES = st.floats(0, 1, allow_nan=False)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=40))
def test_it_is_never_narrower_than_students(pairs: list[tuple[float, float]]) -> None:
    a, b = (np.array(side) for side in zip(*pairs, strict=True))
    result = mean_interval(a, b)
    assert result.mean == pytest.approx(np.mean(b - a), abs=TIE_TOLERANCE)
    assert -1.0 <= result.low <= result.mean <= result.high <= 1.0
    if np.ptp(b - a) > 1e-4:
        student = stats.ttest_1samp(b - a, 0.0).confidence_interval(0.95)
        assert result.low <= max(student.low, -1.0) + 1e-9
        assert result.high >= min(student.high, 1.0) - 1e-9


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=30))
def test_p_is_small_exactly_if_the_interval_leaves_out_nought(
    pairs: list[tuple[float, float]],
) -> None:
    a, b = (np.array(side) for side in zip(*pairs, strict=True))
    result = mean_interval(a, b)
    if abs(result.p_two_sided - 0.05) > 1e-4:
        assert (result.p_two_sided < 0.05) == (result.low > 0 or result.high < 0)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.01, 0.2, 1.0]) | VALUES, min_size=1, max_size=30),
    st.sampled_from([0.001, 0.025, 0.05, 0.2]),
)
def test_its_ends_are_where_p_reaches_alpha(differences: list[float], alpha: float) -> None:
    test = OneSidedTest.of(np.array(differences), 1.0)
    bound = test.bound(alpha)
    if bound > -1.0 + 1e-9:
        assert test.p_value(bound - 1e-9) < alpha
    # Losses count as soon as they lie below the bound, but for the tolerance of ties.
    assert test.p_value(bound + 2 * TIE_TOLERANCE + 1e-9) >= alpha * (1 - 1e-6)


def test_many_ordinary_differences_have_nearly_students_interval() -> None:
    differences = np.random.default_rng(3).normal(0.02, 0.2, 5_000)
    result = mean_interval(np.zeros(5_000), differences)
    student = stats.ttest_1samp(differences, 0.0).confidence_interval(0.965)
    assert result.low == pytest.approx(student.low, abs=0.0005)
    assert result.high == pytest.approx(student.high, abs=0.0005)


@pytest.mark.parametrize(("n", "losses"), [(20, 0), (50, 2), (100, 5)])
def test_two_valued_differences_have_the_exact_binomial_bound(n: int, losses: int) -> None:
    """Gains are all alike, and losses complete: only the number of losses is left to chance."""
    gain = 0.2
    differences = np.array([-1.0] * losses + [gain] * (n - losses))
    result = mean_interval(np.zeros(n), differences)
    most = stats.beta.ppf(1 - 0.0175, losses + 1, n - losses)
    assert result.low == pytest.approx((1 - most) * gain - most, abs=0.002)


def test_three_equal_differences_have_a_wide_interval() -> None:
    result = mean_interval([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    assert result.low < -0.5
    assert result.high > 0.5


@pytest.mark.parametrize("n", [20, 50, 100, 1000])
def test_without_a_change_the_interval_is_about_the_rule_of_three(n: int) -> None:
    same = np.linspace(0, 1, n)
    result = mean_interval(same, same)
    assert result.high == pytest.approx(-result.low)
    assert result.high == pytest.approx(1 - 0.0175 ** (1 / n), abs=1e-6)


def test_values_beyond_1_widen_the_span() -> None:
    result = mean_interval([3.0, 1.0, 2.0], [2.0, 4.0, 2.5])
    assert result.span == 4.0
    assert mean_interval([0.3], [0.4]).span == 1.0


def test_swapping_the_arms_mirrors_the_interval() -> None:
    a, b = [0.1, 0.5, 0.9, 0.3], [0.4, 0.5, 0.7, 0.8]
    there, back = mean_interval(a, b), mean_interval(b, a)
    assert (there.low, there.high) == (-back.high, -back.low)
    assert there.p_two_sided == back.p_two_sided


def test_the_order_of_pairs_is_no_matter() -> None:
    chance = np.random.default_rng(5)
    a, b = chance.random(30), chance.random(30)
    order = chance.permutation(30)
    one, other = mean_interval(a, b), mean_interval(a[order], b[order])
    assert one.low == pytest.approx(other.low)
    assert one.p_two_sided == pytest.approx(other.p_two_sided)


def test_a_span_or_confidence_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(StatisticsError, match="span is 0"):
        mean_interval([0.1], [0.2], span=0.0)
    with pytest.raises(StatisticsError, match="confidence is 1"):
        mean_interval([0.1], [0.2], confidence=1.0)


@pytest.mark.parametrize("identical", [0.0, 0.7, 0.9])
@pytest.mark.parametrize("n", [20, 50, 200])
def test_it_covers_the_mean_of_sparse_differences(identical: float, n: int) -> None:
    chance = np.random.default_rng(7)
    covered = 0
    for _ in range(300):
        right = (chance.random((2, n)) < [[0.75], [0.55]]).astype(float)
        same = chance.random(n) < identical
        pairs = pair_differences(right[1], np.where(same, right[1], right[0]))
        mean = 0.2 * (1 - identical)
        above, below = (OneSidedTest.of(side * pairs.values, 1.0) for side in (1.0, -1.0))
        covered += min(above.p_value(mean), below.p_value(-mean)) >= 0.025
    assert covered >= 300 * 0.94 - 3 * np.sqrt(300 * 0.06)


def test_a_sample_without_a_loss_knows_of_losses() -> None:
    """30 gains for every 4 queries lost from rank 1: 8 % of samples of 20 have no loss."""
    gains = [4 / 30] * 20
    test = sign_flip_randomisation([0.0] * 20, gains, seed=1)
    assert test.p_two_sided is not None
    assert test.p_two_sided < 1e-4
    assert mean_interval([0.0] * 20, gains).low < 0
