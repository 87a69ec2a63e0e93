"""An exact rank-sum test: whether a few values are lower than others of the same kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import StatisticsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.statistics.pairs import FloatArray, Values

__all__ = ["rank_sum_p_less"]

_DECIMALS = 12
_MOST_VALUES = 120
"""Up to so many values every different one has its own rank; beyond, neighbours share one."""
_COARSE_RANKS = 8


def rank_sum_p_less(before: Values, after: Values) -> float:
    """Return the chance that values drawn from one place are as low as `after` beside `before`.

    All values are ranked together; the lowest has rank 0, the next higher one rank 1, and values
    equal up to 12 decimals the same rank. The p-value is the share of all ways to choose as many
    values as `after` has whose ranks come to no more than those of `after`, a permutation test
    that is counted, not drawn. For yes-or-no values it is Fisher's exact test. To test whether
    `after` is higher, exchange the two and turn their signs.
    """
    first, second = _as_values(before, "before"), _as_values(after, "after")
    ranks = _rank(np.concatenate([first, second]))
    return min(1.0, _add_chances(ranks, second.size, int(ranks[first.size :].sum())))


def _rank(values: FloatArray) -> NDArray[np.int64]:
    """Rank values; very many are put into a few equal groups, whose order alone then counts."""
    different, ranks = np.unique(np.round(values, _DECIMALS), return_inverse=True)
    if values.size > _MOST_VALUES and different.size > _COARSE_RANKS:
        edges = np.quantile(ranks, np.linspace(0, 1, _COARSE_RANKS + 1)[1:-1])
        ranks = np.searchsorted(np.unique(edges), ranks, side="left")
    return ranks.astype(np.int64)


def _add_chances(ranks: NDArray[np.int64], count: int, most: int) -> float:
    """Add up the chances of all choices of `count` ranks whose sum is at most so much.

    Rank after rank is taken or left, with the chance that it is among the chosen given how many
    were taken before, which cannot overflow; sums beyond `most` are let go.
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


def _as_values(values: Values, name: str) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if not array.size or not np.isfinite(array).all():
        raise StatisticsError(f"{name} needs at least one value, and only finite ones")
    return array
