"""BM25F of all documents at once, from the posting lists of the words that many have.

What has no posting lists (rare words, phrases, prefixes, words in some columns only) FTS5 scores.
A score is what FTS5 gives for the same terms, those with posting lists last, to the last digit if
the weights of columns are multiples of a half.
"""

from __future__ import annotations

import json
from itertools import chain
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stacks.postings import PostingList
from stacks.query.lexical import Expression, stem_terms
from stacks.schema import TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from stacks.postings import TextLengths
    from stacks.query.lexical import Cutoff, LexicalSearch, WeightedExpression
    from stacks.storage import Database

__all__ = ["score_best"]

_K1, _B = 1.2, 0.75
"""FTS5's parameters of BM25."""
_LEAST_IDF = 1e-6
"""What FTS5 takes for the IDF of a term that more than half of the documents have."""

_POSTINGS = """
SELECT term, "column", postings FROM term_postings
WHERE term IN (SELECT value FROM json_each(?))
"""


def score_best(
    lexical: LexicalSearch,
    texts: TextLengths,
    expression: Expression,
    added: Sequence[WeightedExpression],
    cutoff: Cutoff,
) -> dict[int, float] | None:
    """Score the best documents of each source, all that score as the last of them, and the kept.

    Without posting lists of any term FTS5 is faster: then nothing is scored.
    """
    scorer = _Scorer.read(lexical, texts, [expression, *(each.expression for each in added)])
    if not scorer.terms:
        return None
    scores = scorer.score(expression)
    if added:
        scores += sum(weight * scorer.score(other) for other, weight in added)
    sources = [texts.find_source(source) for source in lexical.sources]
    best = [_find_best(scores, own, cutoff.count) for own in sources]
    kept = np.fromiter(cutoff.kept, dtype=np.int64, count=len(cutoff.kept))
    places = np.concatenate([*best, _find_kept(scores, texts.find_places(kept), sources)])
    return dict(zip(texts.ids[places].tolist(), scores[places].tolist(), strict=True))


def _find_best(scores: NDArray[np.float64], own: slice, count: int) -> NDArray[np.intp]:
    """Return the places of the best of a source, and of those that score as the last of them."""
    found: NDArray[np.intp] = np.flatnonzero(scores[own]) + own.start
    if len(found) > count:
        # A partition, not a sort: of 100,000 documents with a common word some hundred are wanted.
        # Those that score as the last of them stay in, so ties are broken by URI, not by place.
        reached = scores[found]
        found = found[reached >= np.partition(reached, -count)[-count]]
    return found


def _find_kept(
    scores: NDArray[np.float64], places: NDArray[np.intp], sources: Iterable[slice]
) -> NDArray[np.intp]:
    """Return the places that lie in the sources and were found."""
    within = [(own.start <= places) & (places < own.stop) for own in sources]
    kept: NDArray[np.intp] = places[np.logical_or.reduce(within) & (scores[places] > 0)]
    return kept


class _Term(NamedTuple):
    """A term of which there are posting lists: its documents, and what each scores by it."""

    documents: NDArray[np.intp]
    scores: NDArray[np.float64]


class _Scorer(NamedTuple):
    """Scores all documents of a file by expressions whose terms were read before."""

    lexical: LexicalSearch
    texts: TextLengths
    terms: Mapping[str, _Term]

    @classmethod
    def read(
        cls, lexical: LexicalSearch, texts: TextLengths, expressions: Iterable[Expression]
    ) -> _Scorer:
        """Read what is known of all terms of some expressions."""
        terms = chain.from_iterable((*each.optional, *each.excluded) for each in expressions)
        read = _read_lists(lexical.database, dict.fromkeys(terms))
        found = {term: _score_term(lists, lexical.weights, texts) for term, lists in read.items()}
        return cls(lexical, texts, found)

    def score(self, expression: Expression) -> NDArray[np.float64]:
        """Return the score of every document, 0 if it does not match."""
        # What must occur, and an excluded term without lists, only FTS5 can tell.
        if expression.required or not self.terms.keys() >= {*expression.excluded}:
            return self._spread(self.lexical.match(expression))
        others = tuple(term for term in expression.optional if term not in self.terms)
        # Rare terms first, then those with lists, in the order in which FTS5 adds them up: sums of
        # floating-point numbers depend on it, and scores must agree to the last digit.
        scores = self._spread(self.lexical.match(Expression(others)))
        for term in expression.optional:
            if term in self.terms:
                documents, added = self.terms[term]
                scores[documents] += added
        for term in expression.excluded:
            scores[self.terms[term].documents] = 0.0
        return scores

    def _spread(self, found: Mapping[int, float]) -> NDArray[np.float64]:
        """Spread the scores of some documents over all."""
        scores = np.zeros(len(self.texts.ids))
        numbers = np.fromiter(found, dtype=np.int64, count=len(found))
        places = np.searchsorted(self.texts.ids, numbers)
        scores[places] = np.fromiter(found.values(), dtype=np.float64, count=len(found))
        return scores


def _read_lists(
    database: Database, terms: Iterable[str]
) -> dict[str, list[tuple[str, PostingList]]]:
    """Read the posting lists of terms, with their columns."""
    # Lists are stored by the word as the index stems it; several terms may share a list.
    stems = stem_terms(terms)
    if not stems:
        return {}
    read: dict[str, list[tuple[str, PostingList]]] = {}
    for stem, column, stored in database.rows(_POSTINGS, (json.dumps(list(stems.values())),)):
        read.setdefault(stem, []).append((TEXT_COLUMNS[column], PostingList.unpack(stored)))
    return {term: read[stem] for term, stem in stems.items() if stem in read}


def _score_term(
    lists: Iterable[tuple[str, PostingList]], weights: Mapping[str, float], texts: TextLengths
) -> _Term:
    """Score the documents that have a term in a column of some weight."""
    frequencies = np.zeros(len(texts.ids))
    # BM25F: occurrences are weighted by column before they saturate, once for all columns.
    for column, (documents, counts) in lists:
        frequencies[documents] += weights[column] * counts
    # A document that has the term in columns of weight 0 only does not count as having it.
    found = np.flatnonzero(frequencies)
    own = frequencies[found]
    idf = log((len(texts.ids) - len(found) + 0.5) / (len(found) + 0.5))
    lengths = 1 - _B + _B * texts.words[found] / texts.mean
    return _Term(found, max(idf, _LEAST_IDF) * (own * (_K1 + 1) / (own + _K1 * lengths)))
