"""Ranked lists that cannot be compared by score, made one by rank.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a document earns weight / (k + rank)
in its source's list. Ranks alone would let the weightiest source fill the first page with whatever
it has, so what a rank earns is multiplied by the cube of the document's score relative to the best
of all sources: authority decides among answers of like quality.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import QueryError
from stacks.query.blending import Blend

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Fusion", "Standing"]


USUAL_K = 60.0
"""For the lists of sources."""


class Standing(NamedTuple):
    """A place in one list, and what it earns."""

    source: str
    rank: int
    weight: float
    relevance: float
    earned: float


@dataclass(frozen=True, slots=True)
class Fusion:
    """How lists are fused: `k`, and weights that replace those an index has for its sources.

    `k` holds for the lists of sources, and for those by words and by meaning; where it is None,
    each has its own. `meaning` is the share of meaning beside words.
    """

    k: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    meaning: float | None = None

    def __post_init__(self) -> None:
        if self.k is not None and not _is_amount(self.k):
            raise QueryError(f"the k of the rank fusion is a number from 0 on; got {self.k}")
        for source, weight in self.weights.items():
            if not _is_amount(weight):
                raise QueryError(f"the weight of {source} is a number from 0 on; got {weight}")

    @property
    def blend(self) -> Blend:
        """How words and meaning are fused."""
        return Blend(Blend().k if self.k is None else self.k, self.meaning)

    def stand(
        self, source: str, weight: float, scores: Sequence[float], best: float
    ) -> list[Standing]:
        """Say what each place in a source's list earns; `best` is the best score of all lists.

        A place never earns more than the one above it, whatever its score.
        """
        weight = self.weights.get(source, weight)
        k = USUAL_K if self.k is None else self.k
        standings = []
        relevance = 1.0
        for rank, score in enumerate(scores, 1):
            relevance = min(relevance, score / best if best > 0 else 1.0)
            earned = weight / (k + rank) * relevance**3
            standings.append(Standing(source, rank, weight, relevance, earned))
        return standings


def _is_amount(number: float) -> bool:
    """Tell whether a number can be reckoned with: neither negative, nor infinite, nor none."""
    return 0 <= number <= sys.float_info.max
