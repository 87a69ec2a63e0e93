"""Tables as spreadsheets save them: CSV with the names of the columns in the first row.

Commas, semicolons, tabs or bars separate cells; the first row decides. A quoted cell may go over
several lines.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["CsvRow", "describe_width", "find_delimiter", "read_rows", "split_row"]

_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
# A cell may hold the text of a document; by default csv refuses more than 131,072 characters.
csv.field_size_limit(max(csv.field_size_limit(), 1 << 27))


class CsvRow(NamedTuple):
    """The cells of a row, and the line where it begins."""

    cells: list[str]
    line: int


def read_rows(text: str, path: Path) -> Iterator[CsvRow]:
    """Yield the rows that are not blank, the names of the columns first."""
    head = next((line for line in io.StringIO(text, newline="") if line.strip()), "")
    # csv finds line breaks itself: one inside a quoted cell does not end a row.
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=find_delimiter(head), strict=True)
    line = 1
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield CsvRow(cells, line)
            line = rows.line_num + 1
    except csv.Error as problem:
        raise InputError(
            f"is not valid CSV: {problem}; is a quote left open?", file=str(path), line=line
        ) from None


def find_delimiter(head: str) -> str:
    """Return what separates the cells of a first row: what is most often there outside quotes."""
    return max(_DELIMITERS, key=_QUOTED.sub("", head).count)


def split_row(lines: Iterable[str], delimiter: str) -> list[str] | None:
    """Return the cells of one row, from as many lines as it has; None if there is no row."""
    try:
        return next(csv.reader(lines, delimiter=delimiter, strict=True), None)
    except csv.Error:
        return None


def describe_width(cells: list[str], width: int) -> str:
    """Describe a row that has another number of cells than there are columns."""
    return (
        f"this row has {len(cells)} cells, and the first line {width}; put quotation marks around "
        "a cell with a separator in it"
    )
