"""McNemar's exact test: a published result, the table by hand, and SciPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from cranfield.errors import StatisticsError
from cranfield.statistics import mcnemar_exact


def test_the_published_rank_one_accuracy_of_fifty_two_to_ninety_two_percent() -> None:
    # 50 queries, 26 right before, 46 right after, none regressed: p = 2e-6.
    result = mcnemar_exact([True] * 26 + [False] * 24, [True] * 46 + [False] * 4)
    assert (result.both, result.only_a, result.only_b, result.neither) == (26, 0, 20, 4)
    assert result.p_two_sided == pytest.approx(2 * 0.5**20)
    assert f"{result.p_two_sided:.0e}" == "2e-06"
    assert result.p_less == 1.0


def test_every_corner_of_the_table_is_counted() -> None:
    a = [True, True, True, False, False, False, False]
    b = [True, True, False, True, True, True, False]
    result = mcnemar_exact(a, b)
    assert (result.both, result.only_a, result.only_b, result.neither) == (2, 1, 3, 1)
    assert result.p_greater == pytest.approx((1 + 4) / 16)
    assert result.p_less == pytest.approx(15 / 16)
    assert result.p_two_sided == pytest.approx(10 / 16)


def test_full_agreement_gives_no_p_value_and_says_why() -> None:
    result = mcnemar_exact([True, False], [True, False])
    assert (result.p_two_sided, result.p_greater, result.p_less) == (None, None, None)
    assert result.reason == "no discordant pairs: A and B agree on every query"


def test_ones_and_zeros_and_arrays_are_yes_and_no() -> None:
    as_numbers = mcnemar_exact(np.array([1, 0, 0]), np.array([1, 1, 0]))
    assert as_numbers == mcnemar_exact(np.array([True, False, False]), [True, True, False])


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_the_p_value_is_the_binomial_of_the_discordant_pairs(
    pairs: list[tuple[bool, bool]],
) -> None:
    result = mcnemar_exact([a for a, _ in pairs], [b for _, b in pairs])
    assert result.both + result.only_a + result.only_b + result.neither == len(pairs)
    discordant = result.only_a + result.only_b
    if discordant:
        expected = float(binomtest(result.only_b, discordant, 0.5).pvalue)
        assert result.p_two_sided == pytest.approx(expected)


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(StatisticsError, match="a has 1 values and b has 2"):
        mcnemar_exact([True], [True, False])


def test_no_pairs_are_refused() -> None:
    with pytest.raises(StatisticsError, match="a has no values"):
        mcnemar_exact([], [])


@pytest.mark.parametrize("bad", [[0.5], [2], [None], ["yes"], [[True]]])
def test_anything_but_yes_and_no_is_refused(bad: list[bool]) -> None:
    with pytest.raises(StatisticsError, match="a must be one list of True and False"):
        mcnemar_exact(bad, [True])
