"""The verdict on two columns: what decides, and what keeps us from deciding."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cranfield.statistics import (
    UNDECIDED,
    ColumnPair,
    PairedComparison,
    Verdict,
    VerdictKind,
    compare_columns,
    detectable_difference,
    holm,
    mean_interval,
    queries_needed,
    settle_verdict,
    sign_flip_randomisation,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHANCE = np.random.default_rng(11)
BEFORE = CHANCE.uniform(0.2, 0.6, size=60)
NOISE = CHANCE.normal(0, 0.05, size=60)


def compared(
    before: NDArray[np.float64], after: NDArray[np.float64], margin: float | None = None
) -> PairedComparison:
    [result] = compare_columns([ColumnPair(before, after)], seed=1, margin=margin)
    assert result is not None
    return result


def verdict(after: NDArray[np.float64], margin: float | None = None) -> VerdictKind:
    return compared(BEFORE, after, margin).verdict.kind


def test_a_clear_gain_is_better_and_a_clear_loss_worse() -> None:
    assert verdict(BEFORE + 0.1 + NOISE) is VerdictKind.BETTER
    assert verdict(BEFORE - 0.1 + NOISE) is VerdictKind.WORSE


def test_noise_cannot_be_told_from_a_difference() -> None:
    assert verdict(BEFORE + NOISE) is VerdictKind.CANNOT_TELL


def test_within_a_stated_margin_is_equivalent() -> None:
    assert verdict(BEFORE + NOISE, margin=0.1) is VerdictKind.EQUIVALENT
    assert verdict(BEFORE + NOISE, margin=0.02) is VerdictKind.CANNOT_TELL


def test_a_significant_difference_within_the_margin_is_equivalent() -> None:
    before = np.tile(BEFORE, 20)
    after = before + 0.01 + np.tile(NOISE, 20) / 50
    assert compared(before, after).verdict.kind is VerdictKind.BETTER
    assert compared(before, after, margin=0.05).verdict.kind is VerdictKind.EQUIVALENT


def test_identical_arms_are_equivalent_only_if_a_rare_change_is_ruled_out() -> None:
    decided = compared(BEFORE, BEFORE, margin=0.02).verdict
    assert decided.kind is VerdictKind.CANNOT_TELL
    assert decided.queries_needed == 166
    assert str(decided) == (
        "cannot tell: no query differs, and these are too few queries to rule out a rare change, "
        "166 queries needed"
    )
    assert verdict(BEFORE) is VerdictKind.CANNOT_TELL
    many = np.linspace(0, 1, 166)
    assert compared(many, many, margin=0.02).verdict.kind is VerdictKind.EQUIVALENT


@pytest.mark.parametrize(
    ("p_equivalent", "kind"),
    [
        (0.049, VerdictKind.EQUIVALENT),
        (0.05, VerdictKind.CANNOT_TELL),
        (0.07, VerdictKind.CANNOT_TELL),
        (None, VerdictKind.CANNOT_TELL),
    ],
)
def test_equivalent_takes_a_p_against_the_margin_below_alpha(
    p_equivalent: float | None, kind: VerdictKind
) -> None:
    undecided = compared(BEFORE, BEFORE + NOISE, margin=0.02)
    assert undecided.p_adjusted is not None
    assert undecided.p_adjusted > 0.1
    assert replace(undecided, p_equivalent=p_equivalent).verdict.kind is kind


def test_a_difference_within_the_margin_by_p_of_0_07_cannot_be_told() -> None:
    """The same from the values on: the margin at which its p is between alpha and twice alpha."""
    for margin in np.arange(0.02, 0.06, 0.0005):
        result = compared(BEFORE, BEFORE + NOISE, margin=float(margin))
        assert result.p_equivalent is not None
        if 0.06 < result.p_equivalent < 0.08:
            assert result.verdict.kind is VerdictKind.CANNOT_TELL
            return
    pytest.fail("no margin has such a p")


@pytest.mark.parametrize(
    ("change", "kind"), [(-0.005, VerdictKind.WORSE), (0.005, VerdictKind.BETTER)]
)
def test_a_significant_difference_is_better_or_worse_by_its_sign_however_small(
    change: float, kind: VerdictKind
) -> None:
    before = np.tile(BEFORE, 20)
    assert compared(before, before + change + np.tile(NOISE, 20) / 50).verdict.kind is kind
    smaller = compared(BEFORE, BEFORE + change / 1000)
    assert smaller.verdict.kind is VerdictKind.CANNOT_TELL
    assert replace(smaller, p_adjusted=0.01).verdict.kind is kind


def test_gains_that_losses_outweigh_are_not_better() -> None:
    """30 small gains and 4 queries lost from rank 1: Wilcoxon's p is 0.0086, the mean +0.01."""
    before = np.array([0.5] * 30 + [1.0] * 4)
    after = np.array([0.645] * 30 + [0.0] * 4)
    result = compared(before, after)
    assert result.wilcoxon.p_two_sided is not None
    assert result.wilcoxon.p_two_sided < 0.05
    assert result.verdict.kind is VerdictKind.CANNOT_TELL


def test_secondary_measures_never_change_the_verdict_on_a_headline() -> None:
    headline = ColumnPair(BEFORE, BEFORE + 0.1 + NOISE)
    others = [ColumnPair(BEFORE, BEFORE + NOISE, is_headline=False) for _ in range(40)]
    [alone] = compare_columns([headline], seed=1)
    among_others = compare_columns([*others, headline], seed=1)[-1]
    assert alone == among_others


