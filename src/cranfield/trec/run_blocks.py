"""Blocks of a TREC run file as columns: queries, scores, keys, and the judged rows."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.run_table import FilePosition
from cranfield.trec_files import (
    Keys,
    Layout,
    Repeats,
    check_stretches,
    field_keys,
    find_duplicate,
    find_repeats,
    pair_keys,
    parse_floats,
    split_fields,
    stretch_starts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cranfield.trec.judged_index import JudgedIndex, KeyMatches
    from cranfield.trec.run_table import RunTable
    from cranfield.trec_files import FieldColumn, Fields, Qrels, TextBlock, TextSource

__all__ = [
    "RunBlock",
    "check_duplicates",
    "read_rows",
    "read_run_blocks",
    "row_error",
    "row_line",
]

RUN_LAYOUT = Layout(
    ("query", "Q0", "document", "rank", "score", "tag"),
    open_ended=True,
    lookalikes={
        3: "this looks like judgments; runs come after them",
        4: "this looks like judgments; runs come after them",
    },
)
_QUERY, _DOCUMENT, _RANK, _SCORE, _TAG = 0, 2, 3, 4, 5
_LAST_LINE = slice(-1, None)
_MOST_THREADS = 8
_ZERO, _SIGNS = ord("0"), (ord("+"), ord("-"))


class RowText(NamedTuple):
    """What a row says, as far as it was not turned into numbers."""

    query: bytes
    document: bytes
    rank: bytes


_BEGINNING = FilePosition()


@dataclass(frozen=True, slots=True, eq=False)
class RunBlock:
    """What one block of a run file says.

    Consecutive rows of one query are a stretch; `stretch_query` is the position of its query
    among the judged ones, -1 for a query that is not judged. `pair` identifies query and
    document together; it can be turned back into the document's bytes if `short_ids` says that
    none is longer than eight. If the queries are mixed, documents that a query holds twice are
    still to be searched. `spaced` are the rows with a space inside a field between tabs.
    """

    block: TextBlock
    queries: FieldColumn
    stretch_start: NDArray[np.int64]
    stretch_key: Keys
    stretch_query: NDArray[np.int64]
    score: NDArray[np.float64]
    pair: Keys
    judged: KeyMatches
    short_ids: bool
    is_mixed: bool
    tag: bytes
    spaced: NDArray[np.int64]

    def query_text(self, stretch: int) -> bytes:
        """Return the id of a stretch's query."""
        return self.block.text_of(self.queries, int(self.stretch_start[stretch]))


def read_run_blocks(source: TextSource, judged: JudgedIndex) -> Iterator[RunBlock]:
    """Yield every block of a run, several parsed at a time, in the order of the file."""
    threads = min(os.cpu_count() or 1, _MOST_THREADS)
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[RunBlock | None]] = deque()
        blocks = source.blocks()
        try:
            while True:
                for block in islice(blocks, threads + 1 - len(waiting)):
                    waiting.append(pool.submit(_parse, block, judged))
                if not waiting:
                    return
                read = waiting.popleft().result()
                if read is not None:
                    yield read
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def read_rows(
    source: TextSource, rows: Sequence[int], start: FilePosition = _BEGINNING
) -> Iterator[RowText]:
    """Read what some rows say again, given in ascending order, none before the start."""
    for block, fields, local in _blocks_of(source, rows, start):
        columns = [fields.column(index) for index in (_QUERY, _DOCUMENT, _RANK)]
        for row in local:
            yield RowText(*(block.text_of(column, row) for column in columns))


def row_error(source: TextSource, row: int, message: str) -> InputError:
    """Make an error that points at the line of a row."""
    return InputError(message, file=source.name, line=row_line(source, row))


def row_line(source: TextSource, row: int) -> int | None:
    """Return the number of a row's line."""
    for block, fields, [local] in _blocks_of(source, [row], _BEGINNING):
        return source.line_of(block.offset + int(fields.column(_QUERY).start[local]))
    return None


