"""A run of any size, in parts of whole queries that fit into memory.

A query's hits are ranked among themselves only, so that a part can be ranked and forgotten. Most
files have the rows of a query together: a part ends where a query does. In a large file that mixes
its queries, rows are first sorted into parts on the disk.
"""

from __future__ import annotations

from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.run_blocks import FilePosition, read_run_blocks
from cranfield.trec.run_table import RunTable
from cranfield.trec_files import GrowingArray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from cranfield.trec.judged_index import JudgedIndex
    from cranfield.trec.run_blocks import RunBlock
    from cranfield.trec_files import TextSource

    ReadParts = Callable[[TextSource, JudgedIndex, "RunTotals"], Iterator[RunTable]]

__all__ = [
    "MixedQueriesError",
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


class MixedQueriesError(Exception):
    """A query goes on after its part ended: the parts that were read are not whole."""


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
    builder = _PartBuilder(totals, expected)
    ended = np.zeros(0, dtype=bool)
    for block in read_run_blocks(source, judged):
        builder.add(block)
        if builder.rows > PART_ROWS and (start := builder.last_query_start()):
            part, builder = builder.split(start, expected)
            ended = _end(ended, part)
            yield part
            del part  # before the next one needs its room
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
    """Columns that grow with each block."""

    def __init__(self, totals: RunTotals, expected_blocks: float, first_row: int = 0) -> None:
        self.rows = 0
        self._totals = totals
        self._first_row = first_row
        self._score = GrowingArray[np.float64](np.float64, expected_blocks)
        self._pair = GrowingArray[np.uint64](np.uint64, expected_blocks)
        self._stretch_start = GrowingArray[np.int32](np.int32, expected_blocks)
        self._stretch_query = GrowingArray[np.int32](np.int32, expected_blocks)
        self._row_query = GrowingArray[np.int32](np.int32, expected_blocks)
        self._by_row = False
        self._judged_row = GrowingArray[np.int64](np.int64, expected_blocks)
        self._judgment = GrowingArray[np.int64](np.int64, expected_blocks)
        self._blocks: list[FilePosition] = []
        self._last_query = -1
        self._short_ids = True
        self._is_mixed = False

    def add(self, block: RunBlock) -> None:
        """Append a block's rows."""
        queries = self._totals.add(block)
        if self.rows == 0:
            self._by_row = block.is_mixed
        if self._by_row:
            self._row_query.append(_of_rows(block, queries).astype(np.int32))
        else:
            self._add_stretches(block, queries)
        self._score.append(block.score)
        self._pair.append(block.pair)
        self._judged_row.append(block.judged.row + self.rows)
        self._judgment.append(block.judged.position)
        self._blocks.append(FilePosition(self._first_row + self.rows, block.block.offset))
        self._short_ids &= block.short_ids
        self._is_mixed |= block.is_mixed
        self.rows += len(block.score)
        if self.rows > _MOST_ROWS:
            raise InputError(
                f"has a query of more than {_MOST_ROWS} rows", file=block.block.source.name
            )

    def _add_stretches(self, block: RunBlock, queries: NDArray[np.int64]) -> None:
        # A query that goes on from the last block is one stretch.
        new = int(queries[0] == self._last_query)
        self._last_query = int(queries[-1])
        self._stretch_query.append(queries[new:].astype(np.int32))
        self._stretch_start.append((block.stretch_start[new:] + self.rows).astype(np.int32))

    def last_query_start(self) -> int:
        """Return the first row of the last query; 0 if there is no other."""
        if self._by_row:
            raise MixedQueriesError
        return int(self._stretch_start.array()[-1])

    def split(self, start: int, expected_blocks: float) -> tuple[RunTable, _PartBuilder]:
        """Return the rows before the last query, which starts there, and go on with its rows."""
        table = self.table(start)
        if not table.is_grouped:
            raise MixedQueriesError
        rest = _PartBuilder(self._totals, expected_blocks, self._first_row + start)
        rest._go_on(self, start)
        return table, rest

    def _go_on(self, before: _PartBuilder, start: int) -> None:
        """Begin with the last query of the part before."""
        self.rows = before.rows - start
        self._score.append(before._score.array()[start:])
        self._pair.append(before._pair.array()[start:])
        judged = before._judged_row.array() >= start
        self._judged_row.append(before._judged_row.array()[judged] - start)
        self._judgment.append(before._judgment.array()[judged])
        self._stretch_start.append(np.zeros(1, dtype=np.int32))
        self._stretch_query.append(before._stretch_query.array()[-1:])
        within = [each for each in before._blocks if each.row <= self._first_row]
        self._blocks = before._blocks[len(within) - 1 :]
        self._last_query = before._last_query
        self._short_ids, self._is_mixed = before._short_ids, before._is_mixed

    def table(self, end: int | None = None) -> RunTable:
        """Return all rows, or those before the last query."""
        stretches = slice(None if end is None else -1)
        end = self.rows if end is None else end
        judged = self._judged_row.array() < end
        start, query = self._stretch_start.array()[stretches], self._stretch_query.array()
        query = query[stretches]
        row_query = self._row_query.array() if self._by_row else None
        lengths = np.diff(start, append=np.int32(end))
        starts = np.array([each.row for each in self._blocks]) - self._first_row
        counted = np.bincount(query, lengths) if row_query is None else np.bincount(row_query)
        return RunTable(
            retrieved=_grown(counted.astype(np.int64), self._totals.query_count),
            stretch_start=start,
            stretch_query=query,
            row_query=row_query,
            score=self._score.array()[:end],
            pair=self._pair.array()[:end],
            judged_row=self._judged_row.array()[judged],
            judgment=self._judgment.array()[judged],
            block_start=np.clip(starts, 0, end).astype(np.int32),
            short_ids=self._short_ids,
            is_mixed=self._is_mixed,
            position=self._blocks[0],
            first_row=self._first_row,
        )


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
    nothing = np.zeros(0, dtype=np.int32)
    judged = np.flatnonzero(rows["judgment"] >= 0)
    return RunTable(
        retrieved=np.bincount(rows["query"], minlength=query_count),
        stretch_start=nothing,
        stretch_query=nothing,
        row_query=rows["query"].copy(),
        score=rows["score"].copy(),
        pair=rows["pair"].copy(),
        judged_row=judged,
        judgment=rows["judgment"][judged].astype(np.int64),
        block_start=nothing,
        short_ids=short_ids,
        is_mixed=True,
        position=FilePosition(),
        row_number=rows["row"].copy(),
    )


def _of_rows(block: RunBlock, queries: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of the query of each row, given those of the stretches."""
    return np.repeat(queries, np.diff(block.stretch_start, append=len(block.score)))
