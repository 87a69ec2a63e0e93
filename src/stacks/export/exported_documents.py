"""The documents of an index with all that was derived of them, read batch by batch."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from stacks.model import PLATFORMS
from stacks.storage import explaining_damage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from stacks.storage import Database

__all__ = [
    "FILTER_FIELDS",
    "LIST_FIELDS",
    "NUMBER_FIELDS",
    "ExportedDocument",
    "read_documents",
]

FILTER_FIELDS = ("source", "framework", "language", "kind")
"""Texts that a query filters by, whole."""
LIST_FIELDS = ("attributes", "conformances", "names")
NUMBER_FIELDS = ("prominence", *(f"min_{platform}" for platform in PLATFORMS))

_DOCUMENTS_AT_ONCE = 512
_COLUMNS = (
    "id", "uri", *FILTER_FIELDS, "title", "summary", "content", "symbols", "symbol_components",
    "declaration", "attributes", "conformances", "deprecated", *NUMBER_FIELDS,
)  # fmt: skip
_DOCUMENTS = f"""
SELECT m.id, m.uri, m.source, m.framework, m.language, m.kind, s.title, s.abstract, s.overview,
    s.symbols, s.symbol_components, s.declaration, s.attributes, s.conformances, m.is_deprecated,
    {", ".join(f"m.{name}" for name in NUMBER_FIELDS)}
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
WHERE m.id > ? ORDER BY m.id LIMIT ?
"""  # noqa: S608 - names of columns
_NAMES = "SELECT doc_id, name FROM doc_names WHERE doc_id BETWEEN ? AND ? ORDER BY doc_id, name"
_VECTORS = """
SELECT doc_id, scale, vector FROM vectors WHERE doc_id BETWEEN ? AND ? ORDER BY doc_id, piece
"""


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document: its fields by name, and a vector of each piece of its text.

    The fields are the text columns of the index, and those that hits have. `symbols` and
    `symbol_components` are words; `names` are those that the page is looked up by. A version such
    as `min_ios` is a number, 17.4.1 being 170401, or None.
    """

    fields: dict[str, Any]
    vectors: NDArray[np.float32]


def read_documents(databases: Sequence[Database]) -> Iterator[ExportedDocument]:
    """Yield the documents of all files of an index, ordered by id."""
    with explaining_damage(databases):
        for database in databases:
            last = 0
            while rows := database.rows(_DOCUMENTS, (last, _DOCUMENTS_AT_ONCE)):
                first, last = rows[0][0], rows[-1][0]
                names = _group(database.rows(_NAMES, (first, last)))
                vectors = _group(database.rows(_VECTORS, (first, last)))
                for row in rows:
                    yield _make(row, names.get(row[0], []), vectors.get(row[0], []))


def _group(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    return {key: [row[1:] for row in some] for key, some in groupby(rows, lambda row: row[0])}


def _make(
    row: tuple[Any, ...], names: list[tuple[Any, ...]], vectors: list[tuple[Any, ...]]
) -> ExportedDocument:
    known = dict(zip(_COLUMNS, row, strict=True))
    del known["id"]
    lists = {name: _split(known[name]) for name in ("attributes", "conformances")}
    fields = {
        **known,
        **lists,
        "deprecated": bool(known["deprecated"]),
        "names": [name for (name,) in names],
    }
    numbers = [
        np.frombuffer(vector, dtype=np.int8).astype(np.float32) * np.float32(scale)
        for scale, vector in vectors
    ]
    return ExportedDocument(fields, np.array(numbers, dtype=np.float32))


def _split(text: str) -> list[str]:
    return text.split(", ") if text else []
