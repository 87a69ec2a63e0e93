"""P-values within bounds, and distribution functions against SciPy and exact arithmetic."""

import math
import sys
from fractions import Fraction

import pytest
from scipy import stats

from cranfield.statistics.distributions import (
    as_p_value,
    fair_binomial_cdf,
    make_tails,
    noncentral_student_sf,
)


@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 1), (3, 10), (10, 10), (0, 900), (900, 2000), (1200, 2000)]
)
def test_coin_tosses_keep_their_precision(successes: int, trials: int) -> None:
    exact = Fraction(sum(math.comb(trials, k) for k in range(successes + 1)), 2**trials)
    assert fair_binomial_cdf(successes, trials) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("df", [1, 2, 5, 33, 198, 6979, 10**6])
@pytest.mark.parametrize("shift", [-1.0, 0.0, 0.5, 1.0, 2.8, 5.0])
@pytest.mark.parametrize("t", [1.3, 1.96, 2.57, 12.7])
def test_the_noncentral_t_is_scipys_where_scipy_has_it(t: float, df: int, shift: float) -> None:
    expected = float(stats.nct.sf(t, df, shift))
    assert noncentral_student_sf(t, df, shift) == pytest.approx(expected, rel=1e-8, abs=1e-13)


@pytest.mark.parametrize(("t", "df", "shift"), [(2.57, 5, 37.0), (1.96, 10**6, 1e6)])
def test_a_shift_beyond_doubt_has_probability_one(t: float, df: int, shift: float) -> None:
    assert noncentral_student_sf(t, df, shift) == pytest.approx(1.0)


def test_a_shift_the_other_way_has_probability_zero() -> None:
    assert noncentral_student_sf(2.57, 5, -37.0) == pytest.approx(0.0, abs=1e-15)


def test_a_probability_too_small_for_a_float_is_not_zero() -> None:
    assert as_p_value(0.0) == sys.float_info.min


def test_a_probability_rounded_above_one_is_one() -> None:
    assert as_p_value(1.0 + 1e-15) == 1.0


def test_two_sided_is_twice_the_smaller_tail() -> None:
    assert make_tails(greater=0.02, less=0.99) == (0.04, 0.02, 0.99)


def test_two_sided_is_at_most_one() -> None:
    assert make_tails(greater=0.6, less=0.7).p_two_sided == 1.0
