"""Power of the paired t-test: textbook sample sizes, simulation, and round trips."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.errors import StatisticsError
from cranfield.statistics import (
    equivalence,
    minimum_detectable_effect,
    paired_power,
    queries_for_equivalence,
    queries_needed,
)
from cranfield.statistics.mean_interval import OneSidedTest


@pytest.mark.parametrize(
    ("effect", "power", "queries"),
    [(0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.2, 0.9, 265), (0.5, 0.9, 44)],
)
def test_textbook_sample_sizes(effect: float, power: float, queries: int) -> None:
    assert queries_needed(effect, 1.0, power=power).value == queries


def test_textbook_power() -> None:
    assert paired_power(0.5, 1.0, 34) == pytest.approx(0.8078, abs=5e-5)


def test_no_effect_is_found_with_chance_alpha() -> None:
    assert paired_power(0.0, 1.0, 20, alpha=0.01) == pytest.approx(0.01)


def test_a_huge_effect_is_found_for_certain() -> None:
    assert paired_power(1e6, 1.0, 5) == 1.0


def test_simulated_tests_find_the_effect_as_often_as_promised() -> None:
    samples = np.random.default_rng(1).normal(0.5, 1.0, (20_000, 12))
    found = float(np.mean(stats.ttest_1samp(samples, 0.0, axis=1).pvalue < 0.05))
    assert paired_power(0.5, 1.0, 12) == pytest.approx(found, abs=5 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize(("delta", "sd", "n"), [(0.1, 0.25, 50), (0.2, 0.3, 25), (0.05, 0.3, 300)])
def test_simulated_intervals_find_the_effect_as_often_as_promised(
    delta: float, sd: float, n: int
) -> None:
    samples = np.random.default_rng(1).normal(delta, sd, (400, n))
    tests = [OneSidedTest.of(each, 1.0) for each in samples]
    found = np.mean([each.p_value(0.0) < 0.025 for each in tests])
    assert paired_power(delta, sd, n, span=1.0) == pytest.approx(found, abs=0.08)


@pytest.mark.parametrize(("delta", "sd"), [(0.0, 0.1), (0.05, 0.3), (-0.1, 0.2), (0.2, 0.0)])
def test_with_the_queries_needed_arms_are_seen_to_be_alike(delta: float, sd: float) -> None:
    needed = queries_for_equivalence(delta, sd, margin=0.3, power=0.8, span=1.0)
    assert needed is not None
    chance = np.random.default_rng(4)
    zeros = np.zeros(needed)
    shown = [
        equivalence(zeros, chance.normal(delta, sd, needed), margin=0.3, span=1.0).equivalent
        for _ in range(100)
    ]
    found = np.mean(shown)
    assert 0.7 <= found <= (1.0 if abs(delta) < 0.05 or not sd else 0.9)


def test_what_lies_outside_the_margin_is_never_alike() -> None:
    assert queries_for_equivalence(0.05, 0.1, margin=0.02) is None
    assert queries_for_equivalence(0.0, 0.0, margin=0.02, span=1.0) == 166


def test_only_the_size_of_the_difference_relative_to_its_spread_matters() -> None:
    assert paired_power(-0.05, 0.1, 40) == paired_power(0.05, 0.1, 40)
    assert paired_power(0.05, 0.1, 40) == pytest.approx(paired_power(5.0, 10.0, 40))
    assert queries_needed(-0.05, 0.1).value == 34


def test_the_detectable_effect_is_found_with_the_wanted_power() -> None:
    for sd, n, power in [(1.0, 2, 0.8), (0.1, 34, 0.8), (0.25, 6_980, 0.95), (3.0, 50, 0.1)]:
        effect = minimum_detectable_effect(sd, n, power=power).value
        assert effect is not None
        assert paired_power(effect, sd, n) == pytest.approx(power, abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.floats(0.02, 5.0), st.floats(0.5, 0.99), st.floats(0.001, 0.2))
def test_one_query_less_is_not_enough(effect: float, power: float, alpha: float) -> None:
    queries = queries_needed(effect, 1.0, power=power, alpha=alpha).value
    assert queries is not None
    assert paired_power(effect, 1.0, queries, alpha=alpha) >= power
    assert queries == 2 or paired_power(effect, 1.0, queries - 1, alpha=alpha) < power


def test_the_settings_are_kept_with_the_result() -> None:
    effect = minimum_detectable_effect(0.2, 50, power=0.9, alpha=0.01)
    assert (effect.sd, effect.n, effect.power, effect.alpha) == (0.2, 50, 0.9, 0.01)
    needed = queries_needed(0.1, 0.2, power=0.9, alpha=0.01)
    assert (needed.delta, needed.sd, needed.power, needed.alpha) == (0.1, 0.2, 0.9, 0.01)


def test_no_difference_is_never_found() -> None:
    needed = queries_needed(0.0, 1.0)
    assert needed.value is None
    assert needed.reason == "the difference is 0: no number of queries finds it"


def test_a_tiny_difference_needs_more_queries_than_anyone_has() -> None:
    needed = queries_needed(1e-6, 1.0)
    assert needed.value is None
    assert needed.reason == "more than 1,000,000,000 queries would be needed"


def test_without_spread_nothing_can_be_planned() -> None:
    reason = "the differences have no spread: sd is 0"
    effect, needed = minimum_detectable_effect(0.0, 50), queries_needed(0.1, 0.0)
    assert (effect.value, effect.reason) == (None, reason)
    assert (needed.value, needed.reason) == (None, reason)


def test_one_pair_detects_nothing() -> None:
    effect = minimum_detectable_effect(0.1, 1)
    assert effect.value is None
    assert effect.reason == "too few pairs: 1, at least 2 are needed"


def test_a_power_not_above_alpha_is_refused() -> None:
    with pytest.raises(StatisticsError, match=r"power is 0\.05 and alpha 0\.05"):
        queries_needed(0.1, 1.0, power=0.05, alpha=0.05)


@pytest.mark.parametrize("sd", [-1.0, float("nan"), float("inf")])
def test_what_is_no_spread_is_refused(sd: float) -> None:
    with pytest.raises(StatisticsError, match="sd is"):
        minimum_detectable_effect(sd, 10)
    with pytest.raises(StatisticsError, match="sd is"):
        paired_power(0.1, sd, 10)


@pytest.mark.parametrize("delta", [float("nan"), float("inf")])
def test_a_difference_that_is_not_finite_is_refused(delta: float) -> None:
    with pytest.raises(StatisticsError, match="delta is"):
        queries_needed(delta, 1.0)
