"""What the words of a query find and what its meaning finds, made one list by rank.

Reciprocal rank fusion again: a document earns its share / (k + rank) in either list. A static
model of language ranks worse than words alone, so its list has the smaller share; measured on
NFCorpus and CoSQA (`benchmarks/hybrid_quality.py`). Documents whose name is the query stand
above all others, in the order that words give them: likeness never displaces a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
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
    """How a document came to its place: its rank by words, by meaning, and what both earn.

    `share` and `k` are those of the fusion.
    """

    words: int | None
    meaning: int | None
    similarity: float | None
    earned: float
    share: float
    k: float


class Ranked(NamedTuple):
    """A candidate in its source's list, with its score by words and how it came to it.

    `tier` says how it is named by the query, 0 is not at all: where words and meaning are
    blended, and among files always, a higher tier stands first. `is_named` says that the query
    is its whole name.
    """

    candidate: Candidate
    factors: tuple[Factor, ...]
    score: float
    tier: int = 0
    is_named: bool = False
    blended: Blended | None = None


def blend(
    by_words: Sequence[Ranked],
    others: Sequence[Ranked],
    similarities: Mapping[int, float],
    settings: Blend,
    usual: float = SHARE,
    given: Mapping[int, float] = MappingProxyType({}),
) -> list[Ranked]:
    """Fuse a list by words with likenesses in meaning; `others` are found by meaning alone.

    `usual` is the share of meaning where the settings have none. `given` is what documents have
    beside their own likeness, in the list by meaning.
    """
    share = usual if settings.share is None else settings.share
    ranks = {each.candidate.id: rank for rank, each in enumerate(by_words, 1)}
    found = [*by_words, *others]
    uris = {each.candidate.id: each.candidate.uri for each in found}
    alike = sorted(
        (number for number in similarities if number in uris),
        key=lambda number: (-similarities[number] - given.get(number, 0.0), uris[number]),
    )
    meanings = {number: rank for rank, number in enumerate(alike, 1)}
    places = {}
    for number in uris:
        words, meaning = ranks.get(number), meanings.get(number)
        earned = (1 - share) / (settings.k + words) if words else 0.0
        earned += share / (settings.k + meaning) if meaning else 0.0
        places[number] = Blended(
            words, meaning, similarities.get(number), earned, share, settings.k
        )
    ordered = sorted(found, key=lambda each: _place(each, places[each.candidate.id]))
    return [each._replace(blended=places[each.candidate.id]) for each in ordered]


def _place(ranked: Ranked, blended: Blended) -> tuple[float, float, float, str]:
    """Names by their tier and the order of words; everything else by what both lists give it."""
    by_words = blended.words if ranked.tier and blended.words else 0
    return -ranked.tier, by_words, -blended.earned, ranked.candidate.uri
