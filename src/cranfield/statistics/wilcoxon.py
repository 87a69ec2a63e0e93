"""Wilcoxon's signed-rank test: whether the larger differences favour one build."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield.statistics.distributions import normal_cdf, signed_rank_tails
from cranfield.statistics.p_values import Tails, tails
from cranfield.statistics.paired_tests import PAIRED_TESTS, PairedTest, TestResult
from cranfield.statistics.pairs import pair_differences
from cranfield.statistics.ranks import rank_differences
from cranfield.statistics.sign_flips import all_signed_sums

if TYPE_CHECKING:
    from cranfield.statistics.pairs import FloatArray, Values
    from cranfield.statistics.ranks import SignedRanks

__all__ = ["WilcoxonResult", "wilcoxon_signed_rank"]

_FEWEST_NONZERO = 6
_LARGEST_EXACT = 50
_LARGEST_EXACT_TIED = 13

Method = Literal["exact", "normal"]


@dataclass(frozen=True, slots=True)
class WilcoxonResult:
    """Rank sums of the pairs where B is higher and where A is higher, and what they tell.

    `statistic` is the smaller rank sum. The rank sums are None when no pair differs; the
    p-values and the method are None, with a reason, below 6 non-zero pairs.
    """

    n: int
    n_nonzero: int
    w_plus: float | None
    w_minus: float | None
    statistic: float | None
    method: Method | None
    p_two_sided: float | None
    p_greater: float | None
    p_less: float | None
    reason: str | None


def wilcoxon_signed_rank(a: Values, b: Values) -> WilcoxonResult:
    """Test whether b − a is symmetric about 0, by the ranks of its sizes.

    Zero differences are dropped (Wilcoxon, Biometrics Bulletin 1, 1945); the others are
    ranked by size, equal sizes sharing their mean rank; W+ and W− are the rank sums of the
    positive and negative ones. Sizes are rounded to 12 decimals before they are ranked, so
    that float noise neither makes nor breaks ties (see `TIE_TOLERANCE`).

    The p-values are those of `scipy.stats.wilcoxon` with `method="auto"` on the non-zero
    differences: exact for up to 50 untied ones and, by enumerating all signs, for up to 13
    tied ones; else from the normal approximation z = (W+ − n(n+1)/4) / σ with
    σ² = n(n+1)(2n+1)/24 − Σ(t³ − t)/48 over groups of t tied sizes, without continuity
    correction. (SciPy given the zeros as well counts them in n when it chooses the method.)

    Below 6 non-zero pairs no two-sided p can reach 0.05 and none is given.
    """
    differences = pair_differences(a, b)
    ranks = rank_differences(differences)
    if ranks.n < _FEWEST_NONZERO:
        return _result(
            differences.n,
            ranks,
            reason=f"too few non-zero pairs: {ranks.n}, at least {_FEWEST_NONZERO} are needed",
        )
    if not ranks.tied and ranks.n <= _LARGEST_EXACT:
        exact = tails(*signed_rank_tails(ranks.differences))
        return _result(differences.n, ranks, method="exact", p=exact)
    if ranks.n <= _LARGEST_EXACT_TIED:
        return _result(differences.n, ranks, method="exact", p=_enumerated_tails(ranks))
    return _result(differences.n, ranks, method="normal", p=_normal_tails(ranks))


def _enumerated_tails(ranks: SignedRanks) -> Tails:
    # Mean ranks are whole or half numbers, so these sums are exact and compare exactly.
    sums = all_signed_sums(ranks.ranks)
    observed = ranks.w_plus - ranks.w_minus
    return tails(
        greater=float(np.mean(sums >= observed)),
        less=float(np.mean(sums <= observed)),
    )


def _normal_tails(ranks: SignedRanks) -> Tails:
    n = ranks.n
    tie_sizes = ranks.tie_sizes.astype(np.float64)
    tie_correction = float(np.sum(tie_sizes**3 - tie_sizes)) / 48.0
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0 - tie_correction)
    z = (ranks.w_plus - n * (n + 1) / 4.0) / spread
    return tails(greater=normal_cdf(-z), less=normal_cdf(z))


def _result(
    n: int,
    ranks: SignedRanks,
    *,
    method: Method | None = None,
    p: Tails | None = None,
    reason: str | None = None,
) -> WilcoxonResult:
    ranked = ranks.n > 0
    return WilcoxonResult(
        n=n,
        n_nonzero=ranks.n,
        w_plus=ranks.w_plus if ranked else None,
        w_minus=ranks.w_minus if ranked else None,
        statistic=min(ranks.w_plus, ranks.w_minus) if ranked else None,
        method=method,
        p_two_sided=p.two_sided if p else None,
        p_greater=p.greater if p else None,
        p_less=p.less if p else None,
        reason=reason,
    )


def _run_by_name(a: FloatArray, b: FloatArray, _: int) -> TestResult:
    result = wilcoxon_signed_rank(a, b)
    w = "–" if result.statistic is None else f"{result.statistic:g}"
    detail = f"W = {w}, {result.n_nonzero} of {result.n} pairs differ"
    return TestResult.of("wilcoxon", detail, result)


PAIRED_TESTS.register("wilcoxon", PairedTest("wilcoxon", "Wilcoxon signed-rank", _run_by_name))
