"""The sign test: coin tosses by hand and by SciPy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from cranfield.errors import StatisticsError
from cranfield.statistics import sign_test, sign_test_counts


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
