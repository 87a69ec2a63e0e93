"""The paired tests by name, all with one kind of result, and corrections over many of them.

A test registers itself in `PAIRED_TESTS` beside its function; a query class refers to it by name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.registry import Registry
from cranfield.statistics.distributions import make_tails, student_cdf, student_quantile
from cranfield.statistics.pairs import pair_differences, require_fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.statistics.pairs import FloatArray, PairedDifferences, Values

__all__ = [
    "PAIRED_TESTS",
    "FullResult",
    "Moments",
    "PairedTResult",
    "PairedTest",
    "TestResult",
    "describe",
    "holm",
    "paired_t",
    "t_interval",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FullResult:
    """The p-values of a test, to which each adds what it counted; None, with a reason, if none.

    `p_greater` is for B above A, `p_less` for B below A.
    """

    p_two_sided: float | None = None
    p_greater: float | None = None
    p_less: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TestResult:
    """The outcome of a paired test; p is None, with the reason, if there is nothing to test.

    `name` is the test that was run. `p_greater` is one-sided, for B above A. `detail` shows what
    the test counted; `full` is the test's own result.
    """

    __test__ = False  # keeps pytest from collecting it

    name: str
    p_two_sided: float | None
    p_greater: float | None
    detail: str
    reason: str | None
    full: FullResult

    @classmethod
    def of(cls, name: str, detail: str, full: FullResult) -> TestResult:
        """Wrap a test's own result."""
        return cls(name, full.p_two_sided, full.p_greater, detail, full.reason, full)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test under its name; the seed is for tests that draw at random."""

    name: str
    title: str
    run: Callable[[FloatArray, FloatArray, int], TestResult]


PAIRED_TESTS: Registry[PairedTest] = Registry(
    "paired test", PairedTest, group="cranfield.paired_tests"
)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's step-down adjusted p-values, in the order given.

    The i-th smallest of m becomes the largest of (m − j + 1) · p₍ⱼ₎ over j ≤ i, at most 1
    (Holm, Scandinavian Journal of Statistics 6, 1979): the chance of even one false discovery
    stays below the level. None, a test without p-value, stays None and is not counted in m.
    """
    present = _present(p_values)
    order = np.argsort(present, kind="stable")
    factors = np.arange(present.size, 0, -1)
    stepped = np.maximum.accumulate(factors * present[order])
    return _restored(p_values, order, stepped)


def _present(p_values: Sequence[float | None]) -> FloatArray:
    for place, p in enumerate(p_values):
        if p is not None and not 0.0 <= p <= 1.0:
            raise StatisticsError(f"p_values[{place}] is {p}: give p-values from 0 to 1, or None")
    return np.asarray([p for p in p_values if p is not None], dtype=np.float64)


def _restored(
    p_values: Sequence[float | None],
    order: np.ndarray[tuple[int], np.dtype[np.intp]],
    stepped: FloatArray,
) -> list[float | None]:
    adjusted = np.empty_like(stepped)
    adjusted[order] = np.minimum(stepped, 1.0)
    remaining = iter(adjusted.tolist())
    return [None if p is None else next(remaining) for p in p_values]


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
