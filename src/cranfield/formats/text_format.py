"""Reports as plain text in aligned columns, without escapes: it is pasted elsewhere.

On a terminal, lines with a tone are coloured, and so is whether a section passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.formats.cells import name_queries, printable, shorten, show_cell, show_row
from cranfield.formats.document import CellKind, Detail, Lines, Table, Tone, Verbatim
from cranfield_shared.terminal import paint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    from cranfield.formats.document import Block, Column, Line, Report, Section

    Colour: TypeAlias = Callable[[str, Tone], str]

__all__ = ["align", "render_coloured_text", "render_text"]

_WIDEST = 120
"""A turnable table that is wider than so many characters has a row for each column instead."""
_WIDTHS = {CellKind.QUERY: 44, CellKind.MESSAGE: 80}
_STACKED_WIDTH = 160
_LINE_WIDTH = 2000
_COLOURS = {Tone.GOOD: "green", Tone.BAD: "red", Tone.WARNING: "yellow"}
_OUTCOMES = {True: ("PASSED", Tone.GOOD), False: ("FAILED", Tone.BAD)}


def render_text(report: Report) -> str:
    """Write the sections, what they come to, and how to read them, as far as was asked for."""
    return _render(report, _leave)


def render_coloured_text(report: Report) -> str:
    """Write the same in the colours of a terminal."""
    return _render(report, _colour)


def _leave(text: str, _: Tone) -> str:
    return text


def _colour(text: str, tone: Tone) -> str:
    return paint(text, _COLOURS[tone]) if tone in _COLOURS else text


def _render(report: Report, colour: Colour) -> str:
    if report.detail is Detail.NONE:
        return ""
    lines = [_line(line, colour) for line in report.lines if line.detail <= report.detail]
    parts = [_section(section, report.detail, colour) for section in report.sections]
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


def _section(section: Section, detail: Detail, colour: Colour) -> str:
    if section.detail > detail:
        return ""
    outcome = "" if section.passed is None else f": {colour(*_OUTCOMES[section.passed])}"
    head = f"{_plain(section.title)}{outcome}\n" if section.title else ""
    blocks = [block for block in section.blocks if block.detail <= detail]
    parts = [(block, written) for block in blocks if (written := _block(block, detail, colour))]
    if head and parts and isinstance(parts[0][0], Lines):
        head += parts.pop(0)[1]
    return "\n".join(part for part in [head, *(written for _, written in parts)] if part)


def _block(block: Block, detail: Detail, colour: Colour) -> str:
    if isinstance(block, Lines):
        return "".join(_line(line, colour) for line in block.lines if line.detail <= detail)
    if isinstance(block, Table):
        return _table(block, detail)
    if isinstance(block, Verbatim):
        lines = "".join(f"{printable(line)}\n" for line in block.text.splitlines())
        return f"{_plain(block.caption)}:\n{lines}"
    return ""


def _line(line: Line, colour: Colour) -> str:
    """Write a line; its label is coloured, or all of it if it has none."""
    queries = f" ({name_queries(line.queries)})" if line.queries else ""
    text = line.text + queries
    if not line.label:
        return f"{colour(_plain(text), line.tone)}\n"
    return f"{colour(_plain(line.label), line.tone)}: {_plain(text)}\n"


def _plain(text: str) -> str:
    """Make a line of a text; this and `align` are where text of others is made harmless."""
    line = printable(text)
    return line if len(line) <= _LINE_WIDTH else line[: _LINE_WIDTH - 1] + "…"


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
    rest = f"… and {more} more; {_plain(table.rest)}\n" if more else ""
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
