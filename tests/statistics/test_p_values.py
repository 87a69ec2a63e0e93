"""P-values stay above 0 and at most 1."""

import sys

from cranfield.statistics.p_values import as_p_value, tails


def test_a_probability_too_small_for_a_float_is_not_zero() -> None:
    assert as_p_value(0.0) == sys.float_info.min


def test_a_probability_rounded_above_one_is_one() -> None:
    assert as_p_value(1.0 + 1e-15) == 1.0


def test_two_sided_is_twice_the_smaller_tail() -> None:
    assert tails(greater=0.02, less=0.99) == (0.04, 0.02, 0.99)


def test_two_sided_is_at_most_one() -> None:
    assert tails(greater=0.6, less=0.7).two_sided == 1.0
