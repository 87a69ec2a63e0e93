"""Tests of pairs that are known only within bounds: what every possible outcome has in common.

Each difference b − a lies between a lowest and a highest value, wherever it will turn out to be.
The p-value of the test of the mean (`mean_interval`) is not monotone in a single difference, as a
high outlier adds spread. It is monotone in what it is made of: it falls with the mean of the pairs
without their k lowest and with the mean of those k, and depends on the standard error alone beyond
that. So the extremes of these three, each over all outcomes, give bounds of the p-value that no
outcome exceeds. They need not be reached: the bounds are safe, and exact once everything is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.statistics.distributions import student_cdfs
from cranfield.statistics.mean_interval import (
    MOST_LOSSES,
    STEPS_OF_T,
    OneSidedTest,
    weigh_losses,
)
from cranfield.statistics.randomisation import USUAL_PERMUTATIONS, sign_flip_randomisation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.statistics.pairs import FloatArray

__all__ = ["UncertainPairs"]

_MONTE_CARLO_ERRORS = 6.0
_ROUNDS = 60
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class UncertainPairs:
    """Differences of which each lies between `lowest` and `highest`, within ±span."""

    lowest: FloatArray
    highest: FloatArray
    span: float = 1.0

    def __post_init__(self) -> None:
        if self.lowest.size == 0 or self.lowest.size != self.highest.size:
            raise StatisticsError(
                "uncertain pairs need as many lowest values as highest, at least 1"
            )
        if bool(np.any(self.lowest > self.highest)):
            raise StatisticsError("a lowest value lies above the highest of its pair")

    @property
    def n(self) -> int:
        """The number of pairs."""
        return int(self.lowest.size)

    @property
    def is_certain(self) -> bool:
        """Whether every difference is known."""
        return bool(np.all(self.lowest == self.highest))

    @property
    def turned(self) -> UncertainPairs:
        """The same pairs as a − b."""
        return UncertainPairs(-self.highest, -self.lowest, self.span)

    def p_values(self, bound: float) -> tuple[float, float]:
        """Return bounds of the p-value against the mean being `bound` or less."""
        if self.is_certain:
            p = OneSidedTest.of(self.lowest, self.span).p_value(bound)
            return p, p
        return self._extreme(bound, is_upper=False), self._extreme(bound, is_upper=True)

    def two_sided(self) -> tuple[float, float]:
        """Return bounds of the two-sided p-value of the interval against a mean of 0."""
        (low_up, high_up), (low_down, high_down) = self.p_values(0.0), self.turned.p_values(0.0)
        return min(1.0, 2.0 * min(low_up, low_down)), min(1.0, 2.0 * min(high_up, high_down))

    def sign_flip(self, seed: int) -> float:
        """Return an upper bound of the sign-flip test's p, if the mean is surely above 0; else 1.

        The share of sign assignments that make as large a sum only falls if a difference rises, so
        that the lowest ones have the largest p. Six standard errors of a sampled p are added: other
        outcomes are tested by other samples.
        """
        if math.fsum(self.lowest) <= 0.0:
            return 1.0
        p = sign_flip_randomisation(np.zeros(self.n), self.lowest, seed=seed).p_two_sided
        if p is None or self.is_certain:
            return 1.0 if p is None else p
        error = math.sqrt(p * (1.0 - p) / USUAL_PERMUTATIONS)
        return min(1.0, p + _MONTE_CARLO_ERRORS * error)

    def _extreme(self, bound: float, *, is_upper: bool) -> float:
        """Return the largest p-value that any outcome may have, or the smallest."""
        values = np.sort(self.lowest if is_upper else self.highest)
        left_out = np.arange(min(MOST_LOSSES, max(self.n - 2, 0)) + 1)
        kept = self.n - left_out
        sums = np.concatenate([[0.0], np.cumsum(values)])
        means = (sums[-1] - sums[left_out]) / kept
        lows = np.concatenate([[-self.span], sums[left_out[1:]] / left_out[1:]])
        least, most = self._errors(kept)
        freedom = np.maximum(kept - 1.0, 1.0)[:, np.newaxis]
        # A larger error lowers what the others need on the left of their mean, and raises it on
        # the right.
        is_wide = (STEPS_OF_T < 0.0) == is_upper
        errors = np.where(is_wide, most[:, np.newaxis], least[:, np.newaxis])
        steps = np.broadcast_to(student_cdfs(STEPS_OF_T, freedom), errors.shape)
        # Without any spread, the others have their mean for certain.
        certain = np.where(least > 0.0, 0.0, 1.0) if is_upper else np.zeros(kept.size)
        beyond = _tails_of_bound(bound - means, least, most, freedom[:, 0], is_upper=is_upper)
        tails = np.column_stack([steps, certain, beyond])
        at_bound = np.full(kept.size, bound)
        needed = np.column_stack([means[:, np.newaxis] + errors * STEPS_OF_T, means, at_bound])
        largest = weigh_losses(
            tails[np.newaxis], needed[np.newaxis], lows[np.newaxis], bound, self.n
        )
        return float(largest[0])

    def _errors(self, kept: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest standard error of the pairs without their k lowest."""
        centre = float(np.mean(self.lowest + self.highest)) / 2.0
        farthest = np.maximum((self.lowest - centre) ** 2, (self.highest - centre) ** 2)
        totals = np.cumsum(np.sort(farthest)[::-1])
        scale = np.maximum(kept - 1.0, 1.0) * kept
        least = np.zeros(kept.size)
        least[0] = self._least_squares()
        return np.sqrt(least / scale), np.sqrt(totals[kept - 1] / scale)

    def _least_squares(self) -> float:
        """Return the least sum of squares about their mean that the pairs may have.

        It is the least over all centres of the squared distances to the pairs' ranges, which is
        convex: the centre is where the distances cancel out.
        """
        low, high = float(np.min(self.lowest)), float(np.max(self.highest))
        for _ in range(_ROUNDS):
            centre = (low + high) / 2.0
            if float(np.sum(np.clip(centre, self.lowest, self.highest) - centre)) > 0.0:
                low = centre
            else:
                high = centre
        # Away from the best centre the sum is larger: what rounding adds is taken off.
        nearest = np.clip((low + high) / 2.0, self.lowest, self.highest)
        squares = float(np.sum((nearest - np.mean(nearest)) ** 2))
        return max(squares * (1.0 - _ROUNDING) - _ROUNDING, 0.0)


def _tails_of_bound(
    distances: FloatArray,
    least: FloatArray,
    most: FloatArray,
    freedom: FloatArray,
    *,
    is_upper: bool,
) -> FloatArray:
    """Return the largest or smallest chances that Student's t puts beyond the bound."""
    # Far below the bound, the smallest error makes the chance largest; above it, the largest.
    errors = np.where((distances > 0.0) == is_upper, least, most)
    t = np.divide(distances, errors, out=np.zeros_like(distances), where=errors > 0.0)
    certain = np.where(distances > 0.0, 1.0, 0.0) if is_upper else np.zeros(distances.size)
    return np.where(errors > 0.0, student_cdfs(t, freedom), certain)
