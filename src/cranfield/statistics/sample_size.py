"""Power of the paired t-test: what a number of queries can detect, and how many are needed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cranfield.errors import StatisticsError
from cranfield.statistics.distributions import find_root, noncentral_student_sf, student_quantile
from cranfield.statistics.pairs import require_at_least, require_fraction, require_positive

__all__ = [
    "DetectableEffect",
    "QueriesNeeded",
    "minimum_detectable_effect",
    "paired_power",
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


def paired_power(delta: float, sd: float, n: int, *, alpha: float = 0.05) -> float:
    """Return the chance that the two-sided paired t-test at `alpha` finds a mean difference.

    With `delta` the true mean and `sd` the standard deviation of the n differences, t is
    noncentral t with n − 1 degrees of freedom and noncentrality √n · delta / sd (Cohen,
    Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2). A find in the
    wrong direction counts as well, so the power for delta 0 is alpha.
    """
    require_positive(sd, "sd")
    require_at_least(n, 2, "n")
    require_fraction(alpha, "alpha")
    if not math.isfinite(delta):
        raise StatisticsError(f"delta is {delta}: give a finite difference")
    df = n - 1
    critical = -student_quantile(alpha / 2.0, df)
    shift = math.sqrt(n) * abs(delta) / sd
    power = sum(noncentral_student_sf(critical, df, side) for side in (shift, -shift))
    return min(power, 1.0)


def minimum_detectable_effect(
    sd: float, n: int, *, power: float = 0.8, alpha: float = 0.05
) -> DetectableEffect:
    """Return the mean difference that n pairs find with the wanted power.

    The positive delta that solves paired_power(delta, sd, n) = power. None below 2 pairs and
    when sd is 0: then every difference shows and none is smallest.
    """
    _require_settings(sd, power, alpha)
    reason = _undetectable(sd, n)
    value = None if reason else sd * _smallest_effect(n, power, alpha)
    return DetectableEffect(value=value, sd=sd, n=n, power=power, alpha=alpha, reason=reason)


def queries_needed(
    delta: float, sd: float, *, power: float = 0.8, alpha: float = 0.05
) -> QueriesNeeded:
    """Return the smallest n ≥ 2 with paired_power(delta, sd, n) ≥ power.

    Only the size of delta matters. None when delta is 0, when sd is 0, and beyond a billion
    queries.
    """
    _require_settings(sd, power, alpha)
    reason = _unreachable(delta, sd, power, alpha)
    value = None if reason else _fewest_queries(delta / sd, power, alpha)
    return QueriesNeeded(value=value, delta=delta, sd=sd, power=power, alpha=alpha, reason=reason)


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


def _smallest_effect(n: int, power: float, alpha: float) -> float:
    largest = 1.0 / math.sqrt(n)
    while paired_power(largest, 1.0, n, alpha=alpha) < power:
        largest *= 2.0
    return find_root(lambda effect: paired_power(effect, 1.0, n, alpha=alpha) - power, 0.0, largest)


def _fewest_queries(effect: float, power: float, alpha: float) -> int:
    # Power grows with n, so the first n that reaches it can be found by halving.
    too_few, enough = 1, _MOST_QUERIES
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if paired_power(effect, 1.0, middle, alpha=alpha) < power:
            too_few = middle
        else:
            enough = middle
    return enough
