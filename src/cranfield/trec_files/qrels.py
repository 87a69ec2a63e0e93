"""Judgments from TREC qrels and BEIR tables."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import InputError
from cranfield.trec_files.fields import FieldColumn, Layout, split_fields
from cranfield.trec_files.keys import (
    SHARED_KEY,
    Keys,
    check_stretches,
    field_keys,
    find_duplicate,
    find_repeats,
    pair_keys,
    same_bytes,
    stretch_starts,
)
from cranfield.trec_files.numbers import parse_integers
from cranfield.trec_files.text_blocks import GrowingArray, TextSource, WholeText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cranfield.trec_files.text_blocks import TextBlock

__all__ = ["Qrels", "read_qrels"]

_TREC = Layout(
    ("query", "iteration", "document", "grade"),
    lookalikes={6: "this looks like a run; judgments come first"},
)
_PLAIN = Layout(("query", "document", "grade"))
_BEIR = Layout(
    _PLAIN.names, tabs_only=True, lookalikes={1: "after this header, tabs separate the columns"}
)
_BEIR_HEADER = b"query-id"
_HIGHEST_GRADE = 127


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Judgments as columns, ordered by query; queries are ordered by the bytes of their ids.

    `query` is each judgment's position in `queries`, `query_keys` and `query_ids`.
    """

    name: str
    queries: tuple[str, ...]
    query_keys: Keys
    query_ids: FieldColumn
    query: NDArray[np.int64]
    grade: NDArray[np.int64]
    pair: Keys
    documents: FieldColumn
    block: TextBlock

    def __len__(self) -> int:
        return len(self.grade)

    def judgments(self) -> Iterator[tuple[str, str, int]]:
        """Yield the query, the document and the grade of each judgment."""
        rows = zip(self.query.tolist(), self.grade.tolist(), strict=True)
        for row, (query, grade) in enumerate(rows):
            document = self.block.text_of(self.documents, row).decode()
            yield self.queries[query], document, grade


def read_qrels(path: str) -> Qrels:
    """Read judgments: `query iteration document grade`, or `query document grade`.

    A first line that starts with `query-id` is the header of a BEIR table, whose columns are
    separated by tabs alone.
    """
    source = TextSource(path)
    try:
        return _read(source)
    finally:
        source.close()


def _read(source: TextSource) -> Qrels:
    first = _first_line(source)
    if first is None:
        raise InputError("holds no judgment; is this the right file?", file=source.name)
    layout = _TREC if len(first.split()) > len(_PLAIN.names) else _PLAIN
    if first.startswith(_BEIR_HEADER):
        layout = _BEIR
    whole, rows = WholeText(source), _Rows(source.expected_blocks)
    for block in source.blocks():
        whole.add(block)
        rows.add(block, layout)
    if len(rows) == 0:
        raise InputError("holds a header and no judgment", file=source.name)
    return _build(source.name, whole.block(), rows)


def _first_line(source: TextSource) -> bytes | None:
    for block in source.blocks():
        for line in io.BytesIO(block.text.tobytes()):
            if line.strip() and not line.lstrip().startswith(b"#"):
                return line
    return None


