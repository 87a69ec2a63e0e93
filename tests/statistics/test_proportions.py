"""Intervals of proportions, against SciPy and the examples of their author."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from cranfield.errors import StatisticsError
from cranfield.statistics import proportion_difference, proportion_interval


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_is_the_score_interval_of_scipy(counts: tuple[int, int]) -> None:
    right, count = counts
    found = proportion_interval(right / count, count)
    expected = binomtest(right, count).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize(
    ("b", "a", "low", "high"),
    [
        # Newcombe (1998), table II, method 10.
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 10), 0.6075, 1.0000),
    ],
)
def test_differences_are_those_of_newcombe(
    b: tuple[int, int], a: tuple[int, int], low: float, high: float
) -> None:
    found = proportion_difference(
        proportion_interval(a[0] / a[1], a[1]), proportion_interval(b[0] / b[1], b[1])
    )
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("share", "count"), [(0.5, 0), (1.5, 3), (-0.1, 3)])
def test_no_trial_and_no_share_have_no_interval(share: float, count: int) -> None:
    with pytest.raises(StatisticsError, match="has no interval"):
        proportion_interval(share, count)
