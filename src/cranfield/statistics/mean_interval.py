"""The interval of a mean difference: Student's, made to hold if few queries differ.

Most queries of two builds give the same answer, and the few that differ may all point one way.
Student's interval trusts the spread it happened to see: a sample in which nobody lost knows of no
losses, though one query in ten may lose everything. So each claim is tested against rare events
as well. That the mean lies above a bound is claimed only if no share q of lost queries explains
the sample without it: the p-value is the largest, over k = 0, 1, 2, … and all q, of

    P(at most k losses among n, each with chance q) × P(Student's t of the other pairs this large)

where the other pairs have the mean that, with the losses, makes up the bound. The k losses are the
k largest that were seen; for k = 0 none was seen, and each may be complete. If nothing is rare,
this is Student's test; if all differences are equal, it is the exact binomial test, and of n pairs
without any difference the interval is about ±4 / n. A third of the allowed error is kept back,
because neither is exact in between: an interval of 95 % is one of 96.5 %.

`benchmarks/verdict_errors.py` prints how often the interval covers the mean, for many shapes of
data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics.distributions import (
    as_p_value,
    binomial_cdfs,
    binomial_chances,
    student_cdfs,
    student_quantiles,
)
from cranfield.statistics.pairs import (
    TIE_TOLERANCE,
    pair_differences,
    require_fraction,
    require_positive,
)

if TYPE_CHECKING:
    from cranfield.statistics.pairs import FloatArray, Values

__all__ = [
    "MeanInterval",
    "OneSidedTest",
    "largest_difference",
    "mean_interval",
    "smallest_shown_mean",
    "unseen_p_values",
]

MOST_LOSSES = 12
STEPS_OF_T = np.arange(-6.0, 6.01, 0.25)
"""By how many standard errors the others may lie above their mean, or below it."""
USED_ERROR = 0.7
_NO_SPREAD = 1e-12
_STEPS = 32
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """The mean of b − a over the pairs and its interval, within ±span.

    `span` is the size of a complete win. `p_two_sided` is below 1 − confidence exactly if the
    interval leaves out 0.
    """

    n: int
    mean: float
    low: float
    high: float
    confidence: float
    span: float
    p_two_sided: float
    method: str = "t, guarded against rare changes"


def mean_interval(
    a: Values, b: Values, *, confidence: float = 0.95, span: float | None = None
) -> MeanInterval:
    """Return the interval of the mean of b − a.

    Without a span it is 1, or the largest value if one lies beyond: measures go from 0 to 1, and
    of others we know no more than what we saw.
    """
    require_fraction(confidence, "confidence")
    size = largest_difference(a, b) if span is None else span
    require_positive(size, "span")
    differences = pair_differences(a, b)
    up, down = (OneSidedTest.of(side * differences.values, size) for side in (1.0, -1.0))
    alpha = (1.0 - confidence) / 2.0
    return MeanInterval(
        n=differences.n,
        mean=differences.mean,
        low=up.bound(alpha),
        high=-down.bound(alpha),
        confidence=confidence,
        span=size,
        p_two_sided=as_p_value(min(1.0, 2.0 * min(up.p_value(0.0), down.p_value(0.0)))),
    )


@dataclass(frozen=True, slots=True, eq=False)
class OneSidedTest:
    """The test that the mean lies above a bound: the pairs without their k lowest, k = 0, 1, ….

    Of one sample, or of many of the same size at once: a row each, a column for each k. `lowest`
    is the mean of what was left out, −span for k = 0; `means`, `errors` and `freedom` are those of
    Student's t of the others, `tails` its chances of being below each of `STEPS_OF_T`.
    """

    n: int
    span: float
    lowest: FloatArray
    means: FloatArray
    errors: FloatArray
    freedom: FloatArray
    tails: FloatArray

    @classmethod
    def of(cls, differences: FloatArray, span: float) -> OneSidedTest:
        """Prepare the test of the differences of one sample, or of a sample in each row."""
        values = np.sort(np.atleast_2d(differences), axis=1)
        n = values.shape[1]
        left_out = np.arange(min(MOST_LOSSES, max(n - 2, 0)) + 1)
        centre = np.mean(values, axis=1, keepdims=True)
        sums = _sums_from_zero(values - centre)
        squares = _sums_from_zero((values - centre) ** 2)
        kept = n - left_out
        means = (sums[:, -1:] - sums[:, left_out]) / kept
        spread = squares[:, -1:] - squares[:, left_out] - kept * means**2
        freedom = np.maximum(kept - 1.0, 1.0)
        variance = np.where(spread > _NO_SPREAD * span**2, spread, 0.0) / freedom
        lowest = np.full(means.shape, -span)
        lowest[:, 1:] = centre + sums[:, left_out[1:]] / left_out[1:]
        errors = np.sqrt(variance / kept)
        return cls(n, span, lowest, centre + means, errors, freedom, _tails_of_t(tuple(freedom)))

    def p_value(self, bound: float) -> float:
        """Return the p-value of the only sample against the mean being `bound` or less."""
        return float(self.p_values(bound)[0])

    def p_values(self, bound: float | FloatArray) -> FloatArray:
        """Return the p-value of each sample against the mean being `bound`, or its own, or less."""
        has_spread = self.errors > 0.0
        level = np.reshape(bound, (-1, 1))
        # Without any loss, the others have the bound itself as their mean.
        alone = np.divide(
            level - self.means, self.errors, out=np.zeros_like(self.means), where=has_spread
        )
        tails = np.empty((*self.means.shape, STEPS_OF_T.size + 1))
        tails[..., :-1] = self.tails
        tails[..., -1] = student_cdfs(alone, self.freedom)
        tails[~has_spread] = 1.0
        needed = np.empty_like(tails)
        needed[..., :-1] = self._steps()
        needed[..., -1] = np.where(has_spread, level, self.means)
        return weigh_losses(tails, needed, self.lowest, level, self.n)

    def bound(self, alpha: float) -> float:
        """Return the highest bound that the mean of the only sample lies above at level alpha."""
        return float(self.bounds(alpha)[0])

    def bounds(self, alpha: float) -> FloatArray:
        """Return the highest bound that the mean of each sample lies above at level alpha.

        With a higher bound fewer losses make it up, which is more likely. So every k and every
        tail explains the sample from some bound on; the lowest of these bounds is the one.
        """
        level = alpha * USED_ERROR
        counts = np.arange(self.lowest.shape[1])
        others = 1.0 - binomial_chances(
            counts[:, np.newaxis], self.n, level / np.maximum(self.tails, level)
        )
        above = self.means - self.lowest
        with_losses = above[..., np.newaxis] * others
        with_losses += self.errors[..., np.newaxis] * (others * STEPS_OF_T)
        by_losses = np.min(with_losses, axis=2, where=self.tails >= level, initial=np.inf)
        alone = self.means + self.errors * student_quantiles(level, self.freedom)
        # Without a spread, only the chance of the losses counts.
        alike = above * (1.0 - binomial_chances(counts, self.n, level))
        explained = np.where(
            self.errors > 0.0,
            np.minimum(self.lowest + by_losses, alone),
            self.lowest + alike,
        )
        # Losses explain nothing unless they lie below the bound; for k = 0 each may be complete.
        explained[:, 1:] = np.maximum(explained[:, 1:], self.lowest[:, 1:] + TIE_TOLERANCE)
        return np.asarray(np.maximum(np.min(explained, axis=1), -self.span), dtype=np.float64)

    def _steps(self) -> FloatArray:
        """Return the means that the others may have, one for each of `STEPS_OF_T`."""
        return self.means[..., np.newaxis] + self.errors[..., np.newaxis] * STEPS_OF_T


def weigh_losses(
    tails: FloatArray, needed: FloatArray, lowest: FloatArray, bound: float | FloatArray, n: int
) -> FloatArray:
    """Return the largest product of a tail and the chance of so few losses, for each sample.

    The share of losses is that which makes up the bound, of losses as large as `lowest` on average
    and others with the mean `needed`.
    """
    counts = np.arange(lowest.shape[1])
    level = np.reshape(bound, (-1, 1))
    # Losses that do not lie below the bound explain nothing: they are not looked at.
    is_below = lowest < level - TIE_TOLERANCE
    some = np.flatnonzero((counts == 0) | is_below.any(axis=0))
    excess = np.maximum(needed[:, some] - level[..., np.newaxis], 0.0)
    room = excess + (level - lowest[:, some])[..., np.newaxis]
    has_room = (excess > 0.0) & (room > 0.0)
    shares = np.divide(excess, room, out=np.zeros_like(excess), where=has_room)
    products = tails[:, some] * binomial_cdfs(counts[some][:, np.newaxis], n, shares)
    explains = (counts[some] == 0) | is_below[:, some]
    largest = np.max(np.where(explains, products.max(axis=2), 0.0), axis=1)
    return np.asarray(np.minimum(1.0, largest / USED_ERROR), dtype=np.float64)


@lru_cache(maxsize=256)
def _tails_of_t(freedom: tuple[float, ...]) -> FloatArray:
    tails = student_cdfs(STEPS_OF_T, np.array(freedom)[:, np.newaxis])
    tails.flags.writeable = False
    return tails


def _sums_from_zero(values: FloatArray) -> FloatArray:
    return np.concatenate([np.zeros((values.shape[0], 1)), np.cumsum(values, axis=1)], axis=1)


def smallest_shown_mean(sd: float, n: int, span: float, alpha: float) -> float:
    """Return the smallest mean of n pairs, none of them rare, that is shown to lie above 0.

    Looked for among ever finer steps between 0 and the span; the span itself if there is none.
    """
    low, high = 0.0, span
    for _ in range(_ROUNDS):
        means = np.linspace(low, high, _STEPS + 1)[1:]
        shown = np.flatnonzero(unseen_p_values(means, sd, n, span) < alpha)
        place = int(shown[0]) if shown.size else _STEPS - 1
        low, high = (float(means[place - 1]) if place else low), float(means[place])
    return high


def unseen_p_values(
    distances: FloatArray, sd: float, n: int, span: float, bound: float = 0.0
) -> FloatArray:
    """Return the p-values of n pairs, none of them rare, whose mean lies so far above a bound."""
    t = STEPS_OF_T if sd > 0.0 else np.zeros(1)
    needed = np.maximum(distances[:, np.newaxis] + t * (sd / math.sqrt(n)), 0.0)
    chances = (1.0 - needed / (needed + span + bound)) ** n
    tails = student_cdfs(t, np.full(1, max(n - 1.0, 1.0))) if sd > 0.0 else 1.0
    if sd > 0.0:
        least = student_cdfs(-distances * math.sqrt(n) / sd, np.full(1, max(n - 1.0, 1.0)))
    else:
        least = np.where(distances > 0.0, 0.0, 1.0)
    largest = np.maximum(np.max(tails * chances, axis=1), least)
    return np.asarray(np.minimum(largest / USED_ERROR, 1.0), dtype=np.float64)


def largest_difference(a: Values, b: Values) -> float:
    """Return the size of a complete win: 1, or the largest value if one lies beyond."""
    return max(1.0, float(np.max(np.abs(a))), float(np.max(np.abs(b))))
