"""Corrections for many tests: worked examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import StatisticsError
from cranfield.statistics import holm

# The fifteen p-values of Benjamini and Hochberg (1995), section 4.
INFARCTION = [
    *[0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344],
    *[0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000],
]
P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20)


def below(level: float, adjusted: list[float | None]) -> int:
    return sum(p is not None and p <= level for p in adjusted)


def test_holm_by_hand() -> None:
    # Sorted: 4 · 0.005, 3 · 0.01, 2 · 0.03, and 1 · 0.04 raised to the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_the_published_example_rejects_three() -> None:
    assert below(0.05, holm(INFARCTION)) == 3


def test_a_test_without_p_value_stays_without_and_is_not_counted() -> None:
    with_gaps = holm([None, 0.01, None, 0.04])
    first, second = holm([0.01, 0.04])
    assert with_gaps == [None, first, None, second]


def test_no_tests_need_no_correction() -> None:
    assert holm([]) == []
    assert holm([None]) == [None]


@given(P_VALUES)
def test_holm_lies_between_the_p_values_and_bonferroni(p_values: list[float]) -> None:
    for p, adjusted in zip(p_values, holm(p_values), strict=True):
        assert adjusted is not None
        assert p <= adjusted <= min(1.0, len(p_values) * p)


@given(P_VALUES)
def test_adjusting_keeps_the_order(p_values: list[float]) -> None:
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [holm(p_values)[place] or 0.0 for place in order]
    assert adjusted == sorted(adjusted)


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused_with_its_place(bad: float) -> None:
    with pytest.raises(StatisticsError, match=r"p_values\[1\] is .*: give p-values from 0 to 1"):
        holm([0.5, bad])
