"""Reports as GitHub shows them: the summary of a job, and a comment on a pull request.

Whatever comes from a suite or a system is written so it is text and nothing else there: no
table, link, markup or mention can be made of it.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, NamedTuple

from cranfield.formats.cells import shorten, show_cell
from cranfield.formats.document import CellKind, Detail, Lines, Table, Tone, Verbatim
from cranfield.formats.markdown_format import markdown_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cranfield.formats.document import Block, Column, Line, Report, Section

__all__ = ["MARKER", "escape", "render_comment", "render_summary"]

MARKER = "<!-- cranfield gate -->"
"""By this line a workflow finds its earlier comment."""


class _Room(NamedTuple):
    """How much there is room for: rows of a long table, and bytes, below what GitHub takes."""

    detail: Detail
    rows: int
    size: int


_SUMMARY = _Room(Detail.ALL, 50, 900_000)
_COMMENT = _Room(Detail.OVERVIEW, 10, 60_000)
_MOST_NAMED = 20
_WIDTH = 80
_SIGNS = {Tone.GOOD: "✅", Tone.BAD: "❌", Tone.WARNING: "⚠️", Tone.NEUTRAL: "ℹ️"}
_OUTCOMES = {True: "✅ ", False: "❌ ", None: ""}
_CODE = (CellKind.ID, CellKind.QUERY, CellKind.MESSAGE)
_WORDS = (CellKind.TEXT, CellKind.MEASURE_CHANGE)
_HARMLESS = "-,;/()=%?"
# GitHub looks for names and numbers after @ and # in what is shown, where an entity is a plain
# character again: only something in between keeps them apart.
_PLAIN = {
    **{ord(sign): f"&#{ord(sign)};" for sign in string.punctuation if sign not in _HARMLESS},
    **{ord(sign): f"&#{ord(sign)};&#8203;" for sign in "@#"},
}


def render_summary(report: Report) -> str:
    """Write the summary of a job."""
    return _write(report, _SUMMARY)


def render_comment(report: Report) -> str:
    """Write a comment, with the sections that failed first; it begins with a hidden mark."""
    return f"{MARKER}\n{_write(report, _COMMENT)}"


def escape(text: str, width: int = 1000) -> str:
    """Write text that is shown as it is, in one line."""
    return shorten(text, width).translate(_PLAIN)


def _code(text: str) -> str:
    return f"<code>{escape(text, _WIDTH)}</code>" if text else ""


def _write(report: Report, room: _Room) -> str:
    title = escape(report.title)
    if report.skipped:
        return f"## ⏭️ {title}: skipped\n\n{escape(report.skipped)}\n"
    outcome = "passed" if report.passed else "failed"
    ordered = sorted(report.sections, key=lambda section: section.passed is not False)
    parts = [_section(each, room) for each in ordered if each.detail <= room.detail]
    head = f"## {_OUTCOMES[report.passed]}{title}: {outcome}\n"
    return "\n".join([head, *_fit(parts, room.size)])


def _fit(parts: Sequence[str], largest: int) -> list[str]:
    """Keep what GitHub takes, and count the rest."""
    kept: list[str] = []
    for part in parts:
        largest -= len(part.encode())
        if largest < 0:
            more = len(parts) - len(kept)
            return [*kept, f"… and {more} more suites, too long to be shown here\n"]
        kept.append(part)
    return kept


def _section(section: Section, room: _Room) -> str:
    head = f"### {_OUTCOMES[section.passed]}{escape(section.title)}\n" if section.title else ""
    shown = [_block(block, room) for block in section.blocks if block.detail <= room.detail]
    return "\n".join(part for part in [head, *shown] if part)


def _block(block: Block, room: _Room) -> str:
    if isinstance(block, Lines):
        return _lines([line for line in block.lines if line.detail <= room.detail])
    if isinstance(block, Table):
        return _table(block, room)
    if isinstance(block, Verbatim):
        return f"{escape(block.caption)}&#58; {_code(block.text)}\n"
    return ""


def _lines(lines: Sequence[Line]) -> str:
    """Write plain sentences as paragraphs, and those with a tone or a label as a list."""
    is_plain = [line.tone is Tone.NEUTRAL and not line.label for line in lines]
    plain = "".join(f"{_line(line)}\n" for line, keep in zip(lines, is_plain, strict=True) if keep)
    listed = "".join(
        f"- {_SIGNS[line.tone]} {_line(line)}\n"
        for line, drop in zip(lines, is_plain, strict=True)
        if not drop
    )
    return "\n".join(part for part in (plain, listed) if part)


def _line(line: Line) -> str:
    named = ", ".join(_code(query) for query in line.queries[:_MOST_NAMED])
    more = len(line.queries) - _MOST_NAMED
    named += f" and {more} more" if more > 0 else ""
    return f"{escape(line.text)}: {named}" if named else escape(line.text)


def _table(table: Table, room: _Room) -> str:
    if not table.rows:
        return ""
    places = [place for place, each in enumerate(table.columns) if each.detail <= room.detail]
    columns = [table.columns[place] for place in places]
    kept = table.rows if table.most is None else table.rows[: room.rows]
    rows = [[escape(column.title, _WIDTH) for column in columns]]
    rows += [_cells(columns, [row[place] for place in places]) for row in kept]
    caption = f"{escape(table.caption)}\n\n" if table.caption else ""
    more = len(table.rows) - len(kept)
    rest = f"\n… and {more} more of {len(table.rows)}\n" if more else ""
    notes = "".join(f"\n{escape(note)}\n" for note in table.notes)
    return caption + markdown_table(rows) + rest + notes


def _cells(columns: Sequence[Column], row: Sequence[Any]) -> list[str]:
    return [_cell(column.kind, value) for column, value in zip(columns, row, strict=True)]


def _cell(kind: CellKind, value: Any) -> str:
    """Write a cell; figures are ours and need no escapes."""
    shown = show_cell(kind, value)
    if kind in _CODE:
        return _code(shown)
    return escape(shown, _WIDTH) if kind in _WORDS else shown
