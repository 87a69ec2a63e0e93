"""The routing rules and the vocabulary that an index holds, applied to a query."""

from __future__ import annotations

from functools import lru_cache
from heapq import nlargest
from itertools import islice
from math import log
from typing import TYPE_CHECKING, NamedTuple

from stacks.guidance import Routing, Vocabulary
from stacks.query.filters import Condition
from stacks.query.lexical import LexicalSearch
from stacks.query.question import quote_phrase
from stacks.schema import SOURCE_SHIFT
from stacks.text import NATURAL_LANGUAGES, detect_language, fold_words, stem_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stacks.guidance import Decision, Expansion
    from stacks.query.question import Question
    from stacks.query.retrieval import Scoring
    from stacks.storage import Database

__all__ = ["FoundDocument", "IndexGuidance"]

_MOST_EXPANSIONS = 32
"""How many phrases of the corpus a query is run with as well: those of the highest weights."""
_MOST_CHECKED = 10
"""One of so many first hits must be above the floor."""


class FoundDocument(NamedTuple):
    """A document that was found, its similarity in meaning, and what it was scored by."""

    database: Database
    id: int
    similarity: float
    scoring: Scoring


class IndexGuidance:
    """What the files of an index say about queries; the first that says something decides."""

    def __init__(self, databases: Iterable[Database]) -> None:
        facts = [database.facts for database in databases]
        self.routing = _parse_routing(_get_first(facts, "routing"))
        self.vocabulary = _parse_vocabulary(_get_first(facts, "vocabulary"))

    def expand(self, text: str, decision: Decision) -> tuple[Expansion, ...]:
        """Return what a query is run with as well: the corpus's words for its own and its intent's.

        Words that the query has itself are not added again; of two forms of a word, the one of the
        higher weight is added.
        """
        if not self.vocabulary and not decision.expansions:
            return ()
        words = fold_words(text)
        language = detect_language(text, NATURAL_LANGUAGES)
        own = set(stem_words(words))
        found: dict[str, Expansion] = {}
        for each in (*self.vocabulary.expand(text, language), *decision.expansions):
            stem = " ".join(stem_words(fold_words(each.phrase)))
            is_heavier = stem not in found or each.weight > found[stem].weight
            if is_heavier and not set(stem.split()) <= own:
                found[stem] = each
        return tuple(nlargest(_MOST_EXPANSIONS, found.values(), key=lambda each: each.weight))

    def is_below_floor(self, question: Question, found: Iterable[FoundDocument]) -> bool:
        """Return whether none of the first hits is about the query at all.

        A query that the vocabulary knows is never below the floor.
        """
        floor = self.routing.floor
        if floor.coverage <= 0 or question.bridged:
            return False
        first = list(islice(found, _MOST_CHECKED))
        # Similarities are known already; words have to be looked up.
        if any(each.similarity >= floor.similarity for each in first):
            return False
        coverages: dict[tuple[int, int], _WordCoverage] = {}
        for each in first:
            key = id(each.database), each.id >> SOURCE_SHIFT
            if key not in coverages:
                coverages[key] = _WordCoverage.make(each)
            if coverages[key].measure(each.id) >= floor.coverage:
                return False
        return True


def _get_first(facts: Iterable[Mapping[str, str]], name: str) -> str:
    return next((each[name] for each in facts if each.get(name)), "")


_parse_routing = lru_cache(maxsize=8)(Routing.parse)
_parse_vocabulary = lru_cache(maxsize=8)(Vocabulary.parse)


class _WordCoverage(NamedTuple):
    """The terms of a query with weight and rarity, to be looked for in documents of one source."""

    lexical: LexicalSearch
    terms: tuple[tuple[str, float, float], ...]

    @classmethod
    def make(cls, found: FoundDocument) -> _WordCoverage:
        """Compute how rare each word is; one that no document has counts as its correction."""
        (question, weights), database = found.scoring, found.database
        lexical = LexicalSearch(database, Condition(""), [found.id >> SOURCE_SHIFT], weights)
        corrections = {each.because.partition(",")[0]: each for each in question.bridged}
        terms = []
        for word in dict.fromkeys(question.query.words):
            term, weight = question.write(word), 1.0
            count = lexical.frequency(term)
            if not count and word in corrections:
                term, weight = quote_phrase(corrections[word].phrase), corrections[word].weight
            # Rarity, as in IDF: to lack *the* says nothing, to lack *saxophone* nearly everything.
            terms.append((term, weight, log(1 + database.documents / (1 + count))))
        return cls(lexical, tuple(terms))

    def measure(self, number: int) -> float:
        """Return the share of the words that a document has, each by its rarity."""
        total = sum(rarity for _, _, rarity in self.terms)
        has = self.lexical.has
        held = sum(weight * rarity for term, weight, rarity in self.terms if has(term, number))
        return held / (total or 1.0)