class _Rows:
    """Judgments in the order of the file; ids and documents are positions in all of it."""

    def __init__(self, expected_blocks: float) -> None:
        self._grade = GrowingArray[np.int64](np.int64, expected_blocks)
        self._query_key = GrowingArray[np.uint64](np.uint64, expected_blocks)
        self._document_key = GrowingArray[np.uint64](np.uint64, expected_blocks)
        self._ids = _GrowingColumn(expected_blocks)
        self._documents = _GrowingColumn(expected_blocks)
        self._has_header = False

    def __len__(self) -> int:
        return len(self.grade)

    def add(self, block: TextBlock, layout: Layout) -> None:
        """Append a block's judgments."""
        fields = split_fields(block, layout)
        if layout is _BEIR and not self._has_header and len(fields):
            fields, self._has_header = fields.without_first(), True
        width = len(layout.names)
        ids, documents = fields.column(0), fields.column(width - 2)
        grade = fields.column(width - 1)
        self._grade.append(parse_integers(block, grade, what="grade", limit=_HIGHEST_GRADE))
        self._query_key.append(field_keys(block, ids))
        self._document_key.append(field_keys(block, documents))
        self._ids.append(ids, block.offset)
        self._documents.append(documents, block.offset)

    @property
    def grade(self) -> NDArray[np.int64]:
        return self._grade.array()

    @property
    def query_key(self) -> Keys:
        return self._query_key.array()

    @property
    def document_key(self) -> Keys:
        return self._document_key.array()

    @property
    def ids(self) -> FieldColumn:
        return self._ids.column()

    @property
    def documents(self) -> FieldColumn:
        return self._documents.column()


class _GrowingColumn:
    """A column of a whole file, from those of its blocks."""

    def __init__(self, expected_blocks: float) -> None:
        self._start = GrowingArray[np.int64](np.int64, expected_blocks)
        self._length = GrowingArray[np.int64](np.int64, expected_blocks)

    def append(self, column: FieldColumn, offset: int) -> None:
        self._start.append(column.start + offset)
        self._length.append(column.length)

    def column(self) -> FieldColumn:
        return FieldColumn(self._start.array(), self._length.array())


def _build(name: str, block: TextBlock, rows: _Rows) -> Qrels:
    row_keys, ids, documents = rows.query_key, rows.ids, rows.documents
    pair = pair_keys(row_keys, rows.document_key)
    _refuse_duplicates(block, pair, ids, documents)
    # Mostly a query's lines are adjacent: looking at the first of each stretch is enough.
    starts = stretch_starts(row_keys)
    check_stretches(block, ids, starts)
    keys, first, inverse = np.unique(row_keys[starts], return_index=True, return_inverse=True)
    heads = starts[first]
    if not same_bytes(block, ids.at(starts), block, ids.at(heads[inverse])).all():
        raise InputError(SHARED_KEY, file=name)
    texts = [block.text_of(ids, row) for row in heads.tolist()]
    by_bytes = sorted(range(len(texts)), key=texts.__getitem__)
    position = np.empty(len(texts), dtype=np.int64)
    position[by_bytes] = np.arange(len(texts))
    query = np.repeat(position[inverse], np.diff(starts, append=len(row_keys)))
    order = _stable_order(query, len(texts))
    return Qrels(
        name=name,
        queries=tuple(texts[index].decode() for index in by_bytes),
        query_keys=keys[by_bytes],
        query_ids=ids.at(heads[by_bytes]),
        query=query[order],
        grade=rows.grade[order],
        pair=pair[order],
        documents=documents.at(order),
        block=block,
    )


def _refuse_duplicates(
    block: TextBlock, pair: Keys, ids: FieldColumn, documents: FieldColumn
) -> None:
    """Refuse a judgment that is given twice, and ids that only share a key: it finds judgments."""

    def identify(rows: list[int]) -> Iterator[tuple[bytes, bytes]]:
        return ((block.text_of(ids, row), block.text_of(documents, row)) for row in rows)

    repeats = find_repeats(pair)
    if len(repeats.later) == 0:
        return
    row = find_duplicate(repeats, identify)
    if row is None:
        raise InputError(SHARED_KEY, file=block.source.name)
    document = block.text_of(documents, row).decode()
    raise block.error(
        int(documents.start[row]),
        f"document {document!r} is judged twice for this query; keep one line",
    )


def _stable_order(numbers: NDArray[np.integer], below: int) -> NDArray[np.int64]:
    """Return the order that sorts numbers from 0 to `below` - 1 and keeps equals as they are."""
    # numpy sorts 16-bit numbers by radix, in linear time.
    narrow = numbers.astype(np.uint16) if below <= 1 << 16 else numbers
    return np.argsort(narrow, kind="stable")
