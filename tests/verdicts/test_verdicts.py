from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.measures import Column
from cranfield.statistics import queries_needed
from cranfield.verdicts import VerdictKind, compare_columns, decide

CHANCE = np.random.default_rng(11)
BEFORE = CHANCE.uniform(0.2, 0.6, size=60)
NOISE = CHANCE.normal(0, 0.05, size=60)


def verdict(after: list[float], margin: float | None = None) -> VerdictKind:
    compared = compare_columns(Column(BEFORE), Column(np.array(after)), seed=1, margin=margin)
    assert compared is not None
    # One comparison: there is nothing to correct for.
    return decide(replace(compared, p_adjusted=compared.test.p_two_sided)).kind


def test_a_clear_gain_is_better_and_a_clear_loss_worse() -> None:
    assert verdict(list(BEFORE + 0.1 + NOISE)) is VerdictKind.BETTER
    assert verdict(list(BEFORE - 0.1 + NOISE)) is VerdictKind.WORSE


def test_noise_cannot_be_told_from_a_difference() -> None:
    assert verdict(list(BEFORE + NOISE)) is VerdictKind.CANNOT_TELL


def test_within_a_stated_margin_is_equivalent() -> None:
    assert verdict(list(BEFORE + NOISE), margin=0.05) is VerdictKind.EQUIVALENT


def test_identical_arms_are_equivalent_without_a_margin() -> None:
    assert verdict(list(BEFORE)) is VerdictKind.EQUIVALENT


def test_cannot_tell_says_how_many_queries_would_tell() -> None:
    compared = compare_columns(Column(BEFORE), Column(BEFORE + NOISE), seed=1)
    assert compared is not None
    decided = decide(compared)
    spread = float(np.std(NOISE, ddof=1))
    expected = queries_needed(abs(float(np.mean(NOISE))), spread).value
    assert decided.queries_needed == expected
    assert str(decided) == f"cannot tell, {expected} queries needed"


def test_more_queries_are_needed_when_more_is_compared_at_once() -> None:
    compared = compare_columns(Column(BEFORE), Column(BEFORE + NOISE), seed=1)
    assert compared is not None
    alone, among_many = decide(compared), decide(replace(compared, compared=40))
    assert alone.queries_needed is not None
    assert among_many.queries_needed is not None
    assert among_many.queries_needed > alone.queries_needed > len(BEFORE)


def test_one_equal_pair_is_no_evidence_of_equivalence() -> None:
    compared = compare_columns(Column(np.array([0.5])), Column(np.array([0.5])), seed=1)
    assert compared is not None
    assert decide(compared).kind is VerdictKind.CANNOT_TELL


def test_queries_undefined_in_either_arm_are_left_out() -> None:
    a = Column(np.array([0.1, np.nan, 0.3]), {1: "nothing was retrieved"})
    b = Column(np.array([0.2, 0.5, np.nan]), {2: "nothing was retrieved"})
    compared = compare_columns(a, b, seed=1)
    assert compared is not None
    assert compared.pairs == 1
    assert compared.difference == pytest.approx(0.1)


def test_arms_without_a_common_value_are_not_compared() -> None:
    nothing = Column(np.array([np.nan]), {0: "nothing was retrieved"})
    assert compare_columns(nothing, Column(np.array([0.5])), seed=1) is None
