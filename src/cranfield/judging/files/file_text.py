"""Text files of judgments and logs: UTF-8 with or without a byte order mark, tables, JSON lines."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.errors import InputError
from cranfield_shared import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["TableRow", "decode_object", "read_table", "read_text"]

_MOST_FILE = 1 << 30
_DELIMITERS = ",;\t"
_QUOTED = re.compile(r'"[^"]*"')
csv.field_size_limit(max(csv.field_size_limit(), 1 << 27))


class TableRow(NamedTuple):
    """The cells of a row of a table by their columns, and the line where it ends."""

    cells: dict[str, str]
    line: int


def read_text(path: Path, *, may_be_empty: bool = False) -> str:
    """Read a file that must be UTF-8 and, unless `may_be_empty`, not empty.

    Line breaks stay as they are.
    """
    try:
        content = read_limited(path, _MOST_FILE)
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror or problem}; check the path", file=str(path)
        ) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(
            f"is not UTF-8 (byte 0x{content[problem.start]:02x}); save it as UTF-8",
            file=str(path),
            line=content.count(b"\n", 0, problem.start) + 1,
        ) from None
    if not text.strip() and not may_be_empty:
        raise InputError("is empty; is this the right file?", file=str(path))
    return text


def decode_object(line: str, path: Path, number: int, expected: str) -> dict[str, Any]:
    """Decode a line of JSON that must be an object."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise InputError(
            f"is not JSON: {problem}; {expected}", file=str(path), line=number
        ) from None
    if not isinstance(value, dict):
        raise InputError(f"is no JSON object; {expected}", file=str(path), line=number)
    return value


def read_table(path: Path) -> tuple[list[str], Iterator[TableRow]]:
    """Read a CSV file: the names of its columns as written, and its rows.

    Commas, semicolons or tabs separate cells; the first line decides. Blank rows are passed over.
    """
    text = read_text(path)
    head = text.lstrip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=_QUOTED.sub("", head).count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    checked = _rows(rows, path)
    header = next(checked)[0]
    return header, _named(header, checked, path)


def _rows(rows: Any, path: Path) -> Iterator[tuple[list[str], int]]:
    try:
        for row in rows:
            if any(row):
                yield row, rows.line_num
    except csv.Error as problem:
        raise InputError(
            f"is no CSV: {problem}; is a quotation mark not closed?",
            file=str(path),
            line=rows.line_num,
        ) from None


def _named(
    header: list[str], rows: Iterator[tuple[list[str], int]], path: Path
) -> Iterator[TableRow]:
    for row, line in rows:
        if len(row) != len(header):
            raise InputError(
                f"this row has {len(row)} cells, and the first line {len(header)}; put quotation "
                "marks around a cell with a separator in it",
                file=str(path),
                line=line,
            )
        yield TableRow(dict(zip(header, row, strict=True)), line)
