"""The best documents by words, without scoring those that cannot be among them.

A term adds less than `_MOST_TIMES_IDF` times its inverse document frequency to a score. If the
common words of a query together cannot lift a document above the last of the best that its rare
words have found, documents without a rare word are not scored: MaxScore (Turtle and Flood, 1995),
for each source. What SQLite scores and what is not among the best it keeps to itself: to hand a
score over takes half as long again as to compute it. Neither changes a score, nor which are best.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import accumulate
from math import log
from typing import TYPE_CHECKING, NamedTuple

from stacks.query.lexical import LexicalSearch
from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from stacks.query.lexical import Expression
    from stacks.storage import Database

__all__ = ["Cutoff", "choose_best", "match_best"]

_SPARE = 25
"""How many more scores are read than are wanted: the last of the best often have equals."""
_MOST_READ = 1_000
"""To keep more scores than this in order takes SQLite longer than to hand over all of them."""
_MOST_TIMES_IDF = 2.2
"""The k1 + 1 of FTS5's BM25: no number of occurrences adds more than this times the IDF."""
_LEAST_IDF = 1e-6
"""What FTS5 takes for the IDF of a term that more than half of the documents have."""
_LIKELY = 1.5
"""How many times the IDF of its rarest word the last of the best is guessed to score."""
_WORTH_PRUNING = 0.6
"""Rare words choose alone if they are in fewer documents than this share of those of all words."""

_BY_URI = """
SELECT m.id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
ORDER BY m.uri LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """What is wanted of each source: the `count` best, and those `kept` whatever their score."""

    count: int
    kept: Collection[int] = ()

    @property
    def most(self) -> int:
        """How many scores are read."""
        return self.count + _SPARE + len(self.kept)


def match_best(
    lexical: LexicalSearch, expression: Expression, enough: int, cutoff: Cutoff
) -> dict[int, float]:
    """Score as `lexical.match` does, but leave out documents that cannot be among the best."""
    if enough > cutoff.count:
        return lexical.match(expression, enough)
    if len(lexical.sources) > 1 or cutoff.most > _MOST_READ:
        return _match_pruned(lexical, expression, enough, cutoff)
    search = _CutoffSearch(lexical, cutoff)
    found = _match_pruned(search, expression, enough, cutoff)
    return found if search.has_best(found) else lexical.match(expression, enough)


def _match_pruned(
    search: LexicalSearch, expression: Expression, enough: int, cutoff: Cutoff
) -> dict[int, float]:
    """Score documents with a rare word, and others if they can be among the best."""
    if search.condition or expression.required or expression.excluded:
        return search.match(expression, enough)
    terms = search.sort_terms(expression.optional)
    if len(terms) < 2:
        return search.match(expression, enough)
    bounds = _Bounds.make([search.frequency(term) for term in terms], search.database.documents)
    most = search.count_choosing(terms)
    count = bounds.guess(cutoff.count, most)
    if count == most:
        return search.match(expression, enough)
    found = search.choose(terms, count, expression)
    lasts = _find_lasts(search, found, cutoff.count)
    needed = {source: bounds.find_needed(last, most) for source, last in lasts.items()}
    open_sources = [source for source in search.sources if needed[source] > count]
    if open_sources:
        more = max(needed.values()) - count
        others = replace(expression, excluded=tuple(terms[:count]))
        found |= search.within(open_sources).choose(terms[count:], more, others)
    missing = [number for number in cutoff.kept if number not in found]
    return found | (search.score(missing, terms[count:]) if missing else {})


class _Bounds(NamedTuple):
    """What is known of the terms of a query, the rarest first.

    - `totals` are how many documents the terms up to each have, counted once for each term.
    - `idfs` are their inverse document frequencies.
    - `rests` are the most that each term and those after it can add to a score.
    """

    totals: tuple[int, ...]
    idfs: tuple[float, ...]
    rests: tuple[float, ...]

    @classmethod
    def make(cls, frequencies: Sequence[int], documents: int) -> _Bounds:
        """Compute them as FTS5 does, whose frequencies are those of all sources and no lower."""
        idfs = [max(log((documents - n + 0.5) / (n + 0.5)), _LEAST_IDF) for n in frequencies]
        rests = accumulate(_MOST_TIMES_IDF * idf for idf in reversed(idfs))
        return cls(tuple(accumulate(frequencies)), tuple(idfs), tuple(rests)[::-1])

    def guess(self, wanted: int, most: int) -> int:
        """Guess how many terms must choose; what is too few is corrected once scores are known."""
        for count in range(1, most):
            is_worth = self.totals[count - 1] < _WORTH_PRUNING * self.totals[most - 1]
            has_enough = self.totals[count - 1] >= wanted
            if has_enough and is_worth and self.rests[count] < _LIKELY * self.idfs[count - 1]:
                return count
        return most

    def find_needed(self, last: float, most: int) -> int:
        """Return how many terms must choose so that no other document reaches a score."""
        return next((count for count in range(1, most) if self.rests[count] < last), most)


def _find_lasts(search: LexicalSearch, found: Mapping[int, float], count: int) -> dict[int, float]:
    """Return the score of the last of the best of each source; 0 if it has fewer."""
    scores: dict[int, list[float]] = {source: [] for source in search.sources}
    for number, score in found.items():
        scores[number >> SOURCE_SHIFT].append(score)
    return {
        source: _find_nth(own, count) if len(own) >= count else 0.0
        for source, own in scores.items()
    }


def _find_nth(scores: Iterable[float], count: int) -> float:
    """Return the highest score but `count` - 1."""
    return sorted(scores, reverse=True)[count - 1]


class _CutoffSearch(LexicalSearch):
    """A search whose statements read no more scores than a cutoff wants.

    A document whose common words were left out has a score that is too low; with them it would
    have been read, so it is not among the best either way.
    """

    def __init__(self, whole: LexicalSearch, cutoff: Cutoff) -> None:
        super().__init__(whole.database, whole.condition, whole.sources, whole.weights)
        self._cutoff = cutoff
        self._left_out: float | None = None

    def has_best(self, found: Mapping[int, float]) -> bool:
        """Return whether nothing that was left out can be among the best."""
        if self._left_out is None:
            return True
        return _find_nth(found.values(), self._cutoff.count) > self._left_out

    def _run(self, match: str, among: str = "") -> dict[int, float]:
        kept = list(self._cutoff.kept)
        kept_first = "docs_fts.rowid IN (SELECT value FROM json_each(?)) DESC, " if kept else ""
        sql, values = self._select_scores(match, among)
        values += [json.dumps(kept), self._cutoff.most] if kept else [self._cutoff.most]
        rows = self.database.rows(f"{sql} ORDER BY {kept_first}score DESC LIMIT ?", values)
        if len(rows) == self._cutoff.most:
            self._left_out = max(rows[-1][1], self._left_out or 0.0)
        return dict(rows)


def choose_best(database: Database, scores: Mapping[int, float], count: int) -> list[int]:
    """Choose the documents of the highest scores; of equal ones at the end the first by URI."""
    if len(scores) <= count:
        return list(scores)
    last = _find_nth(scores.values(), count)
    reaching = [number for number, score in scores.items() if score >= last]
    if len(reaching) == count:
        return reaching
    above = [number for number in reaching if scores[number] > last]
    equal = [number for number in reaching if scores[number] == last]
    rows = database.rows(_BY_URI, (json.dumps(equal), count - len(above)))
    return above + [number for (number,) in rows]
