"""Words to scored documents: BM25F by FTS5, without looking at more documents than needed.

Ranking one matching document costs FTS5 about a microsecond, so a word that half of a large
index contains would cost a third of a second. The rare words of a query decide who can win:
documents are taken that contain at least one of them, as many words as fit `BUDGET`, and the
common words only add to their scores. Two statements do that without changing any score: one
matches the rare words alone, one the documents that have a common word as well. Where every
word is common, documents must contain all of them, or one in a telling column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stacks.query.database import Database
    from stacks.query.filters import Condition

__all__ = ["COLUMNS", "WEIGHTS", "Expression", "LexicalSearch"]

WEIGHT_OF_COLUMN = {
    "content": 1.0,
    "title": 10.0,
    "summary": 3.0,
    "symbols": 5.0,
    "symbol_components": 1.5,
    "framework": 2.0,
    "uri": 1.0,
    "source": 1.0,
    "language": 1.0,
}
"""How much an occurrence in each column of `docs_fts` counts, in the order of its columns."""
COLUMNS = tuple(WEIGHT_OF_COLUMN)
WEIGHTS = tuple(WEIGHT_OF_COLUMN.values())

BUDGET = 8_000
"""How many documents a query may rank before its common words stop choosing."""

MOST_TELLING = 2_000

TELLING = "{title symbols symbol_components framework}"
"""Columns in which even a common word says what a document is about."""

_COUNT = "SELECT count(*) FROM (SELECT 1 FROM docs_fts WHERE docs_fts MATCH ? LIMIT ?)"


@dataclass(frozen=True, slots=True)
class Expression:
    """What to match, as FTS5 strings: some must occur, some must not, the rest count."""

    optional: tuple[str, ...]
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    def all_terms(self) -> tuple[str, ...]:
        """Everything that adds to a score."""
        return (*self.required, *self.optional)


class LexicalSearch:
    """Asks one database for the documents of an expression."""

    def __init__(self, database: Database, condition: Condition, sources: Sequence[int]) -> None:
        self.database = database
        self.condition = condition
        self.sources = tuple(sources)

    def match_all(self, expression: Expression) -> dict[int, float]:
        """Score every document that matches at all: the definition that `match` keeps to."""
        return self._run(_write(_either(expression.optional), expression))

    def match(self, expression: Expression) -> dict[int, float]:
        """Score the documents that can matter; higher is better."""
        if expression.required:
            return self._run_twice("", expression.optional, expression)
        rare, common = self._divide(expression.optional)
        if rare:
            return self._run_twice(_either(rare), common, expression)
        return self._match_common(common, expression)

    def _divide(self, terms: Iterable[str]) -> tuple[list[str], list[str]]:
        """Put the rarest terms, as many as the budget allows, before the common ones."""
        by_frequency = sorted((self._frequency(term), term) for term in terms)
        rare, common, spent = [], [], 0
        for frequency, term in by_frequency:
            spent += frequency
            if spent <= BUDGET:
                rare.append(term)
            else:
                common.append(term)
        if not any(self._frequency(term) for term in rare):
            rare = []
        return rare, common

    def _match_common(self, terms: list[str], expression: Expression) -> dict[int, float]:
        if not terms:
            return {}
        together = " AND ".join(terms)
        if len(terms) > 1:
            found = self._run(_write(f"({together})", expression), most=BUDGET * 2)
            if found:
                return found
        return self._run(_write(f"({TELLING} : {_either(terms)})", expression)) or self._run(
            _write(_either(terms), expression), most=BUDGET * 2
        )

    def _run_twice(
        self, choosing: str, common: Sequence[str], expression: Expression
    ) -> dict[int, float]:
        """Score by the choosing terms, then again where common terms have something to add."""
        found = self._run(_write(choosing, expression))
        if common and found:
            both = f"{choosing} AND {_either(common)}" if choosing else _either(common)
            found.update(self._run(_write(both, expression)))
        return found

    def _frequency(self, term: str) -> int:
        """In how many documents a term occurs, counted up to where it makes no difference."""
        known = self.database.frequencies.get(term)
        if known is None:
            known = int(self.database.value(_COUNT, (term, BUDGET + 1)))
            self.database.frequencies[term] = known
        return known

    def match_telling(self, term: str) -> dict[int, float]:
        """Score documents with a term in a telling column; not all, where there are very many."""
        return self._run(f"{TELLING} : {term}", most=MOST_TELLING)

    def match_prefix(self, word: str) -> dict[int, float]:
        """Score documents with a name that begins like a word."""
        return self._run(f"{TELLING} : {word} *", most=BUDGET)

    def _run(self, match: str, *, most: int = -1) -> dict[int, float]:
        """Run one FTS5 expression; conditions are looked up by each match's row id."""
        where, values = ["docs_fts MATCH ?"], [match, *self.condition.values, most]
        join = ""
        if self.condition:
            join = "CROSS JOIN docs_metadata AS m ON m.id = docs_fts.rowid"
            where.append(self.condition.sql)
        if len(self.sources) == 1:
            low = self.sources[0] << SOURCE_SHIFT
            where.append(f"docs_fts.rowid BETWEEN {low} AND {low + (1 << SOURCE_SHIFT) - 1}")
        elif len(self.sources) < len(self.database.sources):
            numbers = ", ".join(map(str, self.sources))
            where.append(f"docs_fts.rowid >> {SOURCE_SHIFT} IN ({numbers})")
        sql = f"""
            SELECT docs_fts.rowid, -bm25(docs_fts, {", ".join(map(str, WEIGHTS))})
            FROM docs_fts {join} WHERE {" AND ".join(where)} LIMIT ?
        """  # noqa: S608 - numbers and fixed conditions; what a person typed is bound
        return dict(self.database.rows(sql, values))


def _either(terms: Iterable[str]) -> str:
    return f"({' OR '.join(terms)})"


def _write(choosing: str, expression: Expression) -> str:
    """Write the whole expression: what must occur, what chooses, what must not occur."""
    parts = [*expression.required, *([choosing] if choosing and choosing != "()" else ())]
    text = " AND ".join(parts)
    return f"({text}) NOT {_either(expression.excluded)}" if expression.excluded else text
