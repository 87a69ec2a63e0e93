"""The routing and the vocabulary of an index, applied to a query."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from stacks.guidance import Routing, Vocabulary
from stacks.query.candidates import prepare
from stacks.query.questions import quote_phrase
from stacks.query.rankings import get_ranking
from stacks.schema import SOURCE_SHIFT
from stacks.text import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stacks.guidance import Decision, Expansion
    from stacks.query.database import Database
    from stacks.query.questions import Question

__all__ = ["Guidance", "Seen"]

_COUNT = "SELECT count(*) FROM docs_fts WHERE docs_fts MATCH ?"
_HAS = "SELECT 1 FROM docs_fts WHERE docs_fts MATCH ? AND rowid = ?"

LOOKED_AT = 10
"""Hits of which one must be above the floor."""


class Seen(NamedTuple):
    """A document that was found: where it is, and how like it is in meaning."""

    database: Database
    id: int
    similarity: float


class Guidance:
    """What the files of an index say about queries; the first that says something decides."""

    def __init__(self, databases: Iterable[Database]) -> None:
        said = [database.facts for database in databases]
        routing = next((facts["routing"] for facts in said if facts.get("routing")), "")
        words = next((facts["vocabulary"] for facts in said if facts.get("vocabulary")), "")
        self.routing = Routing.parse(routing) if routing else Routing()
        self.vocabulary = Vocabulary.parse(words) if words else Vocabulary()

    def expand(self, text: str, decision: Decision) -> tuple[Expansion, ...]:
        """Say what a query is asked with too: the corpus's words for its own, and its intent's.

        What it says itself is not added once more.
        """
        words = fold_words(text)
        found = (*self.vocabulary.expand(words), *decision.expansions)
        return tuple(each for each in found if not set(fold_words(each.phrase)) <= set(words))

    def is_above_floor(self, question: Question, found: Sequence[Seen]) -> bool:
        """Tell whether one of the first hits is about the query at all."""
        floor = self.routing.floor
        if floor.coverage <= 0 or question.bridged:
            return True
        if any(each.similarity >= floor.similarity for each in found):
            return True
        first = found[:LOOKED_AT]
        return any(_cover(question, each) >= floor.coverage for each in first)


def _cover(question: Question, seen: Seen) -> float:
    """The share of a query's words that a document has, each by its rarity.

    A word that no document has is as rare as can be; what it was perhaps meant for counts.
    """
    number = seen.id >> SOURCE_SHIFT
    ranking = get_ranking(seen.database.sources[number].ranking)
    question = prepare(question, seen.database, [number], ranking)
    meant = {each.because.partition(",")[0]: each for each in question.bridged}
    total = held = 0.0
    for word in dict.fromkeys(question.query.words):
        term, weight = question.write(word), 1.0
        count = int(seen.database.value(_COUNT, (term,)))
        rarity = log(1 + seen.database.documents / (1 + count))
        total += rarity
        if not count and word in meant:
            term, weight = quote_phrase(meant[word].phrase), meant[word].weight
        if seen.database.value(_HAS, (term, seen.id)):
            held += weight * rarity
    return held / (total or 1.0)
