"""Judgments from TREC qrels and BEIR tables."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.blocks import TextSource
from cranfield.trec.fields import Column, Layout, split_fields
from cranfield.trec.keys import (
    SHARED_KEY,
    Keys,
    check_stretches,
    field_keys,
    pair_keys,
    same_bytes,
)
from cranfield.trec.numbers import parse_integers
from cranfield.trec.orders import find_repeats, stable_order, stretch_starts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cranfield.trec.blocks import Block

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
    query_ids: Column
    query: NDArray[np.int64]
    grade: NDArray[np.int64]
    pair: Keys
    documents: Column
    block: Block

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
    rows = _join(list(_parts(source, layout)))
    if len(rows.grade) == 0:
        raise InputError("holds a header and no judgment", file=source.name)
    return _build(source.name, source.whole(), rows)


def _first_line(source: TextSource) -> bytes | None:
    for block in source.blocks():
        for line in io.BytesIO(block.text.tobytes()):
            if line.strip() and not line.lstrip().startswith(b"#"):
                return line
    return None


class _Rows(NamedTuple):
    """Judgments as read; ids and documents are places in the whole file."""

    grade: NDArray[np.int64]
    query_key: Keys
    document_key: Keys
    ids: Column
    documents: Column


def _parts(source: TextSource, layout: Layout) -> Iterator[_Rows]:
    """Yield the judgments block by block, which takes less memory than all at once."""
    header = layout is _BEIR
    width = len(layout.names)
    for block in source.blocks():
        fields = split_fields(block, layout)
        if header and len(fields):
            fields, header = fields.without_first(), False
        ids, documents = fields.column(0), fields.column(width - 2)
        grade = fields.column(width - 1)
        yield _Rows(
            parse_integers(block, grade, what="grade", limit=_HIGHEST_GRADE),
            field_keys(block, ids),
            field_keys(block, documents),
            Column(ids.start + block.offset, ids.length),
            Column(documents.start + block.offset, documents.length),
        )


def _join(parts: list[_Rows]) -> _Rows:
    ids, documents = [part.ids for part in parts], [part.documents for part in parts]
    return _Rows(
        np.concatenate([part.grade for part in parts]),
        np.concatenate([part.query_key for part in parts]),
        np.concatenate([part.document_key for part in parts]),
        Column(*(np.concatenate(column) for column in zip(*ids, strict=True))),
        Column(*(np.concatenate(column) for column in zip(*documents, strict=True))),
    )


def _build(name: str, block: Block, rows: _Rows) -> Qrels:
    row_keys, ids, documents = rows.query_key, rows.ids, rows.documents
    pair = pair_keys(row_keys, rows.document_key)
    _refuse_duplicates(block, pair, documents)
    # Mostly a query's lines stand together: looking at the first of each stretch is enough.
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
    order = stable_order(query, len(texts))
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


def _refuse_duplicates(block: Block, pair: Keys, documents: Column) -> None:
    earlier, later = find_repeats(pair)
    if len(later) == 0:
        return
    same = same_bytes(block, documents.at(earlier), block, documents.at(later))
    if not same.all():
        raise InputError(SHARED_KEY, file=block.source.name)
    row = int(later[0])
    document = block.text_of(documents, row).decode()
    raise block.error(
        int(documents.start[row]),
        f"document {document!r} is judged twice for this query; keep one line",
    )
