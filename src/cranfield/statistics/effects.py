"""How large a difference is: effect sizes, and intervals of shares."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.statistics.paired_tests import describe
from cranfield.statistics.pairs import count_outcomes, pair_differences, pair_without_noise
from cranfield.statistics.rank_tests import rank_differences

if TYPE_CHECKING:
    from cranfield.statistics.pairs import PairOutcomes, Values

__all__ = [
    "EffectSize",
    "EffectSizes",
    "ProportionInterval",
    "cliffs_delta",
    "effect_sizes",
    "proportion_difference",
    "proportion_interval",
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


@dataclass(frozen=True, slots=True)
class ProportionInterval:
    """An estimate and the bounds of its interval."""

    value: float
    low: float
    high: float


def proportion_interval(
    share: float, count: int, *, confidence: float = 0.95
) -> ProportionInterval:
    """Return Wilson's score interval of a proportion that was seen in `count` trials.

    A share need not be a count of trials: means of values between 0 and 1 vary less than outcomes
    that are 0 or 1, so the interval is then too wide rather than too narrow.
    """
    if count < 1 or not 0 <= share <= 1:
        raise StatisticsError(f"a share of {share:g} in {count} trials has no interval")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2) / (1 + z * z / count)
    return ProportionInterval(share, max(0.0, middle - half), min(1.0, middle + half))


def proportion_difference(a: ProportionInterval, b: ProportionInterval) -> ProportionInterval:
    """Return b - a with the interval that their own intervals give, for independent groups.

    Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10.
    """
    value = b.value - a.value
    below = sqrt((b.value - b.low) ** 2 + (a.high - a.value) ** 2)
    above = sqrt((b.high - b.value) ** 2 + (a.value - a.low) ** 2)
    return ProportionInterval(value, value - below, value + above)
