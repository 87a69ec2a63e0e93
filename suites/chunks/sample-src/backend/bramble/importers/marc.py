"""Reading MARC 21 records as other libraries exchange them (ISO 2709)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, Iterator

from bramble.importers.batch import Draft, RecordError

FIELD_END = b"\x1e"
SUBFIELD = "\x1f"
LEADER = 24


@dataclass(frozen=True)
class MarcField:
    tag: str
    content: str

    def subfield(self, code: str) -> str:
        for part in self.content.split(SUBFIELD)[1:]:
            if part.startswith(code):
                return part[1:].strip()
        return ""


def split_records(stream: BinaryIO) -> Iterator[bytes]:
    """Each record begins with its own length in five digits."""
    while head := stream.read(5):
        if not head.isdigit():
            raise RecordError("a record does not begin with its length")
        yield head + stream.read(int(head) - 5)


def parse_record(record: bytes) -> list[MarcField]:
    base = int(record[12:17])
    directory = record[LEADER : base - 1]
    fields = []
    for start in range(0, len(directory), 12):
        entry = directory[start : start + 12].decode("ascii")
        tag, length, offset = entry[:3], int(entry[3:7]), int(entry[7:12])
        raw = record[base + offset : base + offset + length].rstrip(FIELD_END)
        fields.append(MarcField(tag, raw.decode("utf-8", "replace")))
    return fields


def read_drafts(stream: BinaryIO) -> Iterator[Draft | RecordError]:
    for record in split_records(stream):
        try:
            yield to_draft(parse_record(record))
        except RecordError as problem:
            yield problem
        except ValueError:
            yield RecordError(f"a record of {len(record)} bytes cannot be taken apart")


def to_draft(fields: list[MarcField]) -> Draft:
    """Map the few tags we care about: 020 ISBN, 100 author, 245 title, 260 year, 650 subjects."""
    by_tag = {field.tag: field for field in reversed(fields)}
    if "245" not in by_tag:
        raise RecordError("the record has no title (245)")
    author = by_tag["100"].subfield("a").rstrip(",.") if "100" in by_tag else ""
    isbn = by_tag["020"].subfield("a").split(" ")[0] if "020" in by_tag else ""
    year = "".join(filter(str.isdigit, by_tag["260"].subfield("c")))[:4] if "260" in by_tag else ""
    subjects = tuple(field.subfield("a") for field in fields if field.tag == "650")
    name = by_tag["245"].subfield("a").rstrip(" /:")
    return Draft(name, author, isbn or None, int(year) if year else None, subjects)
