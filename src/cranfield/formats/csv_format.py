"""Reports as CSV: a line for each record, usually a query."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from cranfield.formats.document import Cell
from cranfield.model import Undefined
from cranfield_shared.plain_text import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.formats.document import Report

__all__ = ["render_csv", "write_csv"]

_FORMULA = re.compile(r"\s*[=+\-@]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def render_csv(report: Report) -> str:
    """Write the records with every digit of a value; a cell without a value is empty."""
    records = report.records
    return write_csv([column.title for column in records.columns], records.rows)


def write_csv(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write rows under their titles."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_plain, titles))
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    return text.getvalue()


def _plain(cell: Any) -> Any:
    value = cell.value if isinstance(cell, Cell) else cell
    if isinstance(value, str):
        return _plain_text(value)
    return "" if isinstance(value, Undefined) else value


def _plain_text(text: str) -> str:
    """Make a text harmless; a spreadsheet takes one that begins like a formula for one."""
    shown = printable_lines(text)
    is_formula = _FORMULA.match(shown) and not _NUMBER.fullmatch(shown)
    return f"'{shown}" if is_formula else shown
