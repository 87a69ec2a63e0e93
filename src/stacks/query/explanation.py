"""How a hit got its score: every number in it.

A term's part of BM25 is what FTS5 gives for that term alone; it is shared among the columns by
weight times occurrences, so the parts of a hit add up to its score. A hit that was found by less
than its words has one part that says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

from stacks.query.candidates import multiply
from stacks.query.question import make_terms, write_expansion
from stacks.schema import TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.guidance import Expansion
    from stacks.query.candidates import BlendedRank, Factor, FusedRank
    from stacks.query.results import Hit
    from stacks.storage import Database

__all__ = ["Explanation", "TermPart", "explain"]

_MARK = "\x01"
_OCCURRENCES = f"""
SELECT -bm25(docs_fts, {{weights}}),
       {", ".join(f"highlight(docs_fts, {n}, '{_MARK}', '')" for n in range(len(TEXT_COLUMNS)))}
FROM docs_fts WHERE docs_fts MATCH ? AND rowid = ?
"""  # noqa: S608 - fixed columns


@dataclass(frozen=True, slots=True)
class TermPart:
    """What one term adds to the score, by column, and how often it occurs in each."""

    term: str
    score: float
    columns: dict[str, float]
    occurrences: dict[str, int]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A hit's score: its terms, factors, blend with meaning, and rank in its source's list.

    `bridged` are the terms that are words of the corpus and stand for words of the query.
    """

    terms: tuple[TermPart, ...]
    bm25: float
    factors: tuple[Factor, ...]
    corrected: float
    blended: BlendedRank | None
    fused: FusedRank
    bridged: tuple[Expansion, ...] = ()
    reranked: float | None = None


def explain(database: Database, hit: Hit) -> Explanation:
    """Take a hit's score apart by the terms of its query."""
    question, weights = hit.scoring
    terms = [(term, 1.0) for term in make_terms(question)]
    terms += [(write_expansion(each), each.weight) for each in question.bridged]
    parts = [
        part
        for term, share in terms
        if (part := _explain_term(database, hit.id, term, weights, share))
    ]
    found = sum(part.score for part in parts)
    # A hit by meaning alone was not among the best by words: its words count for nothing.
    bm25 = found if hit.blended and hit.blended.words is None else hit.bm25
    if not isclose(found, bm25, rel_tol=1e-9, abs_tol=1e-12):
        # Found by a part of a name, by a prefix, or in the telling columns alone.
        parts = [TermPart("part of a name", bm25, {}, {})]
    corrected = multiply(bm25, hit.factors)
    bridged = tuple(question.bridged)
    ranks = (hit.blended, hit.fused, bridged, hit.reranked)
    return Explanation(tuple(parts), bm25, hit.factors, corrected, *ranks)


def _explain_term(
    database: Database, number: int, term: str, weights: Mapping[str, float], share: float
) -> TermPart | None:
    sql = _OCCURRENCES.format(weights=", ".join(str(weights[column]) for column in TEXT_COLUMNS))
    rows = database.rows(sql, (term, number))
    if not rows:
        return None
    whole, *texts = rows[0]
    score = share * whole
    counts = {
        column: text.count(_MARK) for column, text in zip(TEXT_COLUMNS, texts, strict=True) if text
    }
    weighted = {column: weights[column] * count for column, count in counts.items() if count}
    total = sum(weighted.values()) or 1.0
    return TermPart(
        term,
        score,
        {column: score * part / total for column, part in weighted.items()},
        {column: count for column, count in counts.items() if count},
    )
