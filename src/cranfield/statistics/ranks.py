"""Signed ranks: how large each difference is among all, and which build it favours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.statistics.pairs import FloatArray, PairedDifferences

__all__ = ["SignedRanks", "rank_differences"]


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
