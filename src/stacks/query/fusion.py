"""Ranked lists that cannot be compared by score, made one by rank.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a document earns weight / (k + rank)
in its source's list. Ranks alone would let the weightiest source fill the first page with whatever
it has, so what a rank earns is multiplied by the cube of the document's score relative to the best
of all sources: authority decides among answers of like quality.

That is for names: who types one means the reference that has it. A question in words is answered
by what says most of it, be it a proposal or a chapter of a book, so there sources are equals; but
a page of an archive lets the next living one go before it.
"""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import QueryError
from stacks.query.blending import Blend

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from stacks.query.blending import Ranked

__all__ = ["Fusion", "Standing", "compare_lists", "let_pass"]


USUAL_K = 60.0
"""For the lists of sources."""
NEARLY = 0.25
"""How much a living page has to earn beside an archived one that it goes before."""
BESIDE_A_NAME = 0.8
"""What everything else is worth where something is called what was typed."""


class Standing(NamedTuple):
    """A place in one list, and what it earns; `is_passed` says that it let another go first."""

    source: str
    rank: int
    weight: float
    relevance: float
    earned: float
    is_passed: bool = False


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
        self, source: str, weight: float, relevances: Sequence[float], *, is_prose: bool = False
    ) -> list[Standing]:
        """Say what each place in a source's list earns, by how relevant it is beside the best."""
        weight = self.weights.get(source, 1.0 if is_prose else weight)
        k = USUAL_K if self.k is None else self.k
        return [
            Standing(source, rank, weight, relevance, weight / (k + rank) * relevance**3)
            for rank, relevance in enumerate(relevances, 1)
        ]


def let_pass(standings: Sequence[Standing], archived: Collection[str]) -> list[int]:
    """Say in which order standings come if each of an archive lets the next living one pass.

    They are given in the order of what they earn; `archived` are sources. One that earns far less
    passes nothing.
    """
    order: list[int] = []
    waiting: deque[int] = deque()
    for place, standing in enumerate(standings):
        if standing.source in archived:
            waiting.append(place)
            continue
        while waiting and standing.earned < NEARLY * standings[waiting[0]].earned:
            order.append(waiting.popleft())
        order.append(place)
        if waiting:
            order.append(waiting.popleft())
    return [*order, *waiting]


def compare_lists(lists: Sequence[Sequence[Ranked]]) -> list[list[float]]:
    """Give the places of several lists a relevance from 1 down, the same scale for all.

    By words a place is worth its score beside the best of all lists, or that of a better one
    that stands below it. Where meaning was blended in, likeness beside the most alike of all has
    its share in that. Where a file or a blended document is called what was typed, nothing that
    is not comes near.
    """
    most = _Most(
        max((each.score for ranked in lists for each in ranked), default=0.0) or 1.0,
        max((_likeness(each) for ranked in lists for each in ranked), default=0.0) or 1.0,
    )
    is_named = any(_is_called(each) for ranked in lists for each in ranked)
    relevances = []
    for ranked in lists:
        values = _rate_blended(ranked, most) if _has_meaning(ranked) else _rate(ranked, most)
        if is_named:
            pairs = zip(ranked, values, strict=True)
            values = [1.0 if _is_called(each) else BESIDE_A_NAME * value for each, value in pairs]
        relevances.append(list(accumulate(values, min)))
    return relevances


class _Most(NamedTuple):
    """The best score by words, and the greatest likeness, of all lists."""

    score: float
    likeness: float


def _likeness(ranked: Ranked) -> float:
    return (ranked.blended.similarity or 0.0) if ranked.blended else 0.0


def _is_called(ranked: Ranked) -> bool:
    """Tell whether a place is held by its name, whatever its score."""
    return ranked.is_named and (ranked.blended is not None or ranked.tier > 1)


def _has_meaning(ranked: Sequence[Ranked]) -> bool:
    return any(each.blended for each in ranked)


def _rate(ranked: Sequence[Ranked], most: _Most) -> list[float]:
    """Rate a list by words: a place is worth no less than any below it."""
    scores = [each.score / most.score for each in ranked]
    return list(accumulate(reversed(scores), max))[::-1]


def _rate_blended(ranked: Sequence[Ranked], most: _Most) -> list[float]:
    """Rate a blended list: each place by its words and its likeness, in their shares."""
    rates = []
    for each in ranked:
        share = each.blended.share if each.blended else 0.0
        words, likeness = each.score / most.score, _likeness(each) / most.likeness
        rates.append((1 - share) * words + share * likeness)
    return rates


def _is_amount(number: float) -> bool:
    """Tell whether a number can be reckoned with: neither negative, nor infinite, nor none."""
    return 0 <= number <= sys.float_info.max
