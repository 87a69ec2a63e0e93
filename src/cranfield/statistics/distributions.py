"""P-values, and the distribution functions they come from.

Importing SciPy takes up to a second, which a command that needs no distribution must not pay: each
function imports what it calls.
"""

from __future__ import annotations

import math
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cranfield.statistics.pairs import FloatArray

__all__ = [
    "Tails",
    "as_p_value",
    "binomial_cdfs",
    "binomial_chances",
    "fair_binomial_cdf",
    "find_root",
    "make_tails",
    "noncentral_student_sf",
    "normal_cdf",
    "normal_quantile",
    "signed_rank_tails",
    "student_cdf",
    "student_cdfs",
    "student_quantile",
    "student_quantiles",
]

_NEGLIGIBLE = 1e-18
_WIDEST_Z = 9.0
_ROOT_PRECISION = 1e-12


class Tails(NamedTuple):
    """The p-values of one test against its three alternatives."""

    p_two_sided: float
    p_greater: float
    p_less: float


def as_p_value(probability: float) -> float:
    """Return `probability` kept within (0, 1].

    Every test here has the observed outcome among the possible ones, so a 0 can only be a
    number too small for a float (2,000 wins in 2,000 pairs); it becomes the smallest normal
    float, about 2.2e-308. A sum of rounded terms just above 1 becomes 1.
    """
    return min(1.0, max(sys.float_info.min, float(probability)))


def make_tails(greater: float, less: float) -> Tails:
    """Return both tails and the two-sided p-value, twice the smaller tail but at most 1."""
    return Tails(
        p_two_sided=as_p_value(2.0 * min(greater, less)),
        p_greater=as_p_value(greater),
        p_less=as_p_value(less),
    )


def normal_cdf(z: float) -> float:
    """Return P(Z ≤ z) for a standard normal Z."""
    from scipy.special import ndtr

    return float(ndtr(z))


def normal_quantile(probability: float) -> float:
    """Return the z with P(Z ≤ z) = probability."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def student_cdf(t: float, df: int) -> float:
    """Return P(T ≤ t) for Student's t with `df` degrees of freedom."""
    from scipy.special import stdtr

    return float(stdtr(df, t))


def student_quantile(probability: float, df: int) -> float:
    """Return the t with P(T ≤ t) = probability."""
    from scipy.special import stdtrit

    return float(stdtrit(df, probability))


def binomial_cdfs(
    successes: NDArray[np.integer[Any]], trials: int, chances: FloatArray
) -> FloatArray:
    """Return P(X ≤ successes) for chances from 0 to 1, of arrays that fit together."""
    from scipy.special import betainc

    certain = np.clip(1.0 - chances, 0.0, 1.0)
    below = betainc(np.maximum(trials - successes, 1), successes + 1.0, certain)
    return np.asarray(np.where(successes >= trials, 1.0, below), dtype=np.float64)


def binomial_chances(
    successes: NDArray[np.integer[Any]], trials: int, probabilities: float | FloatArray
) -> FloatArray:
    """Return the chances for which P(X ≤ successes) is so probable; successes below trials."""
    from scipy.special import betaincinv

    certain = betaincinv(trials - successes, successes + 1.0, probabilities)
    return np.asarray(1.0 - certain, dtype=np.float64)


def student_cdfs(t: FloatArray, df: FloatArray) -> FloatArray:
    """Return P(T ≤ t), of arrays that fit together."""
    from scipy.special import stdtr

    return np.asarray(stdtr(df, t), dtype=np.float64)


def student_quantiles(probability: float, df: FloatArray) -> FloatArray:
    """Return the t with P(T ≤ t) = probability, for each df."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(df, probability), dtype=np.float64)


def fair_binomial_cdf(successes: int, trials: int) -> float:
    """Return P(X ≤ successes) for `trials` tosses of a fair coin.

    As the regularised incomplete beta function I½(trials − successes, successes + 1), which
    keeps its relative precision far into the tail.
    """
    from scipy.special import betainc

    if successes >= trials:
        return 1.0
    return float(betainc(trials - successes, successes + 1, 0.5))


def signed_rank_tails(w_plus: float, n: int) -> tuple[float, float]:
    """Return the exact (greater, less) tails of Wilcoxon's W+ for n untied non-zero differences.

    Each rank from 1 to n is in the sum or not, all 2ⁿ ways alike. The ways to each sum are counted
    rank by rank; for n up to 50 the counts are whole numbers that a float holds exactly.
    """
    # `scipy.stats.wilcoxon` has the same figures, and takes a quarter of a second to import.
    ways = np.ones(1)
    for rank in range(1, n + 1):
        with_rank = np.zeros(ways.size + rank)
        with_rank[: ways.size] += ways
        with_rank[rank:] += ways
        ways = with_rank
    place = round(w_plus)
    return float(ways[place:].sum() / 2.0**n), float(ways[: place + 1].sum() / 2.0**n)


def noncentral_student_sf(t: float, df: int, shift: float) -> float:
    """Return P((Z + shift) / S > t) for t > 0, with Z standard normal and S² = χ²(df) / df.

    That is the upper tail of the noncentral t, the mean over z of P(S < (z + shift) / t).
    Integrated here over the z between "S is never so small" and "S is always smaller", because
    `scipy.stats.nct` answers nan with a warning for ordinary arguments (df 5, shift 37).
    """
    from scipy.special import gammainc, gammainccinv, gammaincinv, ndtr

    smallest = math.sqrt(2.0 * float(gammaincinv(df / 2.0, _NEGLIGIBLE)) / df)
    largest = math.sqrt(2.0 * float(gammainccinv(df / 2.0, _NEGLIGIBLE)) / df)
    start = max(t * smallest - shift, -_WIDEST_Z)
    stop = min(t * largest - shift, _WIDEST_Z)
    certain = float(ndtr(shift - t * largest))
    if start >= stop:
        return certain
    nodes, weights = _gauss_legendre()
    z = (start + stop) / 2.0 + (stop - start) / 2.0 * nodes
    density = np.exp(-(z**2) / 2.0) / math.sqrt(2.0 * math.pi)
    below = gammainc(df / 2.0, df / 2.0 * ((z + shift) / t) ** 2)
    return certain + (stop - start) / 2.0 * float(np.sum(weights * density * below))


@cache
def _gauss_legendre() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights on [-1, 1]; finding them takes longer than using them."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    return nodes, weights


def find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the x between low and high where `function` changes its sign (Brent's method)."""
    from scipy.optimize import brentq

    tolerance = _ROOT_PRECISION * max(abs(low), abs(high))
    return float(brentq(function, low, high, xtol=tolerance, rtol=_ROOT_PRECISION))
