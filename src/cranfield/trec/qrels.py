"""Judgments from TREC qrels and BEIR tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import InputError
from cranfield.trec.blocks import TextSource
from cranfield.trec.fields import Column, Layout, split_fields
from cranfield.trec.keys import Keys, field_keys, pair_keys, same_bytes
from cranfield.trec.numbers import parse_integers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.blocks import Block
    from cranfield.trec.fields import Fields

__all__ = ["Qrels", "read_qrels"]

_TREC = Layout(("query", "iteration", "document", "grade"))
_PLAIN = Layout(("query", "document", "grade"))
_BEIR = Layout(_PLAIN.names, tabs_only=True)
_BEIR_HEADER = b"query-id"
_HIGHEST_GRADE = 127


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Judgments as columns, ordered by query; queries are ordered by the bytes of their ids."""

    name: str
    queries: tuple[str, ...]
    query: NDArray[np.int64]
    grade: NDArray[np.int64]
    query_key: Keys
    pair: Keys
    documents: Column
    block: Block

    def __len__(self) -> int:
        return len(self.grade)

    def positions(self) -> dict[bytes, int]:
        """Return the position of each query by the bytes of its id."""
        return {query.encode(): position for position, query in enumerate(self.queries)}


def read_qrels(path: str) -> Qrels:
    """Read judgments: `query iteration document grade`, or `query document grade`.

    A first line that starts with `query-id` is the header of a BEIR table, whose columns are
    separated by tabs alone.
    """
    source = TextSource(path)
    try:
        block = source.whole()
    finally:
        source.close()
    first = _first_line(block)
    if first is None:
        raise InputError("holds no judgment; is this the right file?", file=source.name)
    layout = _TREC if len(first.split()) > len(_PLAIN.names) else _PLAIN
    if first.startswith(_BEIR_HEADER):
        layout = _BEIR
    fields = split_fields(block, layout)
    if layout is _BEIR:
        fields = fields.without_first()
    if len(fields) == 0:
        raise InputError("holds a header and no judgment", file=source.name)
    return _build(source.name, block, fields, layout)


def _first_line(block: Block) -> bytes | None:
    for line in block.text.tobytes().splitlines():
        if line.strip() and not line.lstrip().startswith(b"#"):
            return line
    return None


def _build(name: str, block: Block, fields: Fields, layout: Layout) -> Qrels:
    grades = parse_integers(
        block, fields.column(len(layout.names) - 1), what="grade", limit=_HIGHEST_GRADE
    )
    ids, documents = fields.column(0), fields.column(len(layout.names) - 2)
    keys = field_keys(block, ids)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    texts = [
        block.slice(int(start), int(length)) for start, length in zip(*ids.at(first), strict=True)
    ]
    by_bytes = sorted(range(len(texts)), key=texts.__getitem__)
    position = np.empty(len(texts), dtype=np.int64)
    position[by_bytes] = np.arange(len(texts))
    query = position[inverse]
    order = np.argsort(query, kind="stable")
    pair = pair_keys(keys, field_keys(block, documents))
    _refuse_duplicates(block, pair, documents)
    return Qrels(
        name=name,
        queries=tuple(texts[index].decode() for index in by_bytes),
        query=query[order],
        grade=grades[order],
        query_key=keys[order],
        pair=pair[order],
        documents=documents.at(order),
        block=block,
    )


def _refuse_duplicates(block: Block, pair: Keys, documents: Column) -> None:
    order = np.argsort(pair, kind="stable")
    again = np.flatnonzero(pair[order[1:]] == pair[order[:-1]])
    if len(again) == 0:
        return
    same = same_bytes(block, documents.at(order[again]), block, documents.at(order[again + 1]))
    if not same.all():
        raise InputError(
            "two judgments share a 64-bit key; please report this", file=block.source.name
        )
    row = int(order[again + 1].min())
    start, length = int(documents.start[row]), int(documents.length[row])
    document = block.slice(start, length).decode()
    raise block.error(start, f"document {document!r} is judged twice for this query; keep one line")
