"""The chunks that judgments are about, as a database of chunks keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.judging.files.judgment_records import GradedDocument, JudgmentRecords
    from cranfield.model import Hit

__all__ = ["JudgedChunk", "make_chunks"]


@dataclass(frozen=True, slots=True)
class JudgedChunk:
    """A chunk in the order of files and lines, which `id` counts.

    A document that is no part of a file is a chunk of its own file.
    """

    id: str
    hash: str
    documents: tuple[str, ...]
    kind: str
    name: str
    parent: str | None
    file: str
    file_size: int
    line: int
    text: str
    breadcrumb: str


def make_chunks(graded: Sequence[GradedDocument], records: JudgmentRecords) -> list[JudgedChunk]:
    """Make a chunk of everything that was judged, with what stored runs say about it."""
    documents: dict[str, dict[str, None]] = {}
    for row in graded:
        documents.setdefault(row.item, {})[row.document] = None
    places = {
        item: _Place.of(next(iter(ids)), records.hits.get(item)) for item, ids in documents.items()
    }
    ordered = sorted(places, key=lambda item: places[item].order)
    numbers = {places[item].document: str(at) for at, item in enumerate(ordered, start=1)}
    return [
        _chunk((str(at), item, tuple(documents[item])), places[item], _text(item, records), numbers)
        for at, item in enumerate(ordered, start=1)
    ]


def _text(item: str, records: JudgmentRecords) -> str:
    hit = records.hits.get(item)
    return records.texts.get(item) or (hit.text if hit else "")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a chunk is: its file, line, and the names around it."""

    document: str
    file: str
    line: int
    parents: str
    fields: Mapping[str, Any]

    @classmethod
    def of(cls, document: str, hit: Hit | None) -> _Place:
        fields = hit.fields if hit else {}
        file, lines = fields.get("file"), str(fields.get("lines") or "")
        if not isinstance(file, str):
            return cls(document, document, 1, "", {})
        first = lines.partition("-")[0]
        line = int(first) if first.isdecimal() else 1
        return cls(document, file, line, str(fields.get("parents") or ""), fields)

    @property
    def order(self) -> tuple[str, int, int, str]:
        return self.file, self.line, len(self.parents.split()), self.document

    @property
    def name(self) -> str:
        title = str(self.fields.get("title") or "")
        return str(self.fields.get("name") or "") or title.rpartition(".")[2] or self.document


def _chunk(
    known: tuple[str, str, tuple[str, ...]], place: _Place, text: str, numbers: Mapping[str, str]
) -> JudgedChunk:
    size = place.fields.get("size")
    return JudgedChunk(
        *known,
        kind=str(place.fields.get("kind") or "document"),
        name=place.name,
        parent=numbers.get(place.document.rpartition("/")[0]) if place.parents else None,
        file=place.file,
        file_size=size if isinstance(size, int) else 0,
        line=place.line,
        text=text,
        breadcrumb=place.parents,
    )