def _blocks_of(
    source: TextSource, rows: Sequence[int], start: FilePosition
) -> Iterator[tuple[TextBlock, Fields, list[int]]]:
    """Yield the blocks that hold some of the rows, and which of their own rows these are."""
    wanted, passed = deque(rows), start.row
    for block in source.blocks(start.offset):
        if not wanted:
            return
        fields = split_fields(block, RUN_LAYOUT)
        local = []
        while wanted and wanted[0] < passed + len(fields):
            local.append(wanted.popleft() - passed)
        if local:
            yield block, fields, local
        passed += len(fields)


def _parse(block: TextBlock, judged: JudgedIndex) -> RunBlock | None:
    fields = split_fields(block, RUN_LAYOUT)
    if len(fields) == 0:
        return None
    _check_ranks(block, fields)
    query, document = fields.column(_QUERY), fields.column(_DOCUMENT)
    query_key, document_key = field_keys(block, query), field_keys(block, document)
    pair = pair_keys(query_key, document_key)
    starts = stretch_starts(query_key)
    # In a file in no order all rows are checked together, later.
    is_mixed = 2 * len(starts) > len(pair)
    if not is_mixed:
        _refuse_duplicates(block, pair, query, document)
    check_stretches(block, query, starts)
    stretch_key = query_key[starts]
    stretch_query = judged.positions(block, query, starts, stretch_key)
    found = judged.find(block, query_key, pair, document)
    return RunBlock(
        block=block,
        queries=query,
        stretch_start=starts,
        stretch_key=stretch_key,
        stretch_query=stretch_query,
        score=parse_floats(block, fields.column(_SCORE)),
        pair=pair,
        judged=_of_their_query(found, judged.qrels, starts, stretch_query),
        short_ids=document.is_short,
        is_mixed=is_mixed,
        tag=block.text_of(fields.column(_TAG, _LAST_LINE), 0),
        spaced=fields.spaced,
    )


def _of_their_query(
    found: KeyMatches, qrels: Qrels, starts: NDArray[np.int64], stretch_query: NDArray[np.int64]
) -> KeyMatches:
    """Keep the judged rows whose judgment is one of their own query, by its position."""
    stretch = np.searchsorted(starts, found.row, side="right") - 1
    return found.at(stretch_query[stretch] == qrels.query[found.position])


def _check_ranks(block: TextBlock, fields: Fields) -> None:
    """Refuse a rank that does not start like a number: columns are shifted.

    The rank itself does not matter, but with a space in a document id the rank would be read as
    the score.
    """
    first = block.text[fields.start(_RANK)]
    strange = np.flatnonzero(first - np.uint8(_ZERO) > 9)
    wrong = strange[~np.isin(first[strange], _SIGNS)]
    if len(wrong):
        row, ranks = int(wrong[0]), fields.column(_RANK)
        rank = block.text_of(ranks, row).decode()
        raise block.error(
            int(ranks.start[row]),
            f"rank {rank!r} is not a number; is there a space in a document id?",
        )


def _refuse_duplicates(
    block: TextBlock, pair: Keys, queries: FieldColumn, documents: FieldColumn
) -> None:
    def identify(rows: list[int]) -> Iterator[tuple[bytes, bytes]]:
        return ((block.text_of(queries, row), block.text_of(documents, row)) for row in rows)

    row = find_duplicate(find_repeats(pair), identify)
    if row is not None:
        message = _twice(block.text_of(documents, row))
        raise block.error(int(documents.start[row]), message)


def check_duplicates(table: RunTable, source: TextSource) -> None:
    """Refuse a document that a query's ranking holds twice."""
    rows = table.rows_to_check()
    found = find_repeats(table.pair if rows is None else table.pair[rows])
    if rows is not None:
        found = Repeats(rows[found.earlier], rows[found.later])
    found = Repeats(table.file.numbers_of(found.earlier), table.file.numbers_of(found.later))

    def identify(rows: list[int]) -> Iterator[tuple[bytes, bytes]]:
        texts = read_rows(source, rows, table.file.blocks[0])
        return ((each.query, each.document) for each in texts)

    row = find_duplicate(found, identify)
    if row is not None:
        [twice] = read_rows(source, [row])
        raise row_error(source, row, _twice(twice.document))


def _twice(document: bytes) -> str:
    return (
        f"document {document.decode()!r} appears twice in this query's ranking; "
        "a ranking holds it once"
    )
