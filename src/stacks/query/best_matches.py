"""The best documents by words, and no more of them than are wanted.

With numpy, all documents are scored at once from the posting lists of common words
(`posting_scores.py`). A filter is for FTS5 to apply, and so is a search that would load numpy for a
small index: that takes longer than FTS5 takes to score it. What FTS5 scores and what is not among
the best SQLite keeps to itself: to hand a score over takes half as long again as to compute it.
Either way gives the same scores and the same best.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.query.lexical import LexicalSearch, stem_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from stacks.query.lexical import Expression
    from stacks.storage import Database

__all__ = ["Cutoff", "WeightedExpression", "choose_best", "match_all", "match_best"]

_SPARE = 25
"""How many more scores are read than are wanted: the last of the best often have equals."""
_MOST_READ = 1_000
"""To keep more scores than this in order takes SQLite longer than to hand over all of them."""
_LOADED: Mapping[str, object] = sys.modules
"""What this process has loaded."""
_WORTH_NUMPY = 50_000
"""FTS5 scores the documents of a smaller index before numpy is loaded."""

_LISTED = "SELECT term FROM term_postings WHERE term IN (SELECT value FROM json_each(?))"
_BY_URI = """
SELECT m.id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
ORDER BY m.uri LIMIT ?
"""


class WeightedExpression(NamedTuple):
    """An expression that adds to the scores of another, and what its own are multiplied by."""

    expression: Expression
    weight: float


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
    lexical: LexicalSearch,
    expression: Expression,
    added: Sequence[WeightedExpression],
    cutoff: Cutoff,
) -> dict[int, float]:
    """Score documents as `match_all` does: the best of each source, and those kept if they match.

    Others may be there as well.
    """
    database = lexical.database
    is_worth_numpy = "numpy" in _LOADED or database.documents > _WORTH_NUMPY
    if is_worth_numpy and not lexical.condition and database.text_lengths is not None:
        from stacks.query.posting_scores import score_best

        found = score_best(lexical, database.text_lengths, expression, added, cutoff)
        if found is not None:
            return found
    else:
        expression = _put_listed_last(database, expression)
    more = _match_weighted(lexical, added)
    wanted = replace(cutoff, kept={*cutoff.kept, *more})
    return _add(_read_best(lexical, expression, wanted), more)


def match_all(
    lexical: LexicalSearch, expression: Expression, added: Iterable[WeightedExpression]
) -> dict[int, float]:
    """Score every document that matches an expression, or one of those that add to its scores."""
    return _add(lexical.match(expression), _match_weighted(lexical, added))


def _match_weighted(
    lexical: LexicalSearch, added: Iterable[WeightedExpression]
) -> dict[int, float]:
    scores: dict[int, float] = {}
    for expression, weight in added:
        found = lexical.match(expression)
        _add(scores, {number: weight * score for number, score in found.items()})
    return scores


def _add(scores: dict[int, float], more: Mapping[int, float]) -> dict[int, float]:
    """Add more scores to some, and return these."""
    for number, score in more.items():
        scores[number] = scores.get(number, 0.0) + score
    return scores


def _put_listed_last(database: Database, expression: Expression) -> Expression:
    """Put terms that have posting lists last: a sum in another order has another last digit."""
    if expression.required:
        return expression
    stems = stem_terms(expression.optional)
    listed = {stem for (stem,) in database.rows(_LISTED, (json.dumps(list(stems.values())),))}
    optional = sorted(expression.optional, key=lambda term: stems.get(term) in listed)
    return replace(expression, optional=tuple(optional))


def _read_best(lexical: LexicalSearch, expression: Expression, cutoff: Cutoff) -> dict[int, float]:
    """Let FTS5 score what matches, and read what the cutoff wants, or all of it."""
    if len(lexical.sources) > 1 or cutoff.most > _MOST_READ:
        return lexical.match(expression)
    search = _CutoffSearch(lexical, cutoff)
    found = search.match(expression)
    return found if search.has_best(found) else lexical.match(expression)


def _find_nth(scores: Iterable[float], count: int) -> float:
    """Return the highest score but `count` - 1."""
    return sorted(scores, reverse=True)[count - 1]


class _CutoffSearch(LexicalSearch):
    """A search whose statements read no more scores than a cutoff wants.

    If something must occur, a document may be read without its optional terms, with a score that
    is too low; with them it would have been read, so it is not among the best either way.
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

    def _run(self, match: str) -> dict[int, float]:
        kept = list(self._cutoff.kept)
        kept_first = "docs_fts.rowid IN (SELECT value FROM json_each(?)) DESC, " if kept else ""
        sql, values = self._select_scores(match)
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
