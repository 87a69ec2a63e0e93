"""A run of any size, in parts of whole queries that fit into memory.

A query's hits are ranked among themselves only, so a part can be ranked and forgotten. Most
files have the rows of a query together: a part ends where a query does. In a large file that mixes
its queries, rows are first sorted into parts on the disk.
"""

from __future__ import annotations

from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.run_blocks import read_run_blocks
from cranfield.trec.run_table import (
    FilePosition,
    FileRows,
    MixedQueriesError,
    RowQueries,
    RunTable,
    StretchQueries,
)
from cranfield.trec_files import GrowingArray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from cranfield.trec.judged_index import JudgedIndex
    from cranfield.trec.run_blocks import RunBlock
    from cranfield.trec_files import Keys, TextSource

    ReadParts = Callable[[TextSource, JudgedIndex, "RunTotals"], Iterator[RunTable]]

__all__ = [
    "ReadParts",
    "RunQueries",
    "RunTotals",
    "read_mixed_parts",
    "read_parts",
]

Number = TypeVar("Number", bound=np.generic)

PART_ROWS = 1 << 23
"""A part ends with the first query after this many rows, which take about 130 MB."""

_MOST_ROWS = 2**31 - 1
"""The rows of a part are counted with 32 bits; no query has so many."""

_MOST_EXPECTED_BLOCKS = 200
"""About as many blocks as a part has."""

_MIXED_PARTS = 64
_ROW = np.dtype(
    [("pair", "u8"), ("score", "f8"), ("row", "i8"), ("query", "i4"), ("judgment", "i4")]
)
"""A row on the disk; `judgment` is -1 if it is not judged."""


class RunQueries(NamedTuple):
    """The queries of a run by index: how many rows each has; which ones are not judged.

    `spaced` counts the rows with a space inside a field between tabs; `first_spaced` is the first.
    """

    unjudged: list[bytes]
    retrieved: NDArray[np.int64]
    tag: str
    spaced: int
    first_spaced: int


