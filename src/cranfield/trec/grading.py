"""A run and judgments brought together: graded columns, ready to be measured."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import InputError
from cranfield.measures import GradedColumns
from cranfield.trec.blocks import TextSource
from cranfield.trec.matching import JudgedIndex
from cranfield.trec.run_tables import read_run
from cranfield.trec.tie_bounds import best_ranks, count_mixed_ties, worst_ranks
from cranfield.trec.ties import TieRule, rank_judged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.qrels import Qrels
    from cranfield.trec.ranking import JudgedHits
    from cranfield.trec.run_tables import RunTable

__all__ = ["GradedRun", "Missing", "grade_run"]

_GRADE_SHIFT = 128
"""Added to grades, which go from -127 to 127, to make them positive."""


class Missing(StrEnum):
    """What becomes of judged queries that a run has no results for."""

    ZERO = "zero"
    SKIP = "skip"
    ERROR = "error"


@dataclass(frozen=True, slots=True, eq=False)
class GradedRun:
    """A run under judgments: the columns to measure, and what was not as it should be.

    `best` and `worst` are the columns with every tie resolved in the run's favour and against
    it; None where no tie holds documents of different grades.
    """

    name: str
    tag: str
    columns: GradedColumns
    best: GradedColumns | None
    worst: GradedColumns | None
    tie_groups: int
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    without_relevant: int


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
        table = read_run(source, judged or JudgedIndex(qrels))
        hits = rank_judged(table, source, ties)
    finally:
        source.close()
    return _assemble(qrels, source.name, table, hits, missing)


def _assemble(
    qrels: Qrels, name: str, table: RunTable, hits: JudgedHits, missing: Missing
) -> GradedRun:
    positions = qrels.positions()
    at = np.array([positions.get(query, -1) for query in table.queries], dtype=np.int64)
    retrieved = np.zeros(len(qrels.queries), dtype=np.int64)
    retrieved[at[at >= 0]] = table.retrieved[at >= 0]
    if not retrieved.any():
        raise InputError(_no_common_query(qrels, table), file=name)
    absent = tuple(qrels.queries[position] for position in np.flatnonzero(retrieved == 0))
    if absent and missing is Missing.ERROR:
        raise InputError(
            f"has no results for {len(absent)} judged queries, first {absent[0]!r}", file=name
        )
    kept = retrieved > 0 if missing is Missing.SKIP else np.ones(len(retrieved), dtype=bool)
    builder = _ColumnBuilder(qrels, retrieved, kept)
    mixed = count_mixed_ties(qrels, hits)
    relevant = np.bincount(qrels.query[qrels.grade >= 1], minlength=len(retrieved))
    return GradedRun(
        name=name,
        tag=table.tag,
        columns=builder.build(hits.judgment, hits.above + hits.place + 1),
        best=builder.build(hits.judgment, best_ranks(qrels, hits)) if mixed else None,
        worst=builder.build(hits.judgment, worst_ranks(qrels, hits)) if mixed else None,
        tie_groups=mixed,
        missing=absent,
        unjudged=tuple(sorted(table.queries[number].decode() for number in np.flatnonzero(at < 0))),
        without_relevant=int(np.count_nonzero(relevant[kept] == 0)),
    )


def _no_common_query(qrels: Qrels, table: RunTable) -> str:
    return (
        f"no query of this run is judged in {qrels.name}: it has {table.queries[0].decode()!r}, "
        f"the judgments have {qrels.queries[0]!r}; are the two files of one collection?"
    )


class _ColumnBuilder:
    """Builds columns over the kept queries for one set of ranks after the other."""

    def __init__(self, qrels: Qrels, retrieved: NDArray[np.int64], kept: NDArray[np.bool_]) -> None:
        self._qrels = qrels
        self._number = np.cumsum(kept) - 1
        self._queries = tuple(
            query for query, keep in zip(qrels.queries, kept, strict=True) if keep
        )
        self._retrieved = retrieved[kept]
        judged = kept[qrels.query]
        # One sort of plain numbers orders judgments by query, then by falling grade.
        packed = np.sort(
            self._number[qrels.query[judged]] * 256 + _GRADE_SHIFT - qrels.grade[judged]
        )
        self._judgment_query = packed // 256
        self._judgment_grade = _GRADE_SHIFT - packed % 256

    def build(self, judgment: NDArray[np.int64], rank: NDArray[np.int64]) -> GradedColumns:
        """Build the columns with these ranks."""
        query = self._number[self._qrels.query[judgment]]
        order = np.argsort(query * (int(rank.max(initial=0)) + 1) + rank)
        return GradedColumns(
            queries=self._queries,
            retrieved=self._retrieved,
            hit_query=query[order],
            hit_rank=rank[order],
            hit_grade=self._qrels.grade[judgment][order],
            judgment_query=self._judgment_query,
            judgment_grade=self._judgment_grade,
        )
