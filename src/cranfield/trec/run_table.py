"""Rows of a run as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.run_blocks import FilePosition
    from cranfield.trec_files import Keys

__all__ = ["RunTable"]

_ROWS_AT_ONCE = 1 << 16
"""The columns of this many rows stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class RunTable:
    """All rows of some queries of a run, mostly of all of them.

    A query's rows are one or more stretches of consecutive rows.

    If there would be as many stretches as rows, `row_query` has the index of each row's query
    instead, and there are no stretches.

    A judged query's index is its position among the judged ones; unjudged queries have the
    indexes after these. `retrieved` counts the rows of each. `row_number` has the number of each
    row in the file, if they are not consecutive there; else `first_row` is the number of the first.
    `position` is where a block of the file starts that has this row, or one before it.
    """

    retrieved: NDArray[np.int64]
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
    position: FilePosition
    first_row: int = 0
    row_number: NDArray[np.int64] | None = None

    def in_file(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of some rows in the file."""
        return rows + self.first_row if self.row_number is None else self.row_number[rows]

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
        bounds = ((self.stretch_start[each], ends[each]) for each in sorted(set(places.tolist())))
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
