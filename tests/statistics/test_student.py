"""The paired t-test: Student's own data and SciPy."""

import numpy as np
import pytest
from scipy import stats

from cranfield.errors import StatisticsError
from cranfield.statistics import paired_t

# Additional hours of sleep under two drugs (Student, 1908).
FIRST_DRUG = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND_DRUG = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_students_own_example() -> None:
    result = paired_t(FIRST_DRUG, SECOND_DRUG)
    assert result.mean == pytest.approx(1.58)
    assert result.t == pytest.approx(4.0621, abs=5e-5)
    assert result.df == 9
    assert result.p_two_sided == pytest.approx(0.002833, abs=5e-7)
    assert (result.low, result.high) == pytest.approx((0.7001, 2.4599), abs=5e-5)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_scipy_agrees(confidence: float) -> None:
    generator = np.random.default_rng(7)
    a = generator.random(80)
    b = a + generator.normal(0.02, 0.1, 80)
    result = paired_t(a, b, confidence=confidence)
    reference = stats.ttest_rel(b, a)
    interval = reference.confidence_interval(confidence)
    assert result.t == pytest.approx(reference.statistic)
    assert result.p_two_sided == pytest.approx(reference.pvalue)
    assert result.p_greater == pytest.approx(stats.ttest_rel(b, a, alternative="greater").pvalue)
    assert result.p_less == pytest.approx(stats.ttest_rel(b, a, alternative="less").pvalue)
    assert (result.low, result.high) == pytest.approx((interval.low, interval.high))


def test_equal_differences_have_an_interval_of_no_width_and_no_p_value() -> None:
    result = paired_t([1 / 3, 5 / 6], [0.5, 1.0])
    assert result.sd == 0.0
    assert (result.t, result.p_two_sided, result.p_greater, result.p_less) == (None,) * 4
    assert (result.low, result.high) == (result.mean, result.mean)
    assert result.reason == "all differences are equal: they have no spread"


def test_one_pair_has_a_mean_and_nothing_else() -> None:
    result = paired_t([0.1], [0.4])
    assert result.mean == pytest.approx(0.3)
    assert (result.sd, result.t, result.low, result.high, result.p_two_sided) == (None,) * 5
    assert result.reason == "only one pair: at least 2 are needed"


def test_overwhelming_evidence_is_not_a_p_value_of_zero() -> None:
    result = paired_t([0.0] * 2000, [1.0, 1.0001] * 1000)
    assert result.p_two_sided is not None
    assert result.p_two_sided > 0.0


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, float("nan")])
def test_a_confidence_that_is_no_fraction_is_refused(confidence: float) -> None:
    with pytest.raises(StatisticsError, match=r"confidence is .*: give a fraction"):
        paired_t([0.0, 1.0], [1.0, 1.0], confidence=confidence)
