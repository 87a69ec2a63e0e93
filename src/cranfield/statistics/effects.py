"""Effect sizes: how large a difference is, apart from how sure we are of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics.pairs import count_outcomes, pair_differences, pair_without_noise
from cranfield.statistics.rank_tests import rank_differences
from cranfield.statistics.student import describe

if TYPE_CHECKING:
    from cranfield.statistics.pairs import PairOutcomes, Values

__all__ = [
    "EffectSize",
    "EffectSizes",
    "cliffs_delta",
    "effect_sizes",
    "rank_biserial",
    "standardised_difference",
]


@dataclass(frozen=True, slots=True)
class EffectSize:
    """One effect size; None, with the reason, if the data leave it undefined."""

    value: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class EffectSizes:
    """All effect sizes of B over A; positive means that B is higher."""

    n: int
    mean_difference: float
    standardised_difference: EffectSize
    rank_biserial: EffectSize
    cliffs_delta: float
    outcomes: PairOutcomes


def effect_sizes(a: Values, b: Values) -> EffectSizes:
    """Return every effect size of b over a."""
    moments = describe(pair_differences(a, b))
    return EffectSizes(
        n=moments.n,
        mean_difference=moments.mean,
        standardised_difference=standardised_difference(a, b),
        rank_biserial=rank_biserial(a, b),
        cliffs_delta=cliffs_delta(a, b),
        outcomes=count_outcomes(a, b),
    )


def standardised_difference(a: Values, b: Values) -> EffectSize:
    """Return Cohen's d_z, the mean of b − a divided by its standard deviation.

    (Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, section 2.3.5.)
    None for a single pair and when all differences are equal.
    """
    moments = describe(pair_differences(a, b))
    if not moments.sd:
        return EffectSize(None, moments.reason)
    return EffectSize(moments.mean / moments.sd)


def rank_biserial(a: Values, b: Values) -> EffectSize:
    """Return the matched-pairs rank-biserial correlation (W+ − W−) / (W+ + W−).

    (Kerby, Comprehensive Psychology 3, 2014.) From −1, every difference favours A, to 1,
    every difference favours B. Ties between A and B are dropped; None when no pair differs.
    """
    ranks = rank_differences(pair_differences(a, b))
    if ranks.n == 0:
        return EffectSize(None, "no pair differs: there are no ranks")
    return EffectSize((ranks.w_plus - ranks.w_minus) / (ranks.w_plus + ranks.w_minus))


def cliffs_delta(a: Values, b: Values) -> float:
    """Return P(b > a) − P(b < a) for a value of B and one of A drawn independently.

    (Cliff, Psychological Bulletin 114, 1993.) All n² combinations are compared, not only the
    pairs, in n log n steps: for each b the sorted a give the counts below and above.
    """
    first, second = pair_without_noise(a, b)
    ordered = np.sort(first)
    below = np.searchsorted(ordered, second, side="left")
    not_above = np.searchsorted(ordered, second, side="right")
    above = ordered.size - not_above
    return float(np.sum(below - above)) / ordered.size**2
