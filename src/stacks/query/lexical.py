"""Full-text search: BM25F by FTS5, without scoring more documents than needed.

Scoring one matching document costs FTS5 about a microsecond, so a word that half of a large
index contains would cost a third of a second. The rare words of a query decide which documents
can win: documents are scored that contain at least one of them, as many words as fit `_BUDGET`,
and the common words only add to their scores. One statement does that without changing any score:
it matches all words, and skips what has no rare one in a tenth of the time that scoring it takes.
If the common words are far too common for that, two do: one matches the rare words alone, one the
documents that have a common word as well. While that gives too few, the next rarest word joins the
rare ones. Only if even the rarest word is in more
than `_MOST_RANKED` documents must they contain all words, or one in a telling column. With a
filter everything that passes it is scored: nothing else is. `best_matches.py` leaves out more, if
only the best are wanted.

The columns of the text index are `TEXT_COLUMNS` in `stacks.schema`; a ranking
(`stacks.query.rankings`) can have other weights for its documents.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from stacks.schema import SOURCE_SHIFT, TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stacks.query.filters import Condition
    from stacks.storage import Database

__all__ = ["Expression", "LexicalSearch"]

_BUDGET = 8_000
"""How many documents a query may score before its common words stop choosing."""
_SKIPPED_LIKE_SCORED = 10
"""How many documents are skipped in the time that one is scored."""
_MOST_RANKED = 30_000
"""A word in more documents than this chooses none by itself."""
_MOST_FREQUENCIES = 10_000
"""How many words' document frequencies are remembered."""
_TELLING = "{title symbols symbol_components framework}"
"""Columns in which even a common word says what a document is about."""


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

    def match_all(self, expression: Expression) -> dict[int, float]:
        """Score every document that matches at all: `match` gives the same scores."""
        return self._run(_write(_either(expression.optional), expression))

    def match(self, expression: Expression, enough: int) -> dict[int, float]:
        """Score the documents that can matter, at least `enough` if there are; higher is better."""
        if self.condition:
            return self.match_all(expression)
        if expression.required:
            return self._run_twice("", expression.optional, expression)
        terms = self.sort_terms(expression.optional)
        if not terms:
            return {}
        if self.database.documents > _MOST_RANKED and self.frequency(terms[0]) > _MOST_RANKED:
            return self._match_common(terms, expression, enough)
        count = self.count_choosing(terms)
        found = self.choose(terms, count, expression)
        while len(found) < enough and count < len(terms):
            count += 1
            found = self.choose(terms, count, expression)
        return found

    def sort_terms(self, terms: Iterable[str]) -> list[str]:
        """Sort the terms that any document has, the rarest first; one alone needs no count."""
        given = list(terms)
        return sorted(filter(self.frequency, given), key=self.frequency) if given[1:] else given

    def count_choosing(self, terms: Sequence[str]) -> int:
        """Count how many of sorted terms choose documents: at least one."""
        if len(terms) == 1:
            return 1
        return _count_within(_BUDGET, [self.frequency(term) for term in terms])

    def within(self, sources: Sequence[int]) -> LexicalSearch:
        """Return the same search in some of its sources."""
        if len(sources) == len(self.sources):
            return self
        return LexicalSearch(self.database, self.condition, sources, self.weights)

    def choose(self, terms: list[str], count: int, expression: Expression) -> dict[int, float]:
        """Let the first terms choose the documents, and the others add to their scores."""
        rare, common = terms[:count], terms[count:]
        skipped, scored = (sum(map(self.frequency, each)) for each in (common, rare))
        if not common or skipped > _SKIPPED_LIKE_SCORED * scored:
            return self._run_twice(_either(rare), common, expression)
        return self._run(_write(_either(terms), expression), _write(_either(rare), expression))

    def _match_common(
        self, terms: list[str], expression: Expression, enough: int
    ) -> dict[int, float]:
        """If no word is rare: documents with all words, or with one in a telling column."""
        found = self._run(_write(f"({' AND '.join(terms)})", expression)) if terms[1:] else {}
        if len(found) < enough:
            found = self._run(_write(f"({_TELLING} : {_either(terms)})", expression)) | found
        if len(found) < enough:
            found = self._run(_write(terms[0], expression)) | found
        return found

    def _run_twice(
        self, choosing: str, common: Sequence[str], expression: Expression
    ) -> dict[int, float]:
        """Score by the choosing terms, then again if common terms have something to add."""
        found = self._run(_write(choosing, expression))
        if common and found:
            both = f"{choosing} AND {_either(common)}" if choosing else _either(common)
            found.update(self._run(_write(both, expression)))
        return found

    def frequency(self, term: str) -> int:
        """Count the documents of these sources that have a term, up to `_MOST_RANKED` + 1."""
        known = self.database.frequencies
        key = self._known_as + term
        if (counted := known.get(key)) is None:
            if len(known) >= _MOST_FREQUENCIES:
                known.clear()
            where = " AND ".join(["docs_fts MATCH ?", *self._within_sources()])
            sql = f"SELECT count(*) FROM (SELECT 1 FROM docs_fts WHERE {where} LIMIT ?)"  # noqa: S608 - numbers
            counted = int(self.database.value(sql, (self.restrict(term), _MOST_RANKED + 1)))
            known[key] = counted
        return counted

    def score(self, numbers: Sequence[int], terms: Sequence[str]) -> dict[int, float]:
        """Score some documents by terms; those that have none are left out."""
        # The plus sign: FTS5 would start again for each row id.
        wanted = "+docs_fts.rowid IN (SELECT value FROM json_each(?))"
        sql, values = self._select_scores(_either(terms))
        return dict(self.database.rows(f"{sql} AND {wanted}", [*values, json.dumps(numbers)]))

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
        if len(self.sources) == len(self.database.sources):
            return []
        if len(self.sources) == 1:
            low = self.sources[0] << SOURCE_SHIFT
            return [f"docs_fts.rowid BETWEEN {low} AND {low + (1 << SOURCE_SHIFT) - 1}"]
        numbers = ", ".join(map(str, self.sources))
        return [f"docs_fts.rowid >> {SOURCE_SHIFT} IN ({numbers})"]

    def _run(self, match: str, among: str = "") -> dict[int, float]:
        """Score what one FTS5 expression matches, if given only among what another matches."""
        return dict(self.database.rows(*self._select_scores(match, among)))

    def _select_scores(self, match: str, among: str = "") -> tuple[str, list[object]]:
        """Write the statement of `_run`, and return it with its values."""
        weights = ", ".join(str(self.weights[column]) for column in TEXT_COLUMNS)
        sql = self._select(f"docs_fts.rowid, -bm25(docs_fts, {weights}) AS score")
        values = [self.restrict(match), *self.condition.values]
        if not among:
            return sql, values
        # The plus sign: FTS5 would start again for each row id.
        numbers = "SELECT rowid FROM docs_fts WHERE docs_fts MATCH ?"
        return f"{sql} AND +docs_fts.rowid IN ({numbers})", [*values, self.restrict(among)]

    def _select(self, columns: str) -> str:
        """Write what is read of matches; conditions are looked up by each match's row id."""
        where = ["docs_fts MATCH ?", *self._within_sources()]
        join = ""
        if self.condition:
            join = "CROSS JOIN docs_metadata AS m ON m.id = docs_fts.rowid"
            where.append(self.condition.sql)
        # Numbers and fixed conditions; what a person typed is bound.
        return f"SELECT {columns} FROM docs_fts {join} WHERE {' AND '.join(where)}"  # noqa: S608


def _count_within(budget: int, frequencies: Sequence[int]) -> int:
    """Count how many of the rarest terms fit the budget: at least one."""
    sums = list(accumulate(frequencies))
    return max(1, sum(total <= budget for total in sums))


def _either(terms: Iterable[str]) -> str:
    return f"({' OR '.join(terms)})"


def _write(choosing: str, expression: Expression) -> str:
    """Write the whole expression: what must occur, what chooses, what must not occur."""
    parts = [*expression.required, *([choosing] if choosing and choosing != "()" else ())]
    text = " AND ".join(parts)
    return f"({text}) NOT {_either(expression.excluded)}" if expression.excluded else text
