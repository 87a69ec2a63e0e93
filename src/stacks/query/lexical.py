"""Words to scored documents: BM25F by FTS5, without looking at more documents than needed.

Ranking one matching document costs FTS5 about a microsecond, so a word that half of a large
index contains would cost a third of a second. The rare words of a query decide who can win:
documents are taken that contain at least one of them, as many words as fit `BUDGET`, and the
common words only add to their scores. Two statements do that without changing any score: one
matches the rare words alone, one the documents that have a common word as well. While that gives
too few, the next rarest word joins the rare ones. Only where even the rarest word is in more than
`MOST_RANKED` documents must they contain all words, or one in a telling column. With a filter
everything that passes it is ranked: scores are worked out for nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stacks.query.database import Database
    from stacks.query.filters import Condition

__all__ = ["COLUMNS", "Expression", "LexicalSearch"]

COLUMNS = (
    "content",
    "title",
    "summary",
    "symbols",
    "symbol_components",
    "framework",
    "uri",
    "source",
    "language",
)
"""The columns of `docs_fts`, in their order."""

BUDGET = 8_000
"""How many documents a query may rank before its common words stop choosing."""

MOST_RANKED = 30_000
"""A word in more documents than this chooses none by itself."""

MOST_KNOWN = 10_000
"""How many words' frequencies are remembered."""

TELLING = "{title symbols symbol_components framework}"
"""Columns in which even a common word says what a document is about."""


@dataclass(frozen=True, slots=True)
class Expression:
    """What to match, as FTS5 strings: some must occur, some must not, the rest count."""

    optional: tuple[str, ...]
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


class LexicalSearch:
    """Asks one database for the documents of an expression."""

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
        self.weights = tuple(weights[column] for column in COLUMNS)
        counting = [column for column in COLUMNS if weights[column]]
        # What a column of no weight says is nothing to find a document by.
        self._scope = f"{{{' '.join(counting)}}} : " if len(counting) < len(COLUMNS) else ""

    def match_all(self, expression: Expression) -> dict[int, float]:
        """Score every document that matches at all: the definition that `match` keeps to."""
        return self._run(_write(_either(expression.optional), expression))

    def match(self, expression: Expression, enough: int) -> dict[int, float]:
        """Score the documents that can matter, `enough` where there are; higher is better."""
        if self.condition:
            return self.match_all(expression)
        if expression.required:
            return self._run_twice("", expression.optional, expression)
        frequencies = {term: self.frequency(term) for term in expression.optional}
        terms = sorted((term for term in frequencies if frequencies[term]), key=frequencies.get)  # type: ignore[arg-type]
        if not terms:
            return {}
        if frequencies[terms[0]] > MOST_RANKED:
            return self._match_common(terms, expression, enough)
        count = _count_within(BUDGET, [frequencies[term] for term in terms])
        found = self._choose(terms, count, expression)
        while len(found) < enough and count < len(terms):
            count += 1
            found = self._choose(terms, count, expression)
        return found

    def _choose(self, terms: list[str], count: int, expression: Expression) -> dict[int, float]:
        """Let the first terms choose, and the others add."""
        return self._run_twice(_either(terms[:count]), terms[count:], expression)

    def _match_common(
        self, terms: list[str], expression: Expression, enough: int
    ) -> dict[int, float]:
        """Where no word is rare: documents with all words, or with one in a telling column."""
        found = self._run(_write(f"({' AND '.join(terms)})", expression)) if terms[1:] else {}
        if len(found) < enough:
            found = self._run(_write(f"({TELLING} : {_either(terms)})", expression)) | found
        if len(found) < enough:
            found = self._run(_write(terms[0], expression)) | found
        return found

    def _run_twice(
        self, choosing: str, common: Sequence[str], expression: Expression
    ) -> dict[int, float]:
        """Score by the choosing terms, then again where common terms have something to add."""
        found = self._run(_write(choosing, expression))
        if common and found:
            both = f"{choosing} AND {_either(common)}" if choosing else _either(common)
            found.update(self._run(_write(both, expression)))
        return found

    def frequency(self, term: str) -> int:
        """In how many documents of these sources a term occurs, as far as it makes a difference."""
        known = self.database.frequencies
        key = f"{self.sources} {self._scope}{term}"
        if (counted := known.get(key)) is None:
            if len(known) >= MOST_KNOWN:
                known.clear()
            where = " AND ".join(["docs_fts MATCH ?", *self._within_sources()])
            sql = f"SELECT count(*) FROM (SELECT 1 FROM docs_fts WHERE {where} LIMIT ?)"  # noqa: S608 - numbers
            counted = int(self.database.value(sql, (self.confine(term), MOST_RANKED + 1)))
            known[key] = counted
        return counted

    def confine(self, match: str) -> str:
        """Confine an FTS5 expression to the columns that count."""
        return f"{self._scope}({match})" if self._scope else match

    def has(self, term: str, number: int) -> bool:
        """Tell whether a document has a term."""
        sql = "SELECT 1 FROM docs_fts WHERE docs_fts MATCH ? AND rowid = ?"
        return bool(self.database.value(sql, (self.confine(term), number)))

    def match_telling(self, term: str) -> dict[int, float]:
        """Score documents with a term in a telling column."""
        return self._run(f"{TELLING} : {term}")

    def find_telling(self, term: str, most: int) -> list[int]:
        """Find documents with a term in a telling column, any so many of them, without scores."""
        sql = f"{self._select('docs_fts.rowid')} LIMIT ?"
        values = (self.confine(f"{TELLING} : {term}"), *self.condition.values, most)
        return [number for (number,) in self.database.rows(sql, values)]

    def match_prefix(self, word: str) -> dict[int, float]:
        """Score documents with a name that begins like a word."""
        return self._run(f"{TELLING} : {word} *")

    def _within_sources(self) -> list[str]:
        """Confine row ids to the sources: one source is one range of them."""
        if len(self.sources) == len(self.database.sources):
            return []
        if len(self.sources) == 1:
            low = self.sources[0] << SOURCE_SHIFT
            return [f"docs_fts.rowid BETWEEN {low} AND {low + (1 << SOURCE_SHIFT) - 1}"]
        numbers = ", ".join(map(str, self.sources))
        return [f"docs_fts.rowid >> {SOURCE_SHIFT} IN ({numbers})"]

    def _run(self, match: str) -> dict[int, float]:
        """Score what one FTS5 expression matches."""
        values = (self.confine(match), *self.condition.values)
        return dict(self.database.rows(self._select_scores(), values))

    def _select_scores(self) -> str:
        weights = ", ".join(map(str, self.weights))
        return self._select(f"docs_fts.rowid, -bm25(docs_fts, {weights}) AS score")

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
    """How many of the rarest terms fit the budget: one at least."""
    sums = list(accumulate(frequencies))
    return max(1, sum(total <= budget for total in sums))


def _either(terms: Iterable[str]) -> str:
    return f"({' OR '.join(terms)})"


def _write(choosing: str, expression: Expression) -> str:
    """Write the whole expression: what must occur, what chooses, what must not occur."""
    parts = [*expression.required, *([choosing] if choosing and choosing != "()" else ())]
    text = " AND ".join(parts)
    return f"({text}) NOT {_either(expression.excluded)}" if expression.excluded else text