def test_cannot_tell_says_how_many_queries_would_tell() -> None:
    decided = compared(BEFORE, BEFORE + NOISE).verdict
    spread = float(np.std(NOISE, ddof=1))
    expected = queries_needed(abs(float(np.mean(NOISE))), spread, span=1.0).value
    assert decided.queries_needed == expected
    assert str(decided) == f"cannot tell, {expected} queries needed"


def test_fewer_queries_tell_that_two_arms_are_alike_than_that_they_differ() -> None:
    decided = compared(BEFORE, BEFORE + NOISE, margin=0.02).verdict
    needed = compared(BEFORE, BEFORE + NOISE).verdict.queries_needed
    assert decided.queries_needed is not None
    assert needed is not None
    assert decided.queries_needed < needed


def test_more_queries_are_needed_when_more_is_compared_at_once() -> None:
    alone = compared(BEFORE, BEFORE + NOISE)
    among_many = replace(alone, compared=40)
    assert alone.verdict.queries_needed is not None
    assert among_many.verdict.queries_needed is not None
    assert among_many.verdict.queries_needed > alone.verdict.queries_needed > len(BEFORE)
    smallest, larger = detectable_difference(alone), detectable_difference(among_many)
    assert smallest is not None
    assert larger is not None
    assert larger > smallest


def test_one_equal_pair_is_no_evidence_of_equivalence() -> None:
    one = np.array([0.5])
    assert compared(one, one).verdict.kind is VerdictKind.CANNOT_TELL


def test_queries_undefined_in_either_arm_are_left_out() -> None:
    result = compared(np.array([0.1, np.nan, 0.3]), np.array([0.2, 0.5, np.nan]))
    assert result.pairs == 1
    assert result.difference == pytest.approx(0.1)


def test_columns_without_a_common_value_are_not_compared_and_not_counted() -> None:
    nothing = ColumnPair(np.array([np.nan]), np.array([0.5]))
    assert compare_columns([nothing], seed=1) == [None]
    first, second = compare_columns([nothing, ColumnPair(BEFORE, BEFORE + NOISE)], seed=1)
    assert first is None
    assert second is not None
    assert second.compared == 1


def test_all_headlines_are_corrected_together() -> None:
    afters = [BEFORE + NOISE, BEFORE + 0.01 + NOISE, BEFORE]
    results = compare_columns([ColumnPair(BEFORE, after) for after in afters], seed=1)
    raw = [
        None
        if (p := sign_flip_randomisation(BEFORE, after, seed=1).p_two_sided) is None
        else max(p, mean_interval(BEFORE, after).p_two_sided)
        for after in afters
    ]
    assert [result.p_adjusted for result in results if result] == holm(raw)
    # The third has nothing to test yet, but with more queries it may have.
    assert {result.compared for result in results if result} == {3}


def test_equivalence_is_corrected_over_all_that_is_compared() -> None:
    same = np.linspace(0, 1, 180)
    alone = compare_columns([ColumnPair(same, same)], seed=1, margin=0.02)
    among = compare_columns([ColumnPair(same, same)] * 9, seed=1, margin=0.02)
    assert [each.verdict.kind for each in alone if each] == [VerdictKind.EQUIVALENT]
    assert {each.verdict.kind for each in among if each} == {VerdictKind.CANNOT_TELL}


def test_each_column_has_the_test_it_names_beside_the_one_that_decides() -> None:
    yes = (BEFORE > 0.4).astype(np.float64)
    names = ("randomisation", "wilcoxon", "sign", "mcnemar")
    columns = [ColumnPair(yes, np.ones_like(yes), name) for name in names]
    results = compare_columns(columns, seed=1)
    assert [result.class_test.name for result in results if result] == list(names)
    assert {result.test.name for result in results if result} == {"randomisation"}
    assert len({result.p_adjusted for result in results if result}) == 1
    # Means over repetitions are not yes or no.
    [result] = compare_columns([ColumnPair(BEFORE, BEFORE + NOISE, "mcnemar")], seed=1)
    assert result is not None
    assert result.class_test.name == "sign"


@pytest.mark.process
def test_a_comparison_is_decided_when_it_is_made_and_cannot_be_changed() -> None:
    result = compared(BEFORE, BEFORE + 0.1 + NOISE)
    assert result.verdict is result.verdict
    assert result == compared(BEFORE, BEFORE + 0.1 + NOISE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.verdict = Verdict(VerdictKind.WORSE)  # type: ignore[misc]
    # Whoever changes the evidence gets the verdict that belongs to it.
    assert replace(result, p_adjusted=0.5).verdict.kind is VerdictKind.CANNOT_TELL


def test_the_first_obstacle_settles_a_verdict_before_the_figures_do() -> None:
    failed = Verdict(VerdictKind.CANNOT_TELL, reason="too many failed")
    is_open = Verdict(VerdictKind.CANNOT_TELL, reason="too few judged")
    assert settle_verdict(None, failed, is_open) is failed
    assert settle_verdict(None, None, is_open) is is_open
    assert settle_verdict(None, None, None) is UNDECIDED
    [result] = compare_columns([ColumnPair(np.zeros(40), np.ones(40))], seed=1)
    assert result is not None
    assert settle_verdict(result) is result.verdict
    assert settle_verdict(result, failed) is failed
