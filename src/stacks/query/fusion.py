"""Ranked lists that cannot be compared by score, made one by rank.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a document earns weight / (k + rank)
from every list it stands in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Fusion", "Standing"]


class Standing(NamedTuple):
    """A place in one list, and what it earns."""

    source: str
    rank: int
    weight: float
    earned: float


@dataclass(frozen=True, slots=True)
class Fusion:
    """How lists are fused: `k`, and weights that replace those an index has for its sources."""

    k: float = 60.0
    weights: Mapping[str, float] = field(default_factory=dict)

    def stand(self, source: str, rank: int, weight: float) -> Standing:
        """Say what a rank (from 1) in a source's list earns."""
        weight = self.weights.get(source, weight)
        return Standing(source, rank, weight, weight / (self.k + rank))

    def order(self, standings: Mapping[str, Sequence[Standing]]) -> list[str]:
        """Order documents by what they earn; ties go by name."""
        earned = {name: sum(each.earned for each in own) for name, own in standings.items()}
        return sorted(earned, key=lambda name: (-earned[name], name))