class RunTotals:
    """What is counted over all parts of a run while these are read."""

    def __init__(self, judged_queries: int) -> None:
        self.rows = 0
        self._judged_queries = judged_queries
        self._unjudged: dict[int, bytes] = {}
        self._retrieved = np.zeros(judged_queries, dtype=np.int64)
        self._tag = b""
        self._spaced, self._first_spaced = 0, 0

    @property
    def query_count(self) -> int:
        """How many queries have an index: those judged, and others seen until now."""
        return self._judged_queries + len(self._unjudged)

    def add(self, block: RunBlock) -> NDArray[np.int64]:
        """Count a block, and return the index of the query of each of its stretches."""
        queries = self._query_indexes(block)
        lengths = np.diff(block.stretch_start, append=len(block.score))
        self._retrieved = _grown(self._retrieved, self.query_count)
        counted = np.bincount(queries, lengths).astype(np.int64)
        self._retrieved[: len(counted)] += counted
        if len(block.spaced) and not self._spaced:
            self._first_spaced = int(block.spaced[0]) + self.rows
        self._spaced += len(block.spaced)
        self._tag = block.tag
        self.rows += len(block.score)
        return queries

    def queries(self) -> RunQueries:
        """Return what was counted."""
        return RunQueries(
            list(self._unjudged.values()),
            self._retrieved,
            self._tag.decode(),
            self._spaced,
            self._first_spaced,
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


def read_parts(source: TextSource, judged: JudgedIndex, totals: RunTotals) -> Iterator[RunTable]:
    """Read a run part by part, each with all rows of its queries; a small run is one part.

    Documents that a query holds twice are refused within a block whose queries are not mixed;
    others are still to be searched. Raises MixedQueriesError if a query of an earlier part goes on.
    """
    expected = min(source.expected_blocks, _MOST_EXPECTED_BLOCKS)
    builder = _PartBuilder(totals, expected, None)
    ended = np.zeros(0, dtype=bool)
    for block in read_run_blocks(source, judged):
        builder.add(block)
        if builder.rows > PART_ROWS and builder.has_whole_query():
            part, rest = builder.table().split()
            builder = _PartBuilder(totals, expected, rest)
            ended = _end(ended, part)
            yield part
            del part, rest  # before the next part needs their room
    _refuse_emptiness(source, totals)
    last = builder.table()
    _end(ended, last)
    yield last


def _end(ended: NDArray[np.bool_], part: RunTable) -> NDArray[np.bool_]:
    """Mark the queries of a part as ended; one that had ended before makes the file a mixed one."""
    marked = _grown(ended, len(part.retrieved))
    if marked[: len(part.retrieved)][part.retrieved > 0].any():
        raise MixedQueriesError
    marked[: len(part.retrieved)] |= part.retrieved > 0
    return marked


def _refuse_emptiness(source: TextSource, totals: RunTotals) -> None:
    if totals.rows == 0:
        raise InputError("holds no result; is this the right file?", file=source.name)


def _grown(array: NDArray[Number], size: int) -> NDArray[Number]:
    larger = np.zeros(max(size, len(array)), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


class _PartBuilder:
    """Columns that grow with each block; they begin with the rows of a query that goes on."""

    def __init__(self, totals: RunTotals, expected_blocks: float, rest: RunTable | None) -> None:
        self.rows = 0
        self._totals = totals
        self._expected_blocks = expected_blocks
        self._queries: _GrowingStretches | _GrowingRowQueries = _GrowingStretches(expected_blocks)
        self._score = GrowingArray[np.float64](np.float64, expected_blocks)
        self._pair = GrowingArray[np.uint64](np.uint64, expected_blocks)
        self._judged_row = GrowingArray[np.int64](np.int64, expected_blocks)
        self._judgment = GrowingArray[np.int64](np.int64, expected_blocks)
        self._first_row = 0
        self._blocks: list[FilePosition] = []
        self._short_ids = True
        self._is_mixed = False
        if rest is not None:
            self._begin_with(rest)

    def _begin_with(self, rest: RunTable) -> None:
        stretches = _GrowingStretches(self._expected_blocks)
        stretches.append(rest.queries.between(0, 1), np.zeros(1, dtype=np.int64), 0)
        self._queries = stretches
        self._append_rows(rest.score, rest.pair, rest.judged_row, rest.judgment)
        self._first_row = rest.file.first
        self._blocks.extend(rest.file.blocks)
        self._short_ids, self._is_mixed = rest.short_ids, rest.is_mixed

    def add(self, block: RunBlock) -> None:
        """Append a block's rows."""
        queries = self._totals.add(block)
        if self.rows == 0 and block.is_mixed:
            # Blocks of one file are alike: the first decides how the queries are kept.
            self._queries = _GrowingRowQueries(self._expected_blocks)
        if isinstance(self._queries, _GrowingRowQueries):
            self._queries.append(_of_rows(block, queries))
        else:
            self._queries.append(queries, block.stretch_start, self.rows)
        self._blocks.append(FilePosition(self._first_row + self.rows, block.block.offset))
        self._short_ids &= block.short_ids
        self._is_mixed |= block.is_mixed
        self._append_rows(block.score, block.pair, block.judged.row, block.judged.position)
        if self.rows > _MOST_ROWS:
            raise InputError(
                f"has a query of more than {_MOST_ROWS} rows", file=block.block.source.name
            )

    def _append_rows(
        self,
        score: NDArray[np.float64],
        pair: Keys,
        judged_row: NDArray[np.int64],
        judgment: NDArray[np.int64],
    ) -> None:
        self._score.append(score)
        self._pair.append(pair)
        self._judged_row.append(judged_row + self.rows)
        self._judgment.append(judgment)
        self.rows += len(score)

    def has_whole_query(self) -> bool:
        """Return whether a query ended: another one followed."""
        if isinstance(self._queries, _GrowingRowQueries):
            raise MixedQueriesError
        return self._queries.last_start > 0

    def table(self) -> RunTable:
        """Return all rows."""
        queries = self._queries.finish(self.rows)
        return RunTable(
            retrieved=queries.counts(self._totals.query_count),
            queries=queries,
            score=self._score.array(),
            pair=self._pair.array(),
            judged_row=self._judged_row.array(),
            judgment=self._judgment.array(),
            file=FileRows(tuple(self._blocks), self._first_row),
            short_ids=self._short_ids,
            is_mixed=self._is_mixed,
        )


class _GrowingStretches:
    """Stretches of rows of one query."""

    def __init__(self, expected_blocks: float) -> None:
        self._start = GrowingArray[np.int32](np.int32, expected_blocks)
        self._query = GrowingArray[np.int32](np.int32, expected_blocks)
        self._last_query = -1
        self.last_start = 0

    def append(
        self, queries: NDArray[np.integer], starts: NDArray[np.int64], rows_before: int
    ) -> None:
        """Append a block's stretches."""
        # A query that goes on from the last block is one stretch.
        new = int(queries[0] == self._last_query)
        self._last_query = int(queries[-1])
        if len(queries) > new:
            self.last_start = int(starts[-1]) + rows_before
        self._query.append(queries[new:].astype(np.int32))
        self._start.append((starts[new:] + rows_before).astype(np.int32))

    def finish(self, rows: int) -> StretchQueries:
        """Return the queries of so many rows."""
        return StretchQueries(self._start.array(), self._query.array(), rows)


class _GrowingRowQueries:
    """The query of each row, for blocks whose queries take turns."""

    def __init__(self, expected_blocks: float) -> None:
        self._query = GrowingArray[np.int32](np.int32, expected_blocks)

    def append(self, queries: NDArray[np.int64]) -> None:
        """Append the queries of a block's rows."""
        self._query.append(queries.astype(np.int32))

    def finish(self, _: int) -> RowQueries:
        """Return the queries of all rows."""
        return RowQueries(self._query.array())


def read_mixed_parts(
    source: TextSource, judged: JudgedIndex, totals: RunTotals
) -> Iterator[RunTable]:
    """Read a run whose queries are mixed, its rows sorted into parts on the disk first."""
    try:
        with ExitStack() as opened:
            files: list[IO[bytes]] = [
                opened.enter_context(TemporaryFile(prefix="cranfield-"))
                for _ in range(_MIXED_PARTS)
            ]
            short_ids = True
            for block in read_run_blocks(source, judged):
                _write_rows(block, totals, files)
                short_ids &= block.short_ids
            _refuse_emptiness(source, totals)
            for file in files:
                file.seek(0)
                rows = np.fromfile(file, dtype=_ROW)
                if len(rows):
                    yield _mixed_table(rows, totals.query_count, short_ids=short_ids)
    except OSError as problem:
        why = problem.strerror or problem
        message = f"mixes its queries, and its rows cannot be kept in temporary files: {why}; "
        raise InputError(f"{message}sort it by query, or set TMPDIR", file=source.name) from None


def _write_rows(block: RunBlock, totals: RunTotals, files: Sequence[IO[bytes]]) -> None:
    first = totals.rows
    rows = np.empty(len(block.score), dtype=_ROW)
    rows["query"] = _of_rows(block, totals.add(block))
    rows["pair"], rows["score"] = block.pair, block.score
    rows["row"] = np.arange(first, totals.rows)
    rows["judgment"] = -1
    rows["judgment"][block.judged.row] = block.judged.position
    part = rows["query"] % len(files)
    rows = rows[np.argsort(part, kind="stable")]
    ends = np.cumsum(np.bincount(part, minlength=len(files)))
    for file, some in zip(files, np.split(rows, ends[:-1]), strict=True):
        file.write(some.tobytes())


def _mixed_table(rows: NDArray[np.void], query_count: int, *, short_ids: bool) -> RunTable:
    judged = np.flatnonzero(rows["judgment"] >= 0)
    queries = RowQueries(rows["query"].copy())
    return RunTable(
        retrieved=queries.counts(query_count),
        queries=queries,
        score=rows["score"].copy(),
        pair=rows["pair"].copy(),
        judged_row=judged,
        judgment=rows["judgment"][judged].astype(np.int64),
        file=FileRows((FilePosition(),), numbers=rows["row"].copy()),
        short_ids=short_ids,
        is_mixed=True,
    )


def _of_rows(block: RunBlock, queries: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of the query of each row, given those of the stretches."""
    return np.repeat(queries, np.diff(block.stretch_start, append=len(block.score)))
