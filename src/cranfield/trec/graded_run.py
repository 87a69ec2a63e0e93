"""A run graded by judgments: columns, ready to be measured."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import InputError
from cranfield.measures import GradedColumns
from cranfield.model import Missing, TieRule
from cranfield.trec.judged_index import JudgedIndex
from cranfield.trec.run_blocks import check_duplicates, row_line
from cranfield.trec.run_parts import RunTotals, read_mixed_parts, read_parts
from cranfield.trec.run_table import MixedQueriesError
from cranfield.trec.ties import TieOrder, best_ranks, queries_with_mixed_ties, worst_ranks
from cranfield.trec_files import TextSource

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.ranking import JudgedHits
    from cranfield.trec.run_parts import ReadParts, RunQueries
    from cranfield.trec_files import Qrels

__all__ = ["GradedRun", "TiedColumns", "grade_run"]

_GRADE_SHIFT = 128
"""Added to grades, which go from -127 to 127, to make them positive."""

_GRADE_BITS = 8
_GRADE_MASK = (1 << _GRADE_BITS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class TiedColumns:
    """The queries with equal scores between hits of different grades, at positions `query`.

    `best` and `worst` hold only these queries, with their ties resolved in the run's favour and
    against it.
    """

    query: NDArray[np.int64]
    best: GradedColumns
    worst: GradedColumns


@dataclass(frozen=True, slots=True)
class SpacedLines:
    """Lines with tabs between fields and a space inside one: how many, and which is the first.

    They are read as trec_eval does, so the space ends a field too.
    """

    count: int = 0
    first: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GradedRun:
    """A run under judgments: the columns to measure, and what is missing or unjudged."""

    name: str
    tag: str
    columns: GradedColumns
    tied: TiedColumns
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    without_relevant: int
    spaced: SpacedLines = field(default_factory=SpacedLines)


def grade_run(
    qrels: Qrels,
    path: str,
    *,
    ties: TieRule = TieRule.DOCUMENT,
    missing: Missing = Missing.ZERO,
    judged: JudgedIndex | None = None,
) -> GradedRun:
    """Read a run file and grade it. Pass `judged` to use one index for several runs."""
    source = TextSource(path)
    try:
        queries, hits = _rank(source, judged or JudgedIndex(qrels), ties)
        first = row_line(source, queries.first_spaced) if queries.spaced else None
    finally:
        source.close()
    graded = _assemble(qrels, source.name, queries, hits, missing)
    return replace(graded, spaced=SpacedLines(queries.spaced, first))


def _rank(source: TextSource, judged: JudgedIndex, ties: TieRule) -> tuple[RunQueries, JudgedHits]:
    """Read a run part by part and keep only its judged rows and their ranks."""
    try:
        return _rank_parts(source, judged, ties, read_parts)
    except MixedQueriesError:
        return _rank_parts(source, judged, ties, read_mixed_parts)


def _rank_parts(
    source: TextSource, judged: JudgedIndex, ties: TieRule, read: ReadParts
) -> tuple[RunQueries, JudgedHits]:
    totals, order = RunTotals(len(judged.qrels.queries)), TieOrder(judged.qrels, source, ties)
    with ThreadPoolExecutor(1) as pool:
        for table in read(source, judged, totals):
            # For a file in no order this takes as long as the ranking.
            checked = pool.submit(check_duplicates, table, source)
            order.add(table)
            checked.result()
            del checked, table  # so their memory is free for the next part
    return totals.queries(), order.hits()


def _assemble(
    qrels: Qrels, name: str, queries: RunQueries, hits: JudgedHits, missing: Missing
) -> GradedRun:
    retrieved = queries.retrieved[: len(qrels.queries)]
    if not retrieved.any():
        raise InputError(_no_common_query(qrels, queries), file=name)
    absent = tuple(qrels.queries[position] for position in np.flatnonzero(retrieved == 0))
    if absent and missing is Missing.ERROR:
        raise InputError(
            f"has no results for {len(absent)} judged queries, first {absent[0]!r}; "
            "add them, or let them be zero or skipped",
            file=name,
        )
    kept = retrieved > 0 if missing is Missing.SKIP else np.ones(len(retrieved), dtype=bool)
    relevant = np.bincount(qrels.query[qrels.grade >= 1], minlength=len(retrieved))
    return GradedRun(
        name=name,
        tag=queries.tag,
        columns=_columns(qrels, retrieved, kept, hits, hits.above + hits.tie_position + 1),
        tied=_tied_columns(qrels, retrieved, kept, hits),
        missing=absent,
        unjudged=tuple(sorted(query.decode() for query in queries.unjudged)),
        without_relevant=int(np.count_nonzero(relevant[kept] == 0)),
    )


def _no_common_query(qrels: Qrels, queries: RunQueries) -> str:
    return (
        f"no query of this run is judged in {qrels.name}: it has {queries.unjudged[0].decode()!r}, "
        f"the judgments have {qrels.queries[0]!r}; are the two files of one collection?"
    )


def _tied_columns(
    qrels: Qrels, retrieved: NDArray[np.int64], kept: NDArray[np.bool_], hits: JudgedHits
) -> TiedColumns:
    mixed = queries_with_mixed_ties(qrels, hits)
    hits = hits.at(np.flatnonzero(mixed[qrels.query[hits.judgment]]))
    position = np.cumsum(kept) - 1
    return TiedColumns(
        query=position[mixed],
        best=_columns(qrels, retrieved, mixed, hits, best_ranks(qrels, hits)),
        worst=_columns(qrels, retrieved, mixed, hits, worst_ranks(qrels, hits)),
    )


def _columns(
    qrels: Qrels,
    retrieved: NDArray[np.int64],
    kept: NDArray[np.bool_],
    hits: JudgedHits,
    rank: NDArray[np.int64],
) -> GradedColumns:
    """Build the columns of the kept queries; all hits belong to these."""
    position = np.cumsum(kept) - 1
    # Sorting plain numbers that hold query, rank and grade is faster than finding their order.
    # No files that fit into memory have so many queries and ranks that 64 bits are too few.
    rank_bits = int(rank.max(initial=0)).bit_length()
    query = position[qrels.query[hits.judgment]]
    grade = qrels.grade[hits.judgment] + _GRADE_SHIFT
    found = np.sort((((query << rank_bits) | rank) << _GRADE_BITS) | grade)
    judged = kept[qrels.query]
    known = position[qrels.query[judged]] << _GRADE_BITS | (_GRADE_SHIFT - qrels.grade[judged])
    known.sort()
    return GradedColumns(
        queries=tuple(qrels.queries[place] for place in np.flatnonzero(kept)),
        retrieved=retrieved[kept],
        hit_query=found >> (rank_bits + _GRADE_BITS),
        hit_rank=(found >> _GRADE_BITS) & ((1 << rank_bits) - 1),
        hit_grade=(found & _GRADE_MASK) - _GRADE_SHIFT,
        judgment_query=known >> _GRADE_BITS,
        judgment_grade=_GRADE_SHIFT - (known & _GRADE_MASK),
    )
