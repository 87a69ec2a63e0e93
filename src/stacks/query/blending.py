"""What the words of a query find and what its meaning finds, made one list by rank.

Reciprocal rank fusion again: a document earns its share / (k + rank) in either list. A static
model of language ranks worse than words alone, so its list has the smaller share; measured on
NFCorpus and CoSQA (`benchmarks/hybrid_quality.py`). Documents whose name is the query stand
above all others, in the order that words give them: likeness never displaces a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stacks.query.corrections import Candidate, Factor

SHARE = 1 / 3
"""Of meaning, for documents that say nothing else."""

__all__ = ["SHARE", "Blend", "Blended", "Ranked", "blend"]


@dataclass(frozen=True, slots=True)
class Blend:
    """`k` of the fusion, and the share of meaning in it from 0 to 1: 0.5 is as much as words.

    Where the share is None, the kind of documents decides.
    """

    k: float = 20.0
    share: float | None = None

    def __post_init__(self) -> None:
        if self.share is not None and not 0 <= self.share <= 1:
            raise QueryError(f"the share of meaning is from 0 to 1; got {self.share}")


class Blended(NamedTuple):
    """How a document came to its place: its rank by words, by meaning, and what both earn."""

    words: int | None
    meaning: int | None
    similarity: float | None
    earned: float


class Ranked(NamedTuple):
    """A candidate in its source's list, with its score and how it came to it.

    Of two candidates the one of the higher `tier` stands first, whatever their scores.
    """

    candidate: Candidate
    factors: tuple[Factor, ...]
    score: float
    tier: int = 0
    blended: Blended | None = None


def blend(
    by_words: Sequence[Ranked],
    others: Sequence[Ranked],
    similarities: Mapping[int, float],
    settings: Blend,
    usual: float = SHARE,
) -> list[Ranked]:
    """Fuse a list by words with likenesses in meaning; `others` are found by meaning alone.

    `usual` is the share of meaning where the settings have none. Scores become parts of the best
    score by words, so that lists of several sources compare.
    """
    share = usual if settings.share is None else settings.share
    ranks = {each.candidate.id: rank for rank, each in enumerate(by_words, 1)}
    found = [*by_words, *others]
    uris = {each.candidate.id: each.candidate.uri for each in found}
    alike = sorted(
        (number for number in similarities if number in uris),
        key=lambda number: (-similarities[number], uris[number]),
    )
    meanings = {number: rank for rank, number in enumerate(alike, 1)}
    places = {}
    for number in uris:
        words, meaning = ranks.get(number), meanings.get(number)
        earned = (1 - share) / (settings.k + words) if words else 0.0
        earned += share / (settings.k + meaning) if meaning else 0.0
        places[number] = Blended(words, meaning, similarities.get(number), earned)
    ordered = sorted(found, key=lambda each: _place(each, places[each.candidate.id]))
    return _rescale(ordered, places)


def _place(ranked: Ranked, blended: Blended) -> tuple[float, float, float, str]:
    """Names by their tier and the order of words; everything else by what both lists give it."""
    by_words = blended.words if ranked.tier and blended.words else 0
    return -ranked.tier, by_words, -blended.earned, ranked.candidate.uri


def _rescale(ordered: Sequence[Ranked], places: Mapping[int, Blended]) -> list[Ranked]:
    """Give each place the best score by words, lowered by how much less it earns than the best."""
    most = max((each.score for each in ordered), default=0.0) or 1.0
    best = max((blended.earned for blended in places.values()), default=0.0) or 1.0
    result = []
    share = 1.0
    for each in ordered:
        blended = places[each.candidate.id]
        share = min(share, 1.0 if each.tier else blended.earned / best)
        result.append(each._replace(score=most * share, blended=blended))
    return result
