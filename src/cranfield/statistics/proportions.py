"""Intervals of a proportion, and of the difference between two that were counted apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from cranfield.errors import StatisticsError

__all__ = ["ProportionInterval", "proportion_difference", "proportion_interval"]


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
    that are 0 or 1, so that the interval is then too wide rather than too narrow.
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
