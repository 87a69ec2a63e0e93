"""Tests that ask for sameness: B within a margin of A, or at least not worse by more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.statistics.distributions import as_p_value, student_cdf
from cranfield.statistics.pairs import (
    TIE_TOLERANCE,
    pair_differences,
    require_fraction,
    require_positive,
)
from cranfield.statistics.student import describe, t_interval

if TYPE_CHECKING:
    from cranfield.statistics.pairs import Values
    from cranfield.statistics.student import Moments

__all__ = ["EquivalenceResult", "NonInferiorityResult", "equivalence", "non_inferiority"]

_DECIDED_BY_MEAN = "all differences are equal: the mean itself was compared with the margin"


@dataclass(frozen=True, slots=True)
class EquivalenceResult:
    """Whether the mean of b − a was shown to lie strictly within ±margin.

    `p_above_lower` is against the mean being −margin or less, `p_below_upper` against margin
    or more, `p_value` the larger of the two; low and high bound the mean at confidence 1 − 2α.
    `equivalent` is False when equivalence was not shown, which does not show a difference.
    The p-values are None, with a reason, when the differences have no spread.
    """

    n: int
    mean: float
    margin: float
    alpha: float
    low: float | None
    high: float | None
    p_above_lower: float | None
    p_below_upper: float | None
    p_value: float | None
    equivalent: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class NonInferiorityResult:
    """Whether the mean of b − a was shown to lie above −margin.

    `low` bounds the mean from below at confidence 1 − α. The p-value is None, with a reason,
    when the differences have no spread.
    """

    n: int
    mean: float
    margin: float
    alpha: float
    low: float | None
    p_value: float | None
    non_inferior: bool
    reason: str | None


def equivalence(a: Values, b: Values, *, margin: float, alpha: float = 0.05) -> EquivalenceResult:
    """Run two one-sided t-tests against a mean difference of −margin and of +margin.

    (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.) B is equivalent
    to A when both p-values are below α, which is when the 1 − 2α interval lies within ±margin.
    Equal differences leave t undefined: the mean itself is then compared with the margin.
    One pair shows nothing.
    """
    _require_settings(margin, alpha)
    moments = describe(pair_differences(a, b))
    above, below = _p_above(moments, -margin), _p_below(moments, margin)
    low, high = t_interval(moments, 1.0 - 2.0 * alpha)
    p = None if above is None or below is None else max(above, below)
    certain = moments.sd == 0.0 and abs(moments.mean) < margin - TIE_TOLERANCE
    return EquivalenceResult(
        n=moments.n,
        mean=moments.mean,
        margin=margin,
        alpha=alpha,
        low=low,
        high=high,
        p_above_lower=above,
        p_below_upper=below,
        p_value=p,
        equivalent=certain if p is None else p < alpha,
        reason=_reason(moments),
    )


def non_inferiority(
    a: Values, b: Values, *, margin: float, alpha: float = 0.05
) -> NonInferiorityResult:
    """Run the one-sided t-test against a mean difference of −margin, where higher is better.

    B is not inferior when p is below α. Equal differences leave t undefined: the mean itself
    is then compared with −margin. One pair shows nothing.
    """
    _require_settings(margin, alpha)
    moments = describe(pair_differences(a, b))
    p = _p_above(moments, -margin)
    low, _ = t_interval(moments, 1.0 - 2.0 * alpha)
    certain = moments.sd == 0.0 and moments.mean > TIE_TOLERANCE - margin
    return NonInferiorityResult(
        n=moments.n,
        mean=moments.mean,
        margin=margin,
        alpha=alpha,
        low=low,
        p_value=p,
        non_inferior=certain if p is None else p < alpha,
        reason=_reason(moments),
    )


def _require_settings(margin: float, alpha: float) -> None:
    require_positive(margin, "margin")
    # The interval that goes with the test has confidence 1 - 2 · alpha.
    require_fraction(2.0 * alpha, "2 · alpha")


def _reason(moments: Moments) -> str | None:
    return _DECIDED_BY_MEAN if moments.sd == 0.0 else moments.reason


def _p_above(moments: Moments, bound: float) -> float | None:
    """Return the p-value against the mean being `bound` or less."""
    error = moments.standard_error
    if error is None:
        return None
    return as_p_value(student_cdf((bound - moments.mean) / error, moments.n - 1))


def _p_below(moments: Moments, bound: float) -> float | None:
    """Return the p-value against the mean being `bound` or more."""
    error = moments.standard_error
    if error is None:
        return None
    return as_p_value(student_cdf((moments.mean - bound) / error, moments.n - 1))
