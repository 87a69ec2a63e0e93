"""Mean and spread of paired differences, and Student's paired t-test with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.statistics.distributions import make_tails, student_cdf, student_quantile
from cranfield.statistics.paired_tests import FullResult
from cranfield.statistics.pairs import pair_differences, require_fraction

if TYPE_CHECKING:
    from cranfield.statistics.pairs import PairedDifferences, Values

__all__ = ["Moments", "PairedTResult", "describe", "paired_t", "t_interval"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTResult(FullResult):
    """The mean of b − a, its spread, its interval, and how surprising it is under no effect.

    A single pair has no sd, t, p-values or interval. Equal differences have sd 0.0 and the
    interval shrinks to the mean, but t and the p-values are None. `reason` says which.
    """

    n: int
    mean: float
    sd: float | None
    t: float | None
    df: int
    low: float | None
    high: float | None
    confidence: float


def paired_t(a: Values, b: Values, *, confidence: float = 0.95) -> PairedTResult:
    """Test whether the mean of b − a is 0 by t = mean / (sd / √n) with n − 1 degrees of freedom.

    The interval is mean ± t* · sd / √n at `confidence` (Student, Biometrika 6, 1908).
    """
    require_fraction(confidence, "confidence")
    moments = describe(pair_differences(a, b))
    df = moments.n - 1
    low, high = t_interval(moments, confidence)
    error = moments.standard_error
    t = None if error is None else moments.mean / error
    p = None if t is None else make_tails(greater=student_cdf(-t, df), less=student_cdf(t, df))
    return PairedTResult(
        n=moments.n,
        mean=moments.mean,
        sd=moments.sd,
        t=t,
        df=df,
        low=low,
        high=high,
        confidence=confidence,
        **(p._asdict() if p else {}),
        reason=moments.reason,
    )


def t_interval(moments: Moments, confidence: float) -> tuple[float | None, float | None]:
    """Return mean ± t* · standard error; the mean twice without spread; None for one pair."""
    if moments.sd is None:
        return None, None
    error = moments.standard_error
    if error is None:
        return moments.mean, moments.mean
    half = -student_quantile((1.0 - confidence) / 2.0, moments.n - 1) * error
    return moments.mean - half, moments.mean + half
