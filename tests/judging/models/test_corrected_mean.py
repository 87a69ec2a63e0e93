"""Means that a model helps with: against ppi-python, and valid however biased the model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import StatisticsError
from cranfield.judging.models.corrected_mean import (
    ModelSamples,
    corrected_difference,
    corrected_mean,
)
from cranfield.statistics import mean_interval

PEOPLE = [1, 0, 1, 1, 0, 0, 1, 0.5, 0, 1]
MODEL = [1, 0, 0.5, 1, 0, 1, 1, 0.5, 0, 0.5]
ELSEWHERE = [1, 1, 0, 0.5, 1, 0, 0, 1, 1, 0.5, 0.5, 1, 0, 1, 1, 0, 0.5, 1, 1, 0]
DIFFERENCES = [0.2, -0.1, 0, 0.5, 0, 0, 0.3, -0.2, 0, 0.1]
GUESSED = [0.3, -0.1, 0.1, 0.4, 0, 0.2, 0.3, 0, 0, 0.1]
GUESSED_ELSEWHERE = [0.1, 0.2, -0.3, 0.4, 0, 0, 0.2, 0.1, 0.3, -0.1, 0.2, 0.5, 0, 0, 0.1]
Z = 1.959963984540054


@pytest.mark.parametrize(
    ("weight", "mean", "low"),
    [(None, 0.57136842, 0.31834933), (1.0, 0.6, 0.29321711), (0.0, 0.55, 0.25764327)],
)
def test_mean_weight_and_standard_error_are_those_of_ppi_python(
    weight: float | None, mean: float, low: float
) -> None:
    """`ppi_mean_pointestimate` and `ppi_mean_ci(alpha=0.05)` of ppi-python 0.2.3."""
    found = corrected_mean(PEOPLE, MODEL, ELSEWHERE, weight=weight)
    assert found.mean == pytest.approx(mean, abs=1e-8)
    assert found.mean - Z * found.standard_error == pytest.approx(low, abs=1e-8)


@pytest.mark.parametrize(
    ("weight", "mean", "low"), [(None, 0.07202, -0.02265122), (1.0, 0.06333333, -0.04971832)]
)
def test_differences_are_those_of_ppi_python(weight: float | None, mean: float, low: float) -> None:
    found = corrected_difference(DIFFERENCES, GUESSED, GUESSED_ELSEWHERE, weight=weight)
    assert found.mean == pytest.approx(mean, abs=1e-8)
    assert found.mean - Z * found.standard_error == pytest.approx(low, abs=1e-8)


def test_weight_is_computed_by_hand() -> None:
    """Shared spread 1/6 · 1.5 = 0.25 of 6 labels; variance of all 12 guesses 3/11."""
    labels = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    found = corrected_mean(labels, labels, labels)
    assert found.weight == pytest.approx(0.25 / (2 * 3 / 11))
    assert found.mean == pytest.approx(0.5)


def test_the_interval_is_wider_than_the_normal_one_of_ten_labels() -> None:
    found = corrected_mean(PEOPLE, MODEL, ELSEWHERE)
    assert found.high - found.low > 2 * Z * found.standard_error


def test_a_model_that_always_says_the_same_leaves_the_interval_of_people_alone() -> None:
    found = corrected_difference([*DIFFERENCES, 1.0], [0.3] * 11, [0.3] * 50)
    alone = mean_interval([0.0] * 11, [*DIFFERENCES, 1.0])
    assert found.weight == 0.0
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=1e-4)


def test_without_unlabelled_items_people_decide() -> None:
    found = corrected_mean(PEOPLE, MODEL, [])
    assert found.mean == pytest.approx(0.55)
    assert found.weight == 0.0


@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=8, max_size=30),
    st.floats(-0.4, 0.4),
    st.integers(0, 1000),
)
def test_a_constant_bias_of_the_model_changes_nothing(
    people: list[float], bias: float, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    model = 0.4 + 0.2 * chance.random(len(people))
    elsewhere = 0.4 + 0.2 * chance.random(40)
    plain = corrected_mean(people, model, elsewhere)
    biased = corrected_mean(people, model + bias, elsewhere + bias)
    assert biased.mean == pytest.approx(plain.mean, abs=1e-9)
    assert biased.weight == pytest.approx(plain.weight, abs=1e-9)


def test_many_samples_at_once_have_the_intervals_of_each() -> None:
    chance = np.random.default_rng(7)
    labels, guesses, others = (chance.random((3, size)).round(1) for size in (12, 12, 40))
    rows = ModelSamples.of(labels, guesses, others)
    means, lows, highs = rows.intervals(rows.best_weights(), 0.95)
    for place in range(3):
        one = corrected_mean(labels[place], guesses[place], others[place])
        assert (one.mean, one.low, one.high) == pytest.approx(
            (means[place], lows[place], highs[place]), abs=2e-5
        )


def test_what_cannot_be_corrected_is_refused() -> None:
    with pytest.raises(StatisticsError, match="at least 6"):
        corrected_mean([1.0] * 5, [1.0] * 5, ELSEWHERE)
    with pytest.raises(StatisticsError, match="of the same items"):
        corrected_mean(PEOPLE, MODEL[1:], ELSEWHERE)
    with pytest.raises(StatisticsError, match="not a finite number"):
        corrected_mean(PEOPLE, MODEL, [float("nan")])
    with pytest.raises(StatisticsError, match="corrected_difference"):
        corrected_mean(DIFFERENCES, GUESSED, [])
    with pytest.raises(StatisticsError, match="from 0 to 1"):
        corrected_mean(PEOPLE, MODEL, ELSEWHERE, weight=1.5)
