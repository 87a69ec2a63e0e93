"""Laws that every paired procedure keeps: mirroring, order of the pairs, range of p."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cranfield.statistics import (
    cliffs_delta,
    count_outcomes,
    equivalence,
    paired_t,
    rank_biserial,
    sign_flip_randomisation,
    sign_test,
    standardised_difference,
    wilcoxon_signed_rank,
)

pytestmark = pytest.mark.corpus  # it takes seconds

Pairs = list[tuple[float, float]]
Test = Callable[[list[float], list[float]], Any]

SCORES = st.one_of(st.integers(0, 12).map(lambda x: x / 12), st.floats(0.0, 1.0))
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=40)


def randomise(a: list[float], b: list[float]) -> Any:
    return sign_flip_randomisation(a, b, permutations=2_000, seed=3)


TESTS: list[Test] = [wilcoxon_signed_rank, sign_test, paired_t, randomise]
INTERVALS: list[Test] = [paired_t]

examples = settings(deadline=None, max_examples=60)


def split(pairs: Pairs) -> tuple[list[float], list[float]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize("test", TESTS)
@examples
@given(pairs=PAIRS)
def test_swapping_a_and_b_swaps_the_one_sided_p_values(test: Test, pairs: Pairs) -> None:
    a, b = split(pairs)
    forth, back = test(a, b), test(b, a)
    assert forth.p_two_sided == pytest.approx(back.p_two_sided)
    assert forth.p_greater == pytest.approx(back.p_less)
    assert forth.p_less == pytest.approx(back.p_greater)


@pytest.mark.parametrize("interval", INTERVALS)
@examples
@given(pairs=PAIRS)
def test_swapping_a_and_b_mirrors_the_interval(interval: Test, pairs: Pairs) -> None:
    a, b = split(pairs)
    forth, back = interval(a, b), interval(b, a)
    if forth.low is None:
        assert back.low is None
    else:
        assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low), abs=1e-12)


@examples
@given(pairs=PAIRS)
def test_swapping_a_and_b_turns_every_effect_round(pairs: Pairs) -> None:
    a, b = split(pairs)
    assert cliffs_delta(a, b) == pytest.approx(-cliffs_delta(b, a))
    assert count_outcomes(a, b).wins == count_outcomes(b, a).losses
    for effect in (rank_biserial, standardised_difference):
        forth, back = effect(a, b), effect(b, a)
        if forth.value is None or back.value is None:
            assert forth == back
        else:
            assert forth.value == pytest.approx(-back.value)


@examples
@given(pairs=PAIRS)
def test_swapping_a_and_b_keeps_equivalence(pairs: Pairs) -> None:
    a, b = split(pairs)
    forth, back = equivalence(a, b, margin=0.1), equivalence(b, a, margin=0.1)
    assert forth.p_value == pytest.approx(back.p_value)
    assert forth.p_above_lower == pytest.approx(back.p_below_upper)


@pytest.mark.parametrize("procedure", TESTS)
@examples
@given(pairs=PAIRS, seed=st.integers(0, 1_000))
@example(pairs=[(0.0, 1 / 6), (0.0, 0.25), (1 / 3, 0.0), (1 / 12, 0.0)], seed=0)
def test_the_order_of_the_pairs_does_not_matter(procedure: Test, pairs: Pairs, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(pairs))
    before = dataclasses.asdict(procedure(*split(pairs)))
    after = dataclasses.asdict(procedure(*split([pairs[place] for place in order])))
    assert before == {
        name: pytest.approx(value, abs=1e-12) if isinstance(value, float) else value
        for name, value in after.items()
    }


@pytest.mark.parametrize("test", TESTS)
@examples
@given(pairs=PAIRS)
def test_p_values_lie_above_zero_and_at_most_at_one_or_are_none_with_a_reason(
    test: Test, pairs: Pairs
) -> None:
    result = test(*split(pairs))
    p_values = [result.p_two_sided, result.p_greater, result.p_less]
    if result.reason is None:
        assert all(0.0 < p <= 1.0 for p in p_values)
    else:
        assert p_values == [None, None, None]


@pytest.mark.parametrize("interval", INTERVALS)
@examples
@given(pairs=PAIRS)
def test_an_interval_is_in_order_and_within_reach(interval: Test, pairs: Pairs) -> None:
    result = interval(*split(pairs))
    if result.low is not None:
        assert result.low <= result.high


@pytest.mark.parametrize("procedure", TESTS)
def test_a_gain_in_every_pair_is_a_gain(procedure: Test) -> None:
    a = [x / 100 for x in range(20)]
    result = procedure(a, [x + 0.1 + x * x for x in a])
    if hasattr(result, "p_greater"):
        assert result.p_greater < 0.01 < result.p_less
    else:
        assert 0.0 < result.low < result.high
