"""Full-text search: BM25F by FTS5, and no more documents than are wanted.

The columns of the text index are `TEXT_COLUMNS` in `stacks.schema`; a ranking
(`stacks.query.rankings`) can have other weights for its documents.

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

from stacks.schema import SOURCE_SHIFT, TEXT_COLUMNS
from stacks.text import stem_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from stacks.query.filters import Condition
    from stacks.storage import Database

__all__ = [
    "Cutoff",
    "Expression",
    "LexicalSearch",
    "WeightedExpression",
    "choose_best",
    "match_all",
    "match_best",
    "stem_terms",
]

_MOST_COUNTED = 30_000
"""A word in more documents than this counts as one in this many."""
_MOST_FREQUENCIES = 10_000
"""How many words' document frequencies are remembered."""
_TELLING = "{title symbols symbol_components framework}"
"""Columns in which even a common word says what a document is about."""


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


@dataclass(frozen=True, slots=True)
class Expression:
    """What to match, as FTS5 strings: some must occur, some must not, the rest add to the score."""

    optional: tuple[str, ...]
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


class LexicalSearch:
    """Searches some sources of one database for the documents of an expression."""

    def __init__(
        self,
        database: Database,
        condition: Condition,
        sources: Sequence[int],
        weights: Mapping[str, float],
    ) -> None:
        self.database = database
        self.condition = condition
        self.sources = tuple(sources)
        self.weights = weights
        counting = [column for column in TEXT_COLUMNS if weights[column]]
        # A column of no weight finds no document.
        self._scope = f"{{{' '.join(counting)}}} : " if len(counting) < len(TEXT_COLUMNS) else ""
        self._known_as = f"{self.sources} {self._scope}"

    def match(self, expression: Expression) -> dict[int, float]:
        """Score every document that matches; higher is better.

        If something must occur, documents match without any of the optional terms.
        """
        found = self._run(_write(expression)) if expression.required else {}
        if expression.optional and (found or not expression.required):
            found.update(self._run(_write(expression, _either(expression.optional))))
        return found

    def frequency(self, term: str) -> int:
        """Count the documents of these sources that have a term, up to `_MOST_COUNTED` + 1."""
        # Counting walks a posting list; the words of queries repeat, and a file does not change.
        known = self.database.frequencies
        key = self._known_as + term
        if (counted := known.get(key)) is None:
            if len(known) >= _MOST_FREQUENCIES:
                known.clear()
            where = " AND ".join(["docs_fts MATCH ?", *self._within_sources()])
            sql = f"SELECT count(*) FROM (SELECT 1 FROM docs_fts WHERE {where} LIMIT ?)"  # noqa: S608 - numbers
            counted = int(self.database.value(sql, (self.restrict(term), _MOST_COUNTED + 1)))
            known[key] = counted
        return counted

    def restrict(self, match: str) -> str:
        """Restrict an FTS5 expression to the columns that have a weight."""
        return f"{self._scope}({match})" if self._scope else match

    def has(self, term: str, number: int) -> bool:
        """Return whether a document has a term."""
        sql = "SELECT 1 FROM docs_fts WHERE docs_fts MATCH ? AND rowid = ?"
        return bool(self.database.value(sql, (self.restrict(term), number)))

    def match_telling(self, term: str) -> dict[int, float]:
        """Score documents with a term in a telling column."""
        return self._run(f"{_TELLING} : {term}")

    def find_telling(self, term: str, most: int) -> list[int]:
        """Find up to `most` documents with a term in a telling column, in any order, unscored."""
        sql = f"{self._select('docs_fts.rowid')} LIMIT ?"
        values = (self.restrict(f"{_TELLING} : {term}"), *self.condition.values, most)
        return [number for (number,) in self.database.rows(sql, values)]

    def match_prefix(self, word: str) -> dict[int, float]:
        """Score documents with a word in a telling column that begins like this one."""
        return self._run(f"{_TELLING} : {word} *")

    def _within_sources(self) -> list[str]:
        """Restrict row ids to the sources: one source is one range of them."""
        # A condition that all rows meet would still be checked for each of them.
        if len(self.sources) == len(self.database.sources):
            return []
        if len(self.sources) == 1:
            low = self.sources[0] << SOURCE_SHIFT
            return [f"docs_fts.rowid BETWEEN {low} AND {low + (1 << SOURCE_SHIFT) - 1}"]
        numbers = ", ".join(map(str, self.sources))
        return [f"docs_fts.rowid >> {SOURCE_SHIFT} IN ({numbers})"]

    def _run(self, match: str) -> dict[int, float]:
        """Score what one FTS5 expression matches."""
        return dict(self.database.rows(*self._select_scores(match)))

    def _select_scores(self, match: str) -> tuple[str, list[object]]:
        """Write the statement of `_run`, and return it with its values."""
        weights = ", ".join(str(self.weights[column]) for column in TEXT_COLUMNS)
        sql = self._select(f"docs_fts.rowid, -bm25(docs_fts, {weights}) AS score")
        return sql, [self.restrict(match), *self.condition.values]

    def _select(self, columns: str) -> str:
        """Write what is read of matches; conditions are looked up by each match's row id."""
        where = ["docs_fts MATCH ?", *self._within_sources()]
        join = ""
        if self.condition:
            # CROSS keeps SQLite from reading all metadata first, and the text index for each row.
            join = "CROSS JOIN docs_metadata AS m ON m.id = docs_fts.rowid"
            where.append(self.condition.sql)
        # Numbers and fixed conditions; what a person typed is bound.
        return f"SELECT {columns} FROM docs_fts {join} WHERE {' AND '.join(where)}"  # noqa: S608


def stem_terms(terms: Iterable[str]) -> dict[str, str]:
    """Return what the index stores for each term that is one word of ASCII; leave others out.

    Of other words FTS5 removes other accents than we do.
    """
    words = {term: term[1:-1] for term in terms if _is_word(term)}
    return dict(zip(words, stem_words(list(words.values())), strict=True))


def _is_word(term: str) -> bool:
    word = term[1:-1]
    return term[0] == term[-1] == '"' and word.isascii() and word.isalnum()


def _either(terms: Iterable[str]) -> str:
    return f"({' OR '.join(terms)})"


def _write(expression: Expression, *more: str) -> str:
    """Write what must occur, and more of it, and what must not occur."""
    text = " AND ".join([*expression.required, *more])
    return f"({text}) NOT {_either(expression.excluded)}" if expression.excluded else text


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
    # What adds to a score may lift a document that words alone leave out, so those are kept.
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
    # A cutoff counts for each source, and one statement over several cannot tell them apart.
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
        # As many rows as were asked for: there may be more, with at most the last score.
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
