"""Rank tests: Wilcoxon's signed-rank test of pairs, and an exact rank-sum test of two groups."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield.errors import StatisticsError
from cranfield.statistics.distributions import Tails, make_tails, normal_cdf, signed_rank_tails
from cranfield.statistics.paired_tests import PAIRED_TESTS, FullResult, PairedTest, TestResult
from cranfield.statistics.pairs import pair_differences
from cranfield.statistics.randomisation import all_signed_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.statistics.pairs import FloatArray, PairedDifferences, Values

__all__ = [
    "SignedRanks",
    "WilcoxonResult",
    "rank_differences",
    "rank_sum_p_less",
    "wilcoxon_signed_rank",
]

_FEWEST_NONZERO = 6
_LARGEST_EXACT = 50
_LARGEST_EXACT_TIED = 13

Method = Literal["exact", "normal"]

_DECIMALS = 12
_MOST_VALUES = 120
"""Up to this many values each distinct one has its own rank; beyond, neighbours share one."""
_COARSE_RANKS = 8


@dataclass(frozen=True, slots=True, eq=False)
class SignedRanks:
    """The non-zero differences with the ranks of their sizes.

    Equal sizes share the mean of their ranks; `tie_sizes` counts how many share each.
    """

    differences: FloatArray
    ranks: FloatArray
    tie_sizes: NDArray[np.int64]

    @property
    def n(self) -> int:
        """The number of non-zero differences."""
        return int(self.ranks.size)

    @property
    def tied(self) -> bool:
        """Whether any two sizes are equal."""
        return self.tie_sizes.size < self.n

    @property
    def w_plus(self) -> float:
        """The sum of the ranks of the positive differences."""
        return float(self.ranks[self.differences > 0.0].sum())

    @property
    def w_minus(self) -> float:
        """The sum of the ranks of the negative differences."""
        return float(self.ranks[self.differences < 0.0].sum())


def rank_differences(differences: PairedDifferences) -> SignedRanks:
    """Drop the ties between A and B and rank the other differences by size, smallest first."""
    kept = differences.comparable[differences.comparable != 0.0]
    _, places, counts = np.unique(np.abs(kept), return_inverse=True, return_counts=True)
    mean_ranks = np.cumsum(counts) - (counts - 1) / 2.0
    return SignedRanks(
        differences=kept,
        ranks=mean_ranks[places].astype(np.float64),
        tie_sizes=counts.astype(np.int64),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WilcoxonResult(FullResult):
    """Rank sums of the pairs where B is higher and where A is higher, and their p-values.

    `statistic` is the smaller rank sum. The rank sums are None when no pair differs; the
    p-values and the method are None, with a reason, below 6 non-zero pairs.
    """

    n: int
    n_nonzero: int
    w_plus: float | None
    w_minus: float | None
    statistic: float | None
    method: Method | None


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
        exact = make_tails(*signed_rank_tails(ranks.w_plus, ranks.n))
        return _result(differences.n, ranks, method="exact", p=exact)
    if ranks.n <= _LARGEST_EXACT_TIED:
        return _result(differences.n, ranks, method="exact", p=_enumerated_tails(ranks))
    return _result(differences.n, ranks, method="normal", p=_normal_tails(ranks))


def _enumerated_tails(ranks: SignedRanks) -> Tails:
    # Mean ranks are whole or half numbers, so these sums are exact and compare exactly.
    sums = all_signed_sums(ranks.ranks)
    observed = ranks.w_plus - ranks.w_minus
    return make_tails(
        greater=float(np.mean(sums >= observed)), less=float(np.mean(sums <= observed))
    )


def _normal_tails(ranks: SignedRanks) -> Tails:
    n = ranks.n
    tie_sizes = ranks.tie_sizes.astype(np.float64)
    tie_correction = float(np.sum(tie_sizes**3 - tie_sizes)) / 48.0
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0 - tie_correction)
    z = (ranks.w_plus - n * (n + 1) / 4.0) / spread
    return make_tails(greater=normal_cdf(-z), less=normal_cdf(z))


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
        **(p._asdict() if p else {}),
        reason=reason,
    )


def _run_wilcoxon(a: FloatArray, b: FloatArray, _: int) -> TestResult:
    result = wilcoxon_signed_rank(a, b)
    plus, minus = ("–" if w is None else f"{w:g}" for w in (result.w_plus, result.w_minus))
    detail = f"W+ = {plus}, W− = {minus}, N = {result.n_nonzero} of {result.n} pairs"
    return TestResult.of("wilcoxon", detail, result)


PAIRED_TESTS.register("wilcoxon", PairedTest("wilcoxon", "Wilcoxon signed-rank", _run_wilcoxon))


def rank_sum_p_less(before: Values, after: Values) -> float:
    """Return the chance that values of one population are as low as `after` beside `before`.

    All values are ranked together; the lowest has rank 0, the next higher one rank 1, and values
    equal up to 12 decimals the same rank. The p-value is the share of all ways to choose as many
    values as `after` has whose ranks sum to no more than those of `after`: an exact permutation
    test. For yes-or-no values it is Fisher's exact test. To test whether `after` is higher, swap
    the two and their signs.
    """
    first, second = _as_finite(before, "before"), _as_finite(after, "after")
    ranks = _rank(np.concatenate([first, second]))
    return min(1.0, _add_chances(ranks, second.size, int(ranks[first.size :].sum())))


def _rank(values: FloatArray) -> NDArray[np.int64]:
    """Rank values; very many are put into a few equal groups, and only their order counts."""
    different, ranks = np.unique(np.round(values, _DECIMALS), return_inverse=True)
    if values.size > _MOST_VALUES and different.size > _COARSE_RANKS:
        edges = np.quantile(ranks, np.linspace(0, 1, _COARSE_RANKS + 1)[1:-1])
        ranks = np.searchsorted(np.unique(edges), ranks, side="left")
    return ranks.astype(np.int64)


def _add_chances(ranks: NDArray[np.int64], count: int, most: int) -> float:
    """Add up the chances of all choices of `count` ranks whose sum is at most `most`.

    Rank after rank is taken or left, with the chance that it is among the chosen given how many
    were taken before, which cannot overflow; sums beyond `most` are dropped.
    """
    chances = np.zeros((count + 1, most + 1))
    chances[0, 0] = 1.0
    wanted = np.arange(count, -1, -1.0)
    for place, rank in enumerate(ranks.tolist()):
        share = np.clip(wanted / (ranks.size - place), 0.0, 1.0)[:, None]
        taken = chances[:-1] * share[:-1]
        chances *= 1.0 - share
        if rank <= most:
            chances[1:, rank:] += taken[:, : most + 1 - rank]
    return float(chances[count].sum())


def _as_finite(values: Values, name: str) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if not array.size or not np.isfinite(array).all():
        raise StatisticsError(f"{name} needs at least one value, and only finite ones")
    return array
