"""The verdict that open judgments leave possible: what is certain pays for all that is compared."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.judging.decisive import DifferenceRange
from cranfield.judging.verdict_outlook import OutlookOptions, certain_verdict
from cranfield.statistics import ColumnPair, VerdictKind, compare_columns

SETTLED = [DifferenceRange(each, each) for each in np.random.default_rng(3).normal(0, 0.05, 80)]
"""Differences of queries of which nothing is open any more."""


def p_equivalent(margin: float, columns: int = 1) -> float:
    """The p-value against the margin, as a comparison of so many alike headlines has it."""
    b = np.array([each.lowest for each in SETTLED])
    pairs = [ColumnPair(np.zeros(len(b)), b)] * columns
    first, *_ = compare_columns(pairs, seed=1967, margin=margin)
    assert first is not None
    assert first.p_equivalent is not None
    return first.p_equivalent


def test_a_certain_equivalent_pays_for_several_headlines() -> None:
    margin = 0.045
    assert 0.02 < p_equivalent(margin) < 0.04
    assert certain_verdict(SETTLED, OutlookOptions(margin)) is VerdictKind.EQUIVALENT
    assert p_equivalent(margin, columns=3) > 0.05
    assert certain_verdict(SETTLED, OutlookOptions(margin, compared=3)) is None


@pytest.mark.parametrize("compared", [1, 3, 10])
def test_a_clear_equivalent_is_certain_with_several_headlines_too(compared: int) -> None:
    margin = 0.09
    assert p_equivalent(margin) < 0.004
    options = OutlookOptions(margin, compared=compared)
    assert certain_verdict(SETTLED, options) is VerdictKind.EQUIVALENT


@pytest.mark.parametrize(("sign", "kind"), [(1, VerdictKind.BETTER), (-1, VerdictKind.WORSE)])
def test_a_certain_difference_pays_for_several_headlines(sign: int, kind: VerdictKind) -> None:
    """Seven equal changes: p is 2 / 2⁷ = 0.0156 at least, and 0.047 over three headlines."""
    ranges = [DifferenceRange(sign * 1.0, sign * 1.0)] * 7 + [DifferenceRange(0.0, 0.0)] * 3
    found = {
        compared: certain_verdict(ranges, OutlookOptions(compared=compared)) for compared in (1, 4)
    }
    assert found == {1: kind, 4: None}


def test_open_ranges_leave_the_verdict_open() -> None:
    ranges = [DifferenceRange(-1.0, 1.0)] * 40
    assert certain_verdict(ranges, OutlookOptions()) is None
