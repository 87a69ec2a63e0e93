"""The sign test and McNemar's exact test: published results, hand counts, and SciPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from cranfield.errors import StatisticsError
from cranfield.statistics import mcnemar_exact, sign_test, sign_test_counts


def test_eight_wins_of_ten() -> None:
    result = sign_test_counts(8, 2)
    assert result.p_greater == pytest.approx((1 + 10 + 45) / 1024)
    assert result.p_two_sided == pytest.approx(2 * 56 / 1024)
    assert result.p_less == pytest.approx(1013 / 1024)


def test_pairs_are_counted_as_wins_ties_and_losses_of_b() -> None:
    result = sign_test([0.1, 0.2, 0.3, 0.5], [0.2, 0.1, 0.1 + 0.2, 0.9])
    assert (result.wins, result.ties, result.losses) == (2, 1, 1)


def test_as_many_wins_as_losses_are_no_evidence() -> None:
    assert sign_test_counts(5, 5).p_two_sided == 1.0


def test_ties_change_no_p_value() -> None:
    assert sign_test_counts(8, 2, ties=30).p_two_sided == sign_test_counts(8, 2).p_two_sided


def test_all_tied_gives_no_p_value_and_says_why() -> None:
    result = sign_test([1.0, 2.0], [1.0, 2.0])
    assert (result.wins, result.ties, result.losses) == (0, 2, 0)
    assert (result.p_two_sided, result.p_greater, result.p_less) == (None, None, None)
    assert result.reason == "no pair differs: there is no win or loss to count"


def test_a_p_value_too_small_for_a_float_is_not_zero() -> None:
    p = sign_test_counts(5_000, 0).p_greater
    assert p is not None
    assert 0.0 < p < 1e-300


@settings(deadline=None)
@given(st.integers(0, 3_000), st.integers(0, 3_000))
def test_scipy_agrees(wins: int, losses: int) -> None:
    result = sign_test_counts(wins, losses)
    if wins + losses == 0:
        assert result.p_two_sided is None
        return
    expected = [
        float(binomtest(wins, wins + losses, 0.5, alternative).pvalue)
        for alternative in ("two-sided", "greater", "less")
    ]
    found = [result.p_two_sided, result.p_greater, result.p_less]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("wins", "losses", "ties"), [(-1, 2, 0), (1, -2, 0), (1, 2, -1)])
def test_negative_counts_are_refused(wins: int, losses: int, ties: int) -> None:
    with pytest.raises(StatisticsError, match="give 0 or more"):
        sign_test_counts(wins, losses, ties=ties)


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
