"""Why a hit stands where it stands: every number of its score, taken apart.

A term's part of BM25 is what FTS5 gives for that term alone; it is shared among the columns by
weight times occurrences, so the parts of a hit add up to its score. A hit that was found by less
than its words has one part that says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

from stacks.query.lexical import COLUMNS, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.query.database import Database
    from stacks.query.fusion import Standing
    from stacks.query.ranking import Factor
    from stacks.query.search import Hit

__all__ = ["Explanation", "TermPart", "explain"]

_MARK = "\x01"
_OCCURRENCES = f"""
SELECT -bm25(docs_fts, {", ".join(map(str, WEIGHTS))}),
       {", ".join(f"highlight(docs_fts, {n}, '{_MARK}', '')" for n in range(len(COLUMNS)))}
FROM docs_fts WHERE docs_fts MATCH ? AND rowid = ?
"""  # noqa: S608 - fixed columns and weights


@dataclass(frozen=True, slots=True)
class TermPart:
    """What one term adds to the score, by column, and how often it occurs in each."""

    term: str
    score: float
    columns: dict[str, float]
    occurrences: dict[str, int]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A hit's score: terms, then factors, then its place in its source's list and in the whole."""

    terms: tuple[TermPart, ...]
    bm25: float
    factors: tuple[Factor, ...]
    corrected: float
    standing: Standing


def explain(database: Database, hit: Hit, terms: Iterable[str]) -> Explanation:
    """Take a hit's score apart by the terms of its query."""
    parts = [part for term in terms if (part := _explain_term(database, hit.id, term))]
    if not isclose(sum(part.score for part in parts), hit.bm25, rel_tol=1e-9):
        # Found by a part of a name, by a beginning, or in the telling columns alone.
        parts = [TermPart("part of a name", hit.bm25, {}, {})]
    corrected = hit.bm25
    for factor in hit.factors:
        corrected *= factor.factor
    return Explanation(tuple(parts), hit.bm25, hit.factors, corrected, hit.standing)


def _explain_term(database: Database, number: int, term: str) -> TermPart | None:
    rows = database.rows(_OCCURRENCES, (term, number))
    if not rows:
        return None
    score, *texts = rows[0]
    counts = {
        column: text.count(_MARK) for column, text in zip(COLUMNS, texts, strict=True) if text
    }
    weights = dict(zip(COLUMNS, WEIGHTS, strict=True))
    weighted = {column: weights[column] * count for column, count in counts.items() if count}
    total = sum(weighted.values())
    return TermPart(
        term,
        score,
        {column: score * part / total for column, part in weighted.items()},
        {column: count for column, count in counts.items() if count},
    )
