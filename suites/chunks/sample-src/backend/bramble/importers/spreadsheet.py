from __future__ import annotations

import csv
from typing import Iterator, TextIO

from bramble.importers.batch import Draft, RecordError

HEADINGS = {
    "name": {"title", "titel", "name", "book"},
    "author": {"author", "autor", "verfasser", "writer"},
    "isbn": {"isbn", "isbn13", "ean"},
    "year": {"year", "jahr", "published"},
}


def guess_columns(header: list[str]) -> dict[str, int]:
    """Find out from the first line which column holds what."""
    found: dict[str, int] = {}
    for place, text in enumerate(header):
        for field, spellings in HEADINGS.items():
            if text.strip().lower() in spellings:
                found.setdefault(field, place)
    if "name" not in found:
        raise RecordError(f"no column of titles among {', '.join(header)}")
    return found


def read_rows(stream: TextIO) -> Iterator[Draft | RecordError]:
    """Yield a draft a line; a line that makes no sense is yielded as its error."""
    sample = stream.read(4096)
    stream.seek(0)
    rows = csv.reader(stream, csv.Sniffer().sniff(sample, ",;\t"))
    columns = guess_columns(next(rows))
    for number, row in enumerate(rows, 2):
        cells = {name: row[place].strip() for name, place in columns.items() if place < len(row)}
        if not cells.get("name"):
            yield RecordError(f"line {number} has no title")
            continue
        year = cells.get("year", "")
        yield Draft(
            cells["name"],
            cells.get("author", ""),
            cells.get("isbn") or None,
            int(year) if year.isdigit() else None,
        )
