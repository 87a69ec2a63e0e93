"""Power of the paired t-test: what a number of queries can detect, and how many are needed.

Each function takes a `span`: 0 for Student's test, the size of a complete win for the test of
`mean_interval`, which guards against rare changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.statistics.distributions import (
    find_root,
    noncentral_student_sf,
    normal_cdf,
    normal_quantile,
    student_quantile,
)
from cranfield.statistics.mean_interval import smallest_shown_mean, unseen_p_values
from cranfield.statistics.pairs import require_at_least, require_fraction, require_positive

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "DetectableEffect",
    "QueriesNeeded",
    "minimum_detectable_effect",
    "paired_power",
    "queries_for_equivalence",
    "queries_needed",
]

_MOST_QUERIES = 10**9
_NO_SPREAD = "the differences have no spread: sd is 0"


@dataclass(frozen=True, slots=True)
class DetectableEffect:
    """The smallest mean difference found with the wanted power; None, with a reason, if none."""

    value: float | None
    sd: float
    n: int
    power: float
    alpha: float
    reason: str | None


@dataclass(frozen=True, slots=True)
class QueriesNeeded:
    """The fewest pairs that find `delta` with the wanted power; None, with a reason, if none."""

    value: int | None
    delta: float
    sd: float
    power: float
    alpha: float
    reason: str | None


def paired_power(
    delta: float, sd: float, n: int, *, alpha: float = 0.05, span: float = 0.0
) -> float:
    """Return the chance that the two-sided paired t-test at `alpha` finds a mean difference.

    With `delta` the true mean and `sd` the standard deviation of the n differences, t is
    noncentral t with n − 1 degrees of freedom and noncentrality √n · delta / sd (Cohen,
    Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2). A find in the
    wrong direction counts as well, so the power for delta 0 is alpha. With a span, the mean is
    taken as normal, and none of the pairs as rare.
    """
    require_positive(sd, "sd")
    require_at_least(n, 2, "n")
    require_fraction(alpha, "alpha")
    if not math.isfinite(delta):
        raise StatisticsError(f"delta is {delta}: give a finite difference")
    shift = math.sqrt(n) * abs(delta) / sd
    if span:
        critical = smallest_shown_mean(sd, n, span, alpha / 2.0) * math.sqrt(n) / sd
        return min(sum(normal_cdf(side - critical) for side in (shift, -shift)), 1.0)
    critical = -student_quantile(alpha / 2.0, n - 1)
    power = sum(noncentral_student_sf(critical, n - 1, side) for side in (shift, -shift))
    return min(power, 1.0)


def minimum_detectable_effect(
    sd: float, n: int, *, power: float = 0.8, alpha: float = 0.05, span: float = 0.0
) -> DetectableEffect:
    """Return the mean difference that n pairs find with the wanted power.

    The positive delta that solves paired_power(delta, sd, n) = power. None below 2 pairs and
    when sd is 0: then every difference shows and none is smallest.
    """
    _require_settings(sd, power, alpha)
    reason = _undetectable(sd, n)
    value = None if reason else sd * _smallest_effect(n, power, alpha, span / sd)
    return DetectableEffect(value=value, sd=sd, n=n, power=power, alpha=alpha, reason=reason)


def queries_needed(
    delta: float, sd: float, *, power: float = 0.8, alpha: float = 0.05, span: float = 0.0
) -> QueriesNeeded:
    """Return the smallest n ≥ 2 with paired_power(delta, sd, n) ≥ power.

    Only the size of delta matters. None when delta is 0, when sd is 0, and beyond a billion
    queries.
    """
    _require_settings(sd, power, alpha)
    reason = _unreachable(delta, sd, power, alpha)
    value = None
    if not reason:
        effect, share = abs(delta) / sd, span / sd
        value = _fewest(
            (lambda n: effect >= _detected(n, share, power, alpha))
            if span
            else (lambda n: paired_power(effect, 1.0, n, alpha=alpha) >= power)
        )
    return QueriesNeeded(value=value, delta=delta, sd=sd, power=power, alpha=alpha, reason=reason)


def queries_for_equivalence(
    delta: float,
    sd: float,
    *,
    margin: float,
    power: float = 0.8,
    alpha: float = 0.05,
    span: float = 0.0,
) -> int | None:
    """Return the smallest n of which `equivalence` shows a mean of `delta` to lie within ±margin.

    The nearer of the two bounds has to be shown, with the wanted power; an sd of 0 has no chance
    in it. None if delta lies outside the margin, or beyond a billion queries.
    """
    require_positive(margin, "margin")
    _require_settings(sd, power, alpha)
    reach = normal_quantile(power)

    def suffices(n: int) -> bool:
        # The mean is as unlucky as the power allows, towards the nearer end of the margin.
        mean = -abs(delta) - reach * sd / math.sqrt(n)
        if span:
            shown = unseen_p_values(np.array([mean + margin]), sd, n, span, -margin)
            return float(shown[0]) < alpha
        return mean + student_quantile(alpha, n - 1) * sd / math.sqrt(n) >= -margin

    return _fewest(suffices) if abs(delta) < margin and suffices(_MOST_QUERIES) else None


def _require_settings(sd: float, power: float, alpha: float) -> None:
    require_fraction(alpha, "alpha")
    require_fraction(power, "power")
    if not (math.isfinite(sd) and sd >= 0.0):
        raise StatisticsError(f"sd is {sd}: give a finite standard deviation from 0 up")
    if power <= alpha:
        raise StatisticsError(
            f"power is {power} and alpha {alpha}: no effect at all is already found with "
            "chance alpha, so give a larger power"
        )


def _undetectable(sd: float, n: int) -> str | None:
    if n < 2:
        return f"too few pairs: {n}, at least 2 are needed"
    return _NO_SPREAD if sd == 0.0 else None


def _unreachable(delta: float, sd: float, power: float, alpha: float) -> str | None:
    if delta == 0.0:
        return "the difference is 0: no number of queries finds it"
    if sd == 0.0:
        return _NO_SPREAD
    if paired_power(delta, sd, _MOST_QUERIES, alpha=alpha) < power:
        return f"more than {_MOST_QUERIES:,} queries would be needed"
    return None


def _detected(n: int, span: float, power: float, alpha: float) -> float:
    """Return the mean, in standard deviations, that `mean_interval` finds with the wanted power."""
    return smallest_shown_mean(1.0, n, span, alpha / 2.0) + normal_quantile(power) / math.sqrt(n)


def _smallest_effect(n: int, power: float, alpha: float, span: float) -> float:
    if span:
        return _detected(n, span, power, alpha)

    def missing(effect: float) -> float:
        return paired_power(effect, 1.0, n, alpha=alpha) - power

    largest = 1.0 / math.sqrt(n)
    while missing(largest) < 0.0:
        largest *= 2.0
    return find_root(missing, 0.0, largest)


def _fewest(suffices: Callable[[int], bool]) -> int:
    """Find the fewest queries that suffice: more queries never suffice less."""
    too_few, enough = 1, 2
    while enough < _MOST_QUERIES and not suffices(enough):
        too_few, enough = enough, min(2 * enough, _MOST_QUERIES)
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if suffices(middle):
            enough = middle
        else:
            too_few = middle
    return enough
