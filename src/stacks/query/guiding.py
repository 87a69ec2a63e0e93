"""The routing and the vocabulary of an index, applied to a query."""

from __future__ import annotations

from functools import lru_cache
from heapq import nlargest
from itertools import islice
from math import log
from typing import TYPE_CHECKING, NamedTuple

from stacks.guidance import Routing, Vocabulary
from stacks.query.candidates import prepare
from stacks.query.filters import Condition
from stacks.query.lexical import LexicalSearch
from stacks.query.questions import quote_phrase
from stacks.query.rankings import get_ranking
from stacks.schema import SOURCE_SHIFT
from stacks.text import fold_words
from stacks.text.natural import NATURAL_LANGUAGES, detect_language, stem_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stacks.guidance import Decision, Expansion
    from stacks.query.database import Database
    from stacks.query.questions import Question

__all__ = ["Guidance", "Seen"]

MOST_EXPANSIONS = 32
"""Phrases that a query is asked with too, the weightiest."""
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
        self.routing = _parse_routing(_first(said, "routing"))
        self.vocabulary = _parse_vocabulary(_first(said, "vocabulary"))

    def expand(self, text: str, decision: Decision) -> tuple[Expansion, ...]:
        """Say what a query is asked with too: the corpus's words for its own, and its intent's.

        What it says itself is not added once more, and of two forms of a word the weightier is.
        """
        words = fold_words(text)
        language = detect_language(text, NATURAL_LANGUAGES)
        said = set(stem_words(words))
        found: dict[str, Expansion] = {}
        for each in (*self.vocabulary.expand(words, language), *decision.expansions):
            stem = " ".join(stem_words(fold_words(each.phrase)))
            if not set(stem.split()) <= said and _outweighs(each, found.get(stem)):
                found[stem] = each
        return tuple(nlargest(MOST_EXPANSIONS, found.values(), key=lambda each: each.weight))

    def is_below_floor(self, question: Question, found: Iterable[Seen]) -> bool:
        """Tell whether none of the first hits is about the query at all.

        What is asked in the corpus's own words as well is about it.
        """
        floor = self.routing.floor
        if floor.coverage <= 0 or question.bridged:
            return False
        first = list(islice(found, LOOKED_AT))
        if any(each.similarity >= floor.similarity for each in first):
            return False
        covers: dict[tuple[int, int], Cover] = {}
        for each in first:
            key = id(each.database), each.id >> SOURCE_SHIFT
            if key not in covers:
                covers[key] = Cover.make(question, each.database, key[1])
            if covers[key].share(each.id) >= floor.coverage:
                return False
        return True


def _first(said: Iterable[Mapping[str, str]], name: str) -> str:
    return next((facts[name] for facts in said if facts.get(name)), "")


@lru_cache(maxsize=8)
def _parse_routing(text: str) -> Routing:
    return Routing.parse(text) if text else Routing()


@lru_cache(maxsize=8)
def _parse_vocabulary(text: str) -> Vocabulary:
    return Vocabulary.parse(text) if text else Vocabulary()


def _outweighs(each: Expansion, other: Expansion | None) -> bool:
    return other is None or each.weight > other.weight


class Cover(NamedTuple):
    """What a query asks of the documents of one source: terms, and how rare each is."""

    lexical: LexicalSearch
    terms: tuple[tuple[str, float, float], ...]

    @classmethod
    def make(cls, question: Question, database: Database, source: int) -> Cover:
        """Count how rare each word is; one that no document has counts as what was meant."""
        ranking = get_ranking(database.sources[source].ranking)
        question = prepare(question, database, [source], ranking)
        lexical = LexicalSearch(database, Condition(""), [source], ranking.weights)
        meant = {each.because.partition(",")[0]: each for each in question.bridged}
        terms = []
        for word in dict.fromkeys(question.query.words):
            term, weight = question.write(word), 1.0
            count = lexical.frequency(term)
            if not count and word in meant:
                term, weight = quote_phrase(meant[word].phrase), meant[word].weight
            terms.append((term, weight, log(1 + database.documents / (1 + count))))
        return cls(lexical, tuple(terms))

    def share(self, number: int) -> float:
        """The share of the words that a document has, each by its rarity."""
        total = sum(rarity for _, _, rarity in self.terms)
        has = self.lexical.has
        held = sum(weight * rarity for term, weight, rarity in self.terms if has(term, number))
        return held / (total or 1.0)
