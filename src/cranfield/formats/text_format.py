"""Reports as plain text in aligned columns, without colour or escapes: it is pasted elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.formats.cells import name_queries, printable, shorten, show_cell, show_row
from cranfield.formats.document import CellKind, Detail, Lines, Table, Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from cranfield.formats.document import Block, Column, Line, Report, Section

__all__ = ["align", "render_text"]

_WIDEST = 120
"""A turnable table that is wider than so many characters has a row for each column instead."""
_WIDTHS = {CellKind.QUERY: 44, CellKind.MESSAGE: 80}
_STACKED_WIDTH = 160
_LINE_WIDTH = 2000


def render_text(report: Report) -> str:
    """Write the sections, what they come to, and how to read them, as far as was asked for."""
    if report.detail is Detail.NONE:
        return ""
    lines = [_line(line) for line in report.lines if line.detail <= report.detail]
    parts = [_section(section, report.detail) for section in report.sections]
    parts += ["".join(lines), "".join(f"{printable(note)}\n" for note in report.notes)]
    return "\n".join(part for part in parts if part)


def align(rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Align columns, the first `left` of them to the left and the others to the right."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + "\n"
        for row in rows
    )


def _section(section: Section, detail: Detail) -> str:
    if section.detail > detail:
        return ""
    outcome = {True: ": PASSED", False: ": FAILED", None: ""}[section.passed]
    head = f"{_plain(section.title)}{outcome}\n" if section.title else ""
    blocks = [block for block in section.blocks if block.detail <= detail]
    parts = [(block, written) for block in blocks if (written := _block(block, detail))]
    if head and parts and isinstance(parts[0][0], Lines):
        head += parts.pop(0)[1]
    return "\n".join(part for part in [head, *(written for _, written in parts)] if part)


def _block(block: Block, detail: Detail) -> str:
    if isinstance(block, Lines):
        return "".join(_line(line) for line in block.lines if line.detail <= detail)
    if isinstance(block, Table):
        return _table(block, detail)
    if isinstance(block, Verbatim):
        lines = "".join(f"{printable(line)}\n" for line in block.text.splitlines())
        return f"{block.caption}:\n{lines}"
    return ""


def _line(line: Line) -> str:
    label = f"{line.label}: " if line.label else ""
    queries = f" ({name_queries(line.queries)})" if line.queries else ""
    return f"{_plain(label + line.text + queries)}\n"


def _plain(text: str) -> str:
    """Make a line of a text; this and `align` are where control characters are stopped."""
    return printable(text if len(text) <= _LINE_WIDTH else text[: _LINE_WIDTH - 1] + "…")


def _table(table: Table, detail: Detail) -> str:
    if table.summary:
        return f"{_plain(table.summary)}\n"
    if not table.rows:
        return ""
    shown = [place for place, column in enumerate(table.columns) if column.detail <= detail]
    columns = [table.columns[place] for place in shown]
    rows = [[row[place] for place in shown] for row in table.rows[: table.most]]
    caption = f"{_plain(table.caption)}\n" if table.caption else ""
    body = _stack(table, columns, rows) if table.is_stacked else _grid(table, columns, rows)
    more = len(table.rows) - len(rows)
    rest = f"… and {more} more; {table.rest}\n" if more else ""
    return caption + body + rest + "".join(f"{_plain(note)}\n" for note in table.notes)


def _grid(table: Table, columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> str:
    cells = [
        [column.short or column.title for column in columns],
        *(_cells(columns, row) for row in rows),
    ]
    written = align(cells, left=table.labels)
    is_wide = max(map(len, written.splitlines())) > _WIDEST
    if table.is_turnable and len(columns) > 3 and is_wide:
        return align(list(zip(*cells, strict=True)), left=table.labels)
    return written


def _cells(columns: Sequence[Column], row: Sequence[Any]) -> list[str]:
    return [
        shorten(cell, _WIDTHS[column.kind]) if column.kind in _WIDTHS else cell
        for column, cell in zip(columns, show_row(columns, row), strict=True)
    ]


def _stack(table: Table, columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> str:
    return "".join(line for row in rows for line in _stacked(table.labels, columns, row))


def _stacked(labels: int, columns: Sequence[Column], row: Sequence[Any]) -> Iterator[str]:
    """Write the labels on one line, the figures on the next, then each text on its own."""
    first, *named = [shorten(str(value), _STACKED_WIDTH) for value in row[:labels] if value]
    yield f"  {': '.join([first, ', '.join(named)]) if named else first}\n"
    pairs = list(zip(columns[labels:], row[labels:], strict=True))
    figures = [_figure(column, value) for column, value in pairs if not column.kind.is_text]
    texts = [f"{column.title} {value}" for column, value in pairs if column.kind.is_text]
    for line in [", ".join(figures), *texts]:
        yield f"    {shorten(line, _LINE_WIDTH)}\n"


def _figure(column: Column, value: Any) -> str:
    """Name a figure, unless it names its measure itself."""
    shown = show_cell(column.kind, value)
    return shown if column.kind is CellKind.MEASURE_CHANGE else f"{column.title} {shown}"
