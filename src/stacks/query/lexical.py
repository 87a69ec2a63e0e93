"""Full-text search: BM25F by FTS5.

The columns of the text index are `TEXT_COLUMNS` in `stacks.schema`; a ranking
(`stacks.query.rankings`) can have other weights for its documents. `best_matches.py` scores no more
than is wanted, and words that many documents have faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.schema import SOURCE_SHIFT, TEXT_COLUMNS
from stacks.text.natural import stem_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stacks.query.filters import Condition
    from stacks.storage import Database

__all__ = ["Expression", "LexicalSearch", "stem_terms"]

_MOST_COUNTED = 30_000
"""A word in more documents than this counts as one in this many."""
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
