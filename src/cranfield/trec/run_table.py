"""All rows of a run as columns, gathered block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.blocks import GrowingArray
from cranfield.trec.run_blocks import read_run_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.blocks import TextSource
    from cranfield.trec.judged_index import JudgedIndex
    from cranfield.trec.keys import Keys
    from cranfield.trec.run_blocks import RunBlock

__all__ = ["RunQueries", "RunTable", "read_run"]

_MOST_ROWS = 2**31 - 1
"""Rows are counted with 32 bits; a larger file than this belongs to no collection."""

_ROWS_AT_ONCE = 1 << 16
"""The columns of this many rows stay in the processor's cache."""


class RunQueries(NamedTuple):
    """The queries of a run by index: how many rows each has; which ones are not judged.

    `spaced` are the rows with a space inside a field between tabs.
    """

    unjudged: list[bytes]
    retrieved: NDArray[np.int64]
    tag: str
    spaced: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RunTable:
    """All rows of a run. A query's rows are one or more stretches of consecutive rows.

    If there would be as many stretches as rows, `row_query` has the index of each row's query
    instead, and there are no stretches.

    A judged query's index is its position among the judged ones; unjudged queries have the
    indexes after these. `retrieved` counts the rows of each.
    """

    queries: RunQueries
    stretch_start: NDArray[np.int32]
    stretch_query: NDArray[np.int32]
    row_query: NDArray[np.int32] | None
    score: NDArray[np.float64]
    pair: Keys
    judged_row: NDArray[np.int64]
    judgment: NDArray[np.int64]
    block_start: NDArray[np.int32]
    short_ids: bool
    is_mixed: bool

    @property
    def retrieved(self) -> NDArray[np.int64]:
        """Return the number of rows of each query."""
        return self.queries.retrieved

    @property
    def is_grouped(self) -> bool:
        """Whether each query's rows are known to be adjacent."""
        return self.row_query is None and len(self.stretch_start) == np.count_nonzero(
            self.retrieved
        )

    def stretch_lengths(self) -> NDArray[np.int32]:
        """Return the number of rows of each stretch."""
        return np.diff(self.stretch_start, append=np.int32(len(self.score)))

    def starts(self) -> NDArray[np.int64]:
        """Return, by index, the first row of each query of a grouped table."""
        starts = np.zeros(len(self.retrieved), dtype=np.int64)
        starts[self.stretch_query] = self.stretch_start
        return starts

    def rows_of(self, asked: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return all rows of the marked queries, and the index of each row's query."""
        if self.row_query is not None:
            rows = _rows_marked(self.row_query, asked)
            return rows, self.row_query[rows]
        stretch = np.flatnonzero(asked[self.stretch_query])
        lengths = self.stretch_lengths()[stretch]
        skipped = self.stretch_start[stretch] - (np.cumsum(lengths) - lengths)
        rows = np.repeat(skipped, lengths) + np.arange(int(lengths.sum()))
        return rows, np.repeat(self.stretch_query[stretch], lengths)

    def row_queries(self, start: int, stop: int) -> NDArray[np.int32]:
        """Return the index of the query of each row from start to stop."""
        if self.row_query is not None:
            return self.row_query[start:stop]
        # Of another type, the bound would make numpy copy the whole column first.
        first = int(np.searchsorted(self.stretch_start, np.int32(start), side="right")) - 1
        last = int(np.searchsorted(self.stretch_start, np.int32(stop)))
        bounds = np.clip(self.stretch_start[first:last], start, stop)
        return np.repeat(self.stretch_query[first:last], np.diff(bounds, append=np.int32(stop)))

    def rows_to_check(self) -> NDArray[np.int64] | None:
        """Return the rows to be searched for duplicates; None for all rows.

        If queries are not mixed, these are the rows of the queries that span several blocks.
        """
        if self.is_mixed or not self.is_grouped:
            return None
        ends = self.stretch_start + self.stretch_lengths()
        places = np.searchsorted(self.stretch_start, self.block_start[1:], side="right") - 1
        bounds = ((self.stretch_start[each], ends[each]) for each in np.unique(places))
        rows = [np.arange(start, end) for start, end in bounds]
        return np.concatenate(rows) if rows else np.empty(0, dtype=np.int64)


def _rows_marked(row_query: NDArray[np.int32], marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the rows whose query is marked, searching a few at a time.

    To look up all at once numpy would first copy the column as 64-bit numbers.
    """
    parts = range(0, len(row_query), _ROWS_AT_ONCE)
    rows = [
        np.flatnonzero(marked[row_query[start : start + _ROWS_AT_ONCE]]) + start for start in parts
    ]
    return np.concatenate(rows)


def read_run(source: TextSource, judged: JudgedIndex) -> RunTable:
    """Read a whole run; one faulty line refuses all of it.

    Documents that a query holds twice are refused within a block whose queries are not mixed;
    others are still to be searched.
    """
    builder = _RunTableBuilder(len(judged.qrels.queries), source.expected_blocks)
    for block in read_run_blocks(source, judged):
        builder.add(block)
    if builder.rows == 0:
        raise InputError("holds no result; is this the right file?", file=source.name)
    return builder.table()


class _RunTableBuilder:
    """Columns that grow with each block."""

    def __init__(self, judged_queries: int, expected_blocks: float) -> None:
        self.rows = 0
        self._unjudged: dict[int, bytes] = {}
        self._retrieved = np.zeros(judged_queries, dtype=np.int64)
        self._judged_queries = judged_queries
        self._score = GrowingArray[np.float64](np.float64, expected_blocks)
        self._pair = GrowingArray[np.uint64](np.uint64, expected_blocks)
        self._stretch_start = GrowingArray[np.int32](np.int32, expected_blocks)
        self._stretch_query = GrowingArray[np.int32](np.int32, expected_blocks)
        self._row_query = GrowingArray[np.int32](np.int32, expected_blocks)
        self._by_row = False
        self._judged_row = GrowingArray[np.int64](np.int64, expected_blocks)
        self._judgment = GrowingArray[np.int64](np.int64, expected_blocks)
        self._block_starts: list[int] = []
        self._last_query = -1
        self._short_ids = True
        self._is_mixed = False
        self._tag = b""
        self._spaced: list[NDArray[np.int64]] = []

    def add(self, block: RunBlock) -> None:
        """Append a block's rows."""
        queries = self._query_indexes(block)
        if self.rows == 0:
            self._by_row = block.is_mixed
        if self._by_row:
            self._add_rows(block, queries)
        else:
            self._add_stretches(block, queries)
        self._score.append(block.score)
        self._pair.append(block.pair)
        self._judged_row.append(block.judged.row + self.rows)
        self._judgment.append(block.judged.position)
        self._block_starts.append(self.rows)
        self._short_ids &= block.short_ids
        self._is_mixed |= block.is_mixed
        self._tag = block.tag
        self._spaced.append(block.spaced + self.rows)
        self.rows += len(block.score)
        if self.rows > _MOST_ROWS:
            raise InputError(
                f"has more than {_MOST_ROWS} rows; split it by query", file=block.block.source.name
            )

    def _add_rows(self, block: RunBlock, queries: NDArray[np.int64]) -> None:
        if len(queries) < len(block.score):
            queries = np.repeat(queries, np.diff(block.stretch_start, append=len(block.score)))
        self._count(np.bincount(queries))
        self._row_query.append(queries.astype(np.int32))

    def _add_stretches(self, block: RunBlock, queries: NDArray[np.int64]) -> None:
        lengths = np.diff(block.stretch_start, append=len(block.score))
        self._count(np.bincount(queries, weights=lengths).astype(np.int64))
        # A query that goes on from the last block is one stretch.
        new = int(queries[0] == self._last_query)
        self._last_query = int(queries[-1])
        self._stretch_query.append(queries[new:].astype(np.int32))
        self._stretch_start.append((block.stretch_start[new:] + self.rows).astype(np.int32))

    def _count(self, counts: NDArray[np.int64]) -> None:
        """Add the rows of each query to those counted before."""
        queries = self._judged_queries + len(self._unjudged)
        retrieved = np.zeros(queries, dtype=np.int64)
        retrieved[: len(self._retrieved)] = self._retrieved
        retrieved[: len(counts)] += counts
        self._retrieved = retrieved

    def table(self) -> RunTable:
        """Return all rows."""
        return RunTable(
            queries=RunQueries(
                unjudged=list(self._unjudged.values()),
                retrieved=self._retrieved,
                tag=self._tag.decode(),
                spaced=np.concatenate(self._spaced),
            ),
            stretch_start=self._stretch_start.array(),
            stretch_query=self._stretch_query.array(),
            row_query=self._row_query.array() if self._by_row else None,
            score=self._score.array(),
            pair=self._pair.array(),
            judged_row=self._judged_row.array(),
            judgment=self._judgment.array(),
            block_start=np.array(self._block_starts, dtype=np.int32),
            short_ids=self._short_ids,
            is_mixed=self._is_mixed,
        )

    def _query_indexes(self, block: RunBlock) -> NDArray[np.int64]:
        unjudged = np.flatnonzero(block.stretch_query < 0)
        if len(unjudged) == 0:
            return block.stretch_query
        keys, first, inverse = np.unique(
            block.stretch_key[unjudged], return_index=True, return_inverse=True
        )
        for place in np.argsort(first):
            if (key := int(keys[place])) not in self._unjudged:
                self._unjudged[key] = block.query_text(int(unjudged[first[place]]))
        known = {key: number for number, key in enumerate(self._unjudged)}
        queries = block.stretch_query.copy()
        local = np.array([known[key] for key in keys.tolist()], dtype=np.int64)
        queries[unjudged] = self._judged_queries + local[inverse]
        return queries
