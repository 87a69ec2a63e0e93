"""Bounds of p-values over all outcomes of pairs that are not known yet."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import StatisticsError
from cranfield.statistics import OneSidedTest, UncertainPairs, mean_interval

values = st.integers(-20, 20).map(lambda number: number / 20)
widths = st.sampled_from([0.0, 0.0, 0.0, 0.05, 0.3, 1.0])


@st.composite
def boxes(draw: st.DrawFn) -> tuple[UncertainPairs, np.random.Generator]:
    """Ranges of differences within ±1, many of them of a single value."""
    pairs = draw(st.lists(st.tuples(values, widths), min_size=2, max_size=40))
    lowest = np.array([low for low, _ in pairs])
    highest = np.minimum(lowest + np.array([width for _, width in pairs]), 1.0)
    return UncertainPairs(lowest, highest), np.random.default_rng(draw(st.integers(0, 99)))


@given(boxes(), st.sampled_from([0.0, -0.02, 0.02, -0.2]))
@settings(max_examples=150)
def test_no_outcome_has_a_p_value_beyond_the_bounds(
    drawn: tuple[UncertainPairs, np.random.Generator], bound: float
) -> None:
    pairs, generator = drawn
    least, most = pairs.p_values(bound)
    width = pairs.highest - pairs.lowest
    corners = generator.integers(0, 2, (8, pairs.n))
    inside = generator.random((8, pairs.n))
    for share in (np.zeros(pairs.n), np.ones(pairs.n), *corners, *inside):
        outcome = pairs.lowest + share * width
        p = OneSidedTest.of(outcome, 1.0).p_value(bound)
        assert least - 1e-9 <= p <= most + 1e-9


@given(st.lists(values, min_size=2, max_size=30))
def test_pairs_that_are_known_have_their_own_p_value(known: list[float]) -> None:
    differences = np.array(known)
    interval = mean_interval(np.zeros(differences.size), differences)
    least, most = UncertainPairs(differences, differences).two_sided()
    assert least == most == pytest.approx(interval.p_two_sided, abs=1e-12)


def test_what_is_unknown_leaves_everything_open() -> None:
    least, most = UncertainPairs(np.full(30, -1.0), np.ones(30)).two_sided()
    assert least < 1e-6
    assert most == 1.0


def test_one_unknown_query_among_many_clear_ones_changes_little() -> None:
    lowest, highest = np.full(60, 0.2), np.full(60, 0.2)
    lowest[::2], highest[::2] = 0.3, 0.3
    lowest[0], highest[0] = -1.0, 1.0
    assert UncertainPairs(lowest, highest).two_sided()[1] < 0.05


@given(boxes())
@settings(max_examples=30)
def test_the_sign_flip_test_of_no_outcome_has_a_larger_p(
    drawn: tuple[UncertainPairs, np.random.Generator],
) -> None:
    from cranfield.statistics import sign_flip_randomisation

    pairs, generator = drawn
    largest = pairs.sign_flip(seed=1)
    outcome = pairs.lowest + generator.random(pairs.n) * (pairs.highest - pairs.lowest)
    p = sign_flip_randomisation(np.zeros(pairs.n), outcome, seed=1).p_two_sided
    assert p is None or p <= largest + 1e-12


def test_ranges_that_are_no_ranges_are_refused() -> None:
    with pytest.raises(StatisticsError, match="above the highest"):
        UncertainPairs(np.array([0.5]), np.array([0.1]))
    with pytest.raises(StatisticsError, match="at least"):
        UncertainPairs(np.array([]), np.array([]))


def test_a_loss_at_the_bound_is_no_loss_however_it_is_rounded() -> None:
    pairs = UncertainPairs(np.array([0.0, -0.2, 0.65]), np.array([0.05, -0.2, 0.65]))
    most = pairs.p_values(-0.2)[1]
    for share in np.linspace(0.0, 1.0, 21):
        outcome = pairs.lowest + share * (pairs.highest - pairs.lowest)
        assert OneSidedTest.of(outcome, 1.0).p_value(-0.2) <= most + 1e-9
