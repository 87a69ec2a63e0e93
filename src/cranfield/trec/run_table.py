"""A part of a run as columns: the rows of whole queries, and where they are in the file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec_files import Keys

__all__ = [
    "FilePosition",
    "FileRows",
    "MixedQueriesError",
    "QueryOfRows",
    "RowQueries",
    "RunTable",
    "StretchQueries",
]

_ROWS_AT_ONCE = 1 << 16
"""The columns of this many rows stay in the processor's cache."""


class MixedQueriesError(Exception):
    """The rows of a query are not together: parts that were read are not of whole queries."""


@dataclass(frozen=True, slots=True, eq=False)
class StretchQueries:
    """The query of each row, for rows that are mostly followed by one of the same query.

    Consecutive rows of one query are a stretch: `start` is its first row, `query` the index of its
    query; there are `rows` rows in all.
    """

    start: NDArray[np.int32]
    query: NDArray[np.int32]
    rows: int

    def lengths(self) -> NDArray[np.int32]:
        """Return the number of rows of each stretch."""
        return np.diff(self.start, append=np.int32(self.rows))

    def counts(self, queries: int) -> NDArray[np.int64]:
        """Return the number of rows of each of so many queries."""
        return np.bincount(self.query, self.lengths(), minlength=queries).astype(np.int64)

    def first_rows(self, queries: int) -> NDArray[np.int64]:
        """Return, by index, the first row of each query's last stretch."""
        first = np.zeros(queries, dtype=np.int64)
        first[self.query] = self.start
        return first

    def rows_of(self, asked: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return all rows of the marked queries, and the index of each row's query."""
        stretch = np.flatnonzero(asked[self.query])
        lengths = self.lengths()[stretch]
        skipped = self.start[stretch] - (np.cumsum(lengths) - lengths)
        rows = np.repeat(skipped, lengths) + np.arange(int(lengths.sum()))
        return rows, np.repeat(self.query[stretch], lengths)

    def between(self, start: int, stop: int) -> NDArray[np.int32]:
        """Return the index of the query of each row from start to stop."""
        # Of another type, the bound would make numpy copy the whole column first.
        first = int(np.searchsorted(self.start, np.int32(start), side="right")) - 1
        last = int(np.searchsorted(self.start, np.int32(stop)))
        bounds = np.clip(self.start[first:last], start, stop)
        return np.repeat(self.query[first:last], np.diff(bounds, append=np.int32(stop)))


@dataclass(frozen=True, slots=True, eq=False)
class RowQueries:
    """The index of the query of each row, one by one: there would be as many stretches as rows."""

    query: NDArray[np.int32]

    def counts(self, queries: int) -> NDArray[np.int64]:
        """Return the number of rows of each of so many queries."""
        return np.bincount(self.query, minlength=queries).astype(np.int64)

    def rows_of(self, asked: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return all rows of the marked queries, and the index of each row's query."""
        found = []
        # To look up all at once numpy would first copy the column as 64-bit numbers.
        for start in range(0, len(self.query), _ROWS_AT_ONCE):
            some = self.query[start : start + _ROWS_AT_ONCE]
            found.append(np.flatnonzero(asked[some]) + start)
        rows = np.concatenate(found)
        return rows, self.query[rows]

    def between(self, start: int, stop: int) -> NDArray[np.int32]:
        """Return the index of the query of each row from start to stop."""
        return self.query[start:stop]


QueryOfRows: TypeAlias = StretchQueries | RowQueries


class FilePosition(NamedTuple):
    """Where a block starts in a file: after how many rows and bytes."""

    row: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class FileRows:
    """Where the rows of a table are in the file.

    `blocks` are those that the rows were read from, in order. The first row of the table is the
    row `first` of the file, and the others follow it, unless `numbers` has the number of each.
    """

    blocks: tuple[FilePosition, ...]
    first: int = 0
    numbers: NDArray[np.int64] | None = None

    def numbers_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of some rows in the file."""
        return rows + self.first if self.numbers is None else self.numbers[rows]

    def block_starts(self) -> NDArray[np.int64]:
        """Return the first row of each block but the first one."""
        return np.array([each.row for each in self.blocks[1:]], dtype=np.int64) - self.first

    def split(self, row: int) -> tuple[FileRows, FileRows]:
        """Return where the rows before a row are, and where that row and those after it are."""
        first = self.first + row
        before = tuple(each for each in self.blocks if each.row < first)
        # The block that has the row mostly starts before it.
        started = sum(each.row <= first for each in self.blocks)
        return FileRows(before, self.first), FileRows(self.blocks[started - 1 :], first)


@dataclass(frozen=True, slots=True, eq=False)
class RunTable:
    """All rows of some queries of a run, mostly of all of them.

    A judged query's index is its position among the judged ones; unjudged queries have the indexes
    after these. `retrieved` counts the rows of each. `pair` is the key of each row's query and
    document, from which short ids can be read. The rows `judged_row` have the judgments `judgment`.
    If the queries of a block are mixed, no row of it was compared with others yet.
    """

    retrieved: NDArray[np.int64]
    queries: QueryOfRows
    score: NDArray[np.float64]
    pair: Keys
    judged_row: NDArray[np.int64]
    judgment: NDArray[np.int64]
    file: FileRows
    short_ids: bool
    is_mixed: bool

    @property
    def groups(self) -> StretchQueries | None:
        """The stretches, if there is one for each query: its rows are adjacent. None otherwise."""
        if isinstance(self.queries, RowQueries):
            return None
        is_grouped = len(self.queries.start) == np.count_nonzero(self.retrieved)
        return self.queries if is_grouped else None

    def rows_to_check(self) -> NDArray[np.int64] | None:
        """Return the rows to be searched for duplicates; None for all rows.

        If queries are not mixed, these are the rows of the queries that span several blocks.
        """
        groups = self.groups
        if self.is_mixed or groups is None:
            return None
        ends = groups.start + groups.lengths()
        spanning = np.searchsorted(groups.start, self.file.block_starts(), side="right") - 1
        rows = [
            np.arange(groups.start[each], ends[each]) for each in sorted(set(spanning.tolist()))
        ]
        return np.concatenate(rows) if rows else np.empty(0, dtype=np.int64)

    def split(self) -> tuple[RunTable, RunTable]:
        """Return the rows before those of the last query, and these; refuses mixed queries."""
        groups = self.groups
        if groups is None:
            raise MixedQueriesError
        end, row = len(self.score), int(groups.start[-1])
        before = StretchQueries(groups.start[:-1], groups.query[:-1], row)
        last = StretchQueries(groups.start[-1:] - np.int32(row), groups.query[-1:], end - row)
        file_before, file_last = self.file.split(row)
        return (
            self._between(0, row, before, file_before),
            self._between(row, end, last, file_last),
        )

    def _between(self, start: int, stop: int, queries: QueryOfRows, file: FileRows) -> RunTable:
        judged = np.flatnonzero((self.judged_row >= start) & (self.judged_row < stop))
        return replace(
            self,
            retrieved=queries.counts(len(self.retrieved)),
            queries=queries,
            score=self.score[start:stop],
            pair=self.pair[start:stop],
            judged_row=self.judged_row[judged] - start,
            judgment=self.judgment[judged],
            file=file,
        )
