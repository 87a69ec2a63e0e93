"""Reciprocal rank fusion: words with meaning inside a source, then the lists of the sources.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a document earns weight / (k + rank)
in each list that has it.

**Words with meaning** (`blend`): a static embedding model ranks worse than words alone, so its list
has the smaller share; measured on NFCorpus and CoSQA (`benchmarks/hybrid_quality.py`). Passages of
books are blended with an encoder by their scores instead: of hundreds of passages in one voice, the
first is often far ahead of the second, and ranks do not say so. Documents whose name is the query
come before all others, in the order by words: similarity never displaces a name.

**Sources** (`Fusion`): ranks alone would let the source of the highest weight fill the first page
with whatever it has, so what a rank earns is multiplied by the cube of the document's score
relative to the best of all sources: the weight of a source decides among documents of like
quality. That is for names: a person who types a name means the reference that has it. A question
in words is answered by the page that says most about it, be it a proposal or a chapter of a book,
so there all sources have the same weight; but a page of an archive lets the next current page go
first.
"""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass, field
from itertools import accumulate, chain
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import QueryError
from stacks.query.candidates import BlendedRank, FusedRank, RankedCandidate
from stacks.query.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["MEANING_SHARE", "Blend", "Fusion", "blend", "compare_lists", "put_archives_back"]

MEANING_SHARE = WEIGHTS["meaning"].value
"""The share of meaning beside words, unless the ranking or the user has another."""


@dataclass(frozen=True, slots=True)
class Blend:
    """The `k` of the fusion, and the share of meaning in it: from 0 to 1, 0.5 is as much as words.

    If the share is None, the ranking of the source decides. With `by_scores`, scores relative to
    the best take the place of ranks, and there is no k.
    """

    k: float = WEIGHTS["rrf_k"].value
    share: float | None = None
    by_scores: bool = False

    def __post_init__(self) -> None:
        if self.share is not None and not 0 <= self.share <= 1:
            raise QueryError(f"the share of meaning is from 0 to 1; got {self.share}")


def blend(
    by_words: Sequence[RankedCandidate],
    others: Sequence[RankedCandidate],
    similarities: Mapping[int, float],
    settings: Blend,
    usual_share: float = MEANING_SHARE,
    framework_scores: Mapping[int, float] = MappingProxyType({}),
) -> list[RankedCandidate]:
    """Fuse a list by words with similarities in meaning; `others` are found by meaning alone.

    `usual_share` is the share of meaning if the settings have none. `framework_scores` are added
    to the similarities before they are ranked.
    """
    share = usual_share if settings.share is None else settings.share
    found = [*by_words, *others]
    uris = {each.candidate.id: each.candidate.uri for each in found}
    similar = sorted(
        (number for number in similarities if number in uris),
        key=lambda number: (
            -similarities[number] - framework_scores.get(number, 0.0),
            uris[number],
        ),
    )
    # A document that only one list has earns nothing in the other: no rank is made up for it.
    word_ranks = {each.candidate.id: rank for rank, each in enumerate(by_words, 1)}
    meaning_ranks = {number: rank for rank, number in enumerate(similar, 1)}
    scored = _earn_by_scores(found, similarities, share) if settings.by_scores else None
    k = None if settings.by_scores else settings.k
    ordered = []
    for candidate, factors, score, tier, is_named, _ in found:
        number = candidate.id
        words, meaning = word_ranks.get(number), meaning_ranks.get(number)
        if scored is not None:
            earned = scored[number]
        else:
            earned = (1 - share) / (settings.k + words) if words else 0.0
            earned += share / (settings.k + meaning) if meaning else 0.0
        rank = BlendedRank(words, meaning, similarities.get(number), earned, share, k)
        # Names by their tier and their rank by words; all others by what both lists earn them.
        place = (-tier, words if tier and words else 0, -earned, candidate.uri)
        # `_replace` takes four times as long, for each of hundreds.
        ordered.append((place, RankedCandidate(candidate, factors, score, tier, is_named, rank)))
    ordered.sort(key=itemgetter(0))
    return [ranked for _, ranked in ordered]


def _earn_by_scores(
    found: Sequence[RankedCandidate], similarities: Mapping[int, float], share: float
) -> dict[int, float]:
    """Return what each document earns by its score and its similarity, relative to the best."""
    # If every score is 0, so is every share: dividing by 1 keeps them so.
    best = max((each.score for each in found), default=0.0) or 1.0
    nearest = max(similarities.values(), default=0.0) or 1.0
    return {
        each.candidate.id: (1 - share) * each.score / best
        + share * similarities.get(each.candidate.id, 0.0) / nearest
        for each in found
    }


