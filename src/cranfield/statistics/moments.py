"""The mean and the spread of paired differences, and when there is no spread."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cranfield.statistics.pairs import PairedDifferences

__all__ = ["Moments", "describe"]


@dataclass(frozen=True, slots=True)
class Moments:
    """The sample mean and standard deviation (n − 1 in the denominator) of the differences.

    `sd` is None for a single pair, and exactly 0.0 when all differences are equal up to
    float noise; `reason` then says why nothing can be divided by it.
    """

    n: int
    mean: float
    sd: float | None
    reason: str | None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean; None when there is no spread to take it from."""
        return self.sd / math.sqrt(self.n) if self.sd else None


def describe(differences: PairedDifferences) -> Moments:
    """Return the mean and standard deviation of the differences."""
    mean = differences.mean
    if differences.n < 2:
        return Moments(differences.n, mean, None, "only one pair: at least 2 are needed")
    if differences.all_equal:
        return Moments(differences.n, mean, 0.0, "all differences are equal: they have no spread")
    return Moments(differences.n, mean, float(np.std(differences.values, ddof=1)), None)
