"""Text files of judgments and logs: UTF-8 with or without a byte order mark, tables, JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.csv_tables import CsvRow, describe_width, read_rows
from cranfield.errors import InputError
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["TableRow", "decode_object", "read_table", "read_text"]

_MOST_FILE = 1 << 30


class TableRow(NamedTuple):
    """The cells of a row of a table by their columns, and the line where it begins."""

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
    """Read a CSV file: the names of its columns as written, and its rows."""
    rows = read_rows(read_text(path), path)
    header = next(rows, CsvRow([], 1)).cells
    return header, _named(header, rows, path)


def _named(header: list[str], rows: Iterator[CsvRow], path: Path) -> Iterator[TableRow]:
    for row, line in rows:
        if len(row) != len(header):
            raise InputError(describe_width(row, len(header)), file=str(path), line=line)
        yield TableRow(dict(zip(header, row, strict=True)), line)
