"""The bootstrap confidence interval of the mean difference, bias-corrected and accelerated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield.statistics.distributions import normal_cdf, normal_quantile
from cranfield.statistics.pairs import (
    pair_differences,
    require_at_least,
    require_fraction,
    require_seed,
)

if TYPE_CHECKING:
    from cranfield.statistics.pairs import FloatArray, Values

__all__ = ["BootstrapInterval", "bootstrap_mean_difference"]

_FEWEST_RESAMPLES = 100

# A quarter of a million drawn values are 2 MB: as fast as larger blocks, and bounded.
_MANY_VALUES = 2000
_FEW_DISTINCT = 32
"""With this many values for each distinct one, and `_MANY_VALUES` in all, counts are drawn."""

_VALUES_AT_ONCE = 2**18

# As for sums under flipped signs: means closer than this share of the mean size are equal.
_EQUAL_MEANS = 1e-12


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """The mean of b − a and the interval that resampling the queries gives it.

    The method is "degenerate", with a reason and low = high = mean, when all differences are
    equal: no resample can differ from another.
    """

    n: int
    mean: float
    low: float
    high: float
    confidence: float
    resamples: int
    seed: int
    method: Literal["BCa", "degenerate"]
    reason: str | None


def bootstrap_mean_difference(
    a: Values, b: Values, *, confidence: float = 0.95, resamples: int = 9_999, seed: int
) -> BootstrapInterval:
    """Return the BCa interval of the mean of b − a over resampled pairs.

    The ends are the quantiles Φ(z₀ + (z₀ + z)/(1 − â(z₀ + z))) of the resampled means, with
    z = Φ⁻¹ of the nominal levels, z₀ = Φ⁻¹ of the share of resampled means below the observed
    one (equal ones count half) and â the jackknife acceleration, which for a mean is
    Σ(d − d̄)³ / 6(Σ(d − d̄)²)^{3/2} (Efron and Tibshirani, An Introduction to the Bootstrap,
    chapter 14). At least 100 resamples are needed.

    The same seed gives the same interval whatever the order of the pairs, and swapping a and
    b mirrors it, unless the mean is exactly 0.
    """
    require_fraction(confidence, "confidence")
    require_at_least(resamples, _FEWEST_RESAMPLES, "resamples")
    require_seed(seed)
    differences = pair_differences(a, b)
    mean = differences.mean
    low, high = mean, mean
    if not differences.all_equal:
        # Sorted, and turned so that the mean is not negative: the interval cannot depend on
        # the order of the pairs or on who is called A.
        side = -1.0 if mean < 0.0 else 1.0
        values = np.sort(side * differences.values)
        ends = _bca_ends(values, _resampled_means(values, resamples, seed), confidence)
        low, high = sorted(side * end for end in ends)
    return BootstrapInterval(
        n=differences.n,
        mean=mean,
        low=low,
        high=high,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        method="degenerate" if differences.all_equal else "BCa",
        reason="all differences are equal: resamples cannot vary"
        if differences.all_equal
        else None,
    )


def _resampled_means(values: FloatArray, resamples: int, seed: int) -> FloatArray:
    generator = np.random.Generator(np.random.SFC64(seed))
    distinct, counts = np.unique(values, return_counts=True)
    if values.size >= _MANY_VALUES and distinct.size * _FEW_DISTINCT <= values.size:
        # How often each distinct value is drawn is multinomial: no need to draw them singly.
        drawn = generator.multinomial(values.size, counts / values.size, size=resamples)
        means_of_draws: FloatArray = drawn @ distinct / values.size
        return means_of_draws
    means = np.empty(resamples, dtype=np.float64)
    rows = max(1, _VALUES_AT_ONCE // values.size)
    for first in range(0, resamples, rows):
        block = means[first : first + rows]
        # 32-bit indices are drawn twice as fast as 64-bit ones.
        chosen = generator.integers(0, values.size, size=(block.size, values.size), dtype=np.uint32)
        np.mean(values[chosen], axis=1, out=block)
    return means


def _bca_ends(values: FloatArray, means: FloatArray, confidence: float) -> list[float]:
    bias = normal_quantile(_share_below(means, values))
    deviations = values - np.mean(values)
    # The acceleration has no unit; without one, cubes neither overflow nor vanish.
    deviations /= np.abs(deviations).max()
    acceleration = float(np.sum(deviations**3) / (6.0 * np.sum(deviations**2) ** 1.5))
    z = normal_quantile((1.0 - confidence) / 2.0)
    levels = [_corrected_level(end, bias, acceleration) for end in (z, -z)]
    return [float(end) for end in np.quantile(means, levels)]


def _share_below(means: FloatArray, values: FloatArray) -> float:
    observed = np.mean(values)
    slack = _EQUAL_MEANS * np.mean(np.abs(values))
    below = np.count_nonzero(means < observed - slack)
    not_above = np.count_nonzero(means <= observed + slack)
    # Were all resampled means on one side, the bias would be infinite; half a resample is the
    # least share that so many resamples can distinguish from none.
    least = 0.5 / means.size
    return float(min(max((below + not_above) / (2.0 * means.size), least), 1.0 - least))


def _corrected_level(z: float, bias: float, acceleration: float) -> float:
    shifted = bias + z
    shrinkage = 1.0 - acceleration * shifted
    # The correction grows without bound as the denominator falls to 0; beyond that point the
    # end of the interval is the most extreme resample.
    corrected = bias + shifted / shrinkage if shrinkage > 0.0 else math.copysign(math.inf, shifted)
    return normal_cdf(corrected)