@dataclass(frozen=True, slots=True)
class Fusion:
    """How lists are fused.

    - `k` is used for both fusions; None is the default.
    - `weights` replace the weights that an index has for its sources.
    - `meaning` is the share of meaning beside words.
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
        """How words and meaning are fused; by scores if a ranking wants it and no k is given."""
        return Blend(Blend().k if self.k is None else self.k, self.meaning, self.k is None)

    def score_ranks(
        self, source: str, weight: float, relevances: Sequence[float], *, is_prose: bool = False
    ) -> list[FusedRank]:
        """Return what each rank of a source's list earns, given the relevance of its documents."""
        # A weight that a person gives counts for questions in words, too.
        weight = self.weights.get(source, 1.0 if is_prose else weight)
        k = self.blend.k
        power = WEIGHTS["relevance_power"].value
        return [
            FusedRank(source, rank, weight, relevance, weight / (k + rank) * relevance**power)
            for rank, relevance in enumerate(relevances, 1)
        ]


def put_archives_back(ranks: Sequence[FusedRank], archives: Collection[str]) -> list[int]:
    """Return the order of `ranks` in which each archived page lets the next current one pass.

    `ranks` are given in the order of what they earn; `archives` are names of sources. A current
    page that earns far less passes nothing.
    """
    enough = WEIGHTS["archive_passed"].value
    order: list[int] = []
    waiting: deque[int] = deque()
    for place, rank in enumerate(ranks):
        if rank.source in archives:
            waiting.append(place)
            continue
        # Archived pages that are far better than this one are not passed by it.
        while waiting and rank.earned < enough * ranks[waiting[0]].earned:
            order.append(waiting.popleft())
        order.append(place)
        # One current page passes one archived page, not all that wait.
        if waiting:
            order.append(waiting.popleft())
    return [*order, *waiting]


def compare_lists(lists: Sequence[Sequence[RankedCandidate]]) -> list[list[float]]:
    """Return a relevance from 1 down for each place of several lists, on one scale for all.

    By words, a place has its score relative to the best of all lists, or that of a better one
    below it. If meaning was blended in, similarity relative to the most similar of all has its
    share. A file or a blended document that has the query as its name is worth as much as the best.
    """
    every = [*chain.from_iterable(lists)]
    similarities = [each.blended.similarity or 0.0 for each in every if each.blended]
    best = _Best(
        max([each.score for each in every], default=0.0) or 1.0,
        max(similarities, default=0.0) or 1.0,
    )
    relevances = []
    for ranked in lists:
        rate = _rate_blended if any(each.blended for each in ranked) else _rate_by_words
        pairs = zip(ranked, rate(ranked, best), strict=True)
        values = [1.0 if _keeps_its_place(each) else value for each, value in pairs]
        # The fusion must keep the order of each list, so no place is worth more than one above it.
        relevances.append(list(accumulate(values, min)))
    return relevances


class _Best(NamedTuple):
    """The best score by words, and the greatest similarity, of all lists."""

    score: float
    similarity: float


def _keeps_its_place(ranked: RankedCandidate) -> bool:
    """Return whether a candidate has its place by its name, whatever its score."""
    return ranked.is_named and (ranked.blended is not None or ranked.tier > 1)


def _rate_by_words(ranked: Sequence[RankedCandidate], best: _Best) -> list[float]:
    """Rate a list by words: a place is worth no less than any below it."""
    scores = [each.score / best.score for each in ranked]
    # Names and features may put a lower score first; the greatest from here down stands for it.
    return list(accumulate(reversed(scores), max))[::-1]


def _rate_blended(ranked: Sequence[RankedCandidate], best: _Best) -> list[float]:
    """Rate a blended list: each place by its words and its similarity, in their shares."""
    rates = []
    for each in ranked:
        blended, words = each.blended, each.score / best.score
        if blended is None:
            rates.append(words)
            continue
        similarity = (blended.similarity or 0.0) / best.similarity
        rates.append((1 - blended.share) * words + blended.share * similarity)
    return rates


def _is_amount(number: float) -> bool:
    """Return whether a number is finite and not negative."""
    return 0 <= number <= sys.float_info.max
