"""The test that asks for sameness: B within a margin of A."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cranfield.statistics.distributions import as_p_value, student_cdf
from cranfield.statistics.mean_interval import OneSidedTest
from cranfield.statistics.paired_tests import describe, t_interval
from cranfield.statistics.pairs import pair_differences, require_fraction, require_positive

if TYPE_CHECKING:
    from cranfield.statistics.paired_tests import Moments
    from cranfield.statistics.pairs import PairedDifferences, Values

__all__ = ["EquivalenceResult", "equivalence"]

_Bounds: TypeAlias = tuple[float | None, float | None, float | None, float | None]
"""The two p-values, and the two ends of the interval."""


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


def equivalence(
    a: Values, b: Values, *, margin: float, alpha: float = 0.05, span: float = 0.0
) -> EquivalenceResult:
    """Run two one-sided t-tests against a mean difference of −margin and of +margin.

    (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.) B is equivalent
    to A when both p-values are below α, which is when the 1 − 2α interval lies within ±margin.
    Pairs that are all equal show nothing: t is undefined, and a rare change may not have been
    seen. With a `span`, the size of a complete win, the tests are those of `mean_interval`, which
    hold for such pairs too.
    """
    _require_settings(margin, alpha, span)
    differences = pair_differences(a, b)
    moments = describe(differences)
    above, below, low, high = (
        _guarded(differences, margin, alpha, span) if span else _student(moments, margin, alpha)
    )
    p = None if above is None or below is None else max(above, below)
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
        equivalent=p is not None and p < alpha,
        reason=moments.reason if p is None else None,
    )


def _require_settings(margin: float, alpha: float, span: float) -> None:
    require_positive(margin, "margin")
    if span != 0.0:
        require_positive(span, "span")
    # The interval that goes with the test has confidence 1 - 2 · alpha.
    require_fraction(2.0 * alpha, "2 · alpha")


def _student(moments: Moments, margin: float, alpha: float) -> _Bounds:
    return (
        _p_above(moments, -margin),
        _p_below(moments, margin),
        *t_interval(moments, 1 - 2 * alpha),
    )


def _guarded(differences: PairedDifferences, margin: float, alpha: float, span: float) -> _Bounds:
    up, down = (OneSidedTest.of(side * differences.values, span) for side in (1.0, -1.0))
    above, below = (as_p_value(each.p_value(-margin)) for each in (up, down))
    return above, below, up.bound(alpha), -down.bound(alpha)


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
