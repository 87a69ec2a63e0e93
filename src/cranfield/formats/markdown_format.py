"""Reports as Markdown documents: whole, with what an audit needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.formats.cells import name_queries, printable, show_row
from cranfield.formats.document import Lines, Table, Verbatim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.formats.document import Block, Line, Report, Section

__all__ = ["markdown_table", "render_markdown"]


def render_markdown(report: Report) -> str:
    """Write title, outcome, sections and notes."""
    parts = [
        f"# {_plain(report.title)}\n",
        "".join(f"- {_line(line)}\n" for line in report.lines),
        *(_section(section) for section in report.sections),
        "".join(f"{_plain(note)}  \n" for note in report.notes),
    ]
    return "\n".join(part for part in parts if part)


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Write rows as a table, the first being its head; the cells are Markdown already."""
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _plain(text: str) -> str:
    return printable(" ".join(text.split()))


def _cell(text: str) -> str:
    """Keep a text within its cell: bars end cells, and so do line breaks."""
    return _plain(text.replace("\\", "\\\\").replace("|", "\\|"))


def _line(line: Line) -> str:
    label = f"{line.label}: " if line.label else ""
    queries = f" ({name_queries(line.queries)})" if line.queries else ""
    return _plain(label + line.text + queries)


def _section(section: Section) -> str:
    outcome = {True: ": passed", False: ": failed", None: ""}[section.passed]
    head = f"## {_plain(section.title)}{outcome}\n" if section.title else ""
    return "\n".join(part for part in [head, *map(_block, section.blocks)] if part)


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Lines):
        head = f"### {_plain(block.title)}\n\n" if block.title else ""
        lines = [_line(line) for line in block.lines]
        return head + "  \n".join(lines) + "\n" if lines else ""
    if isinstance(block, Verbatim):
        text = "\n".join(f"    {printable(line)}" for line in block.text.splitlines())
        return f"{_plain(block.caption)}:\n\n{text}\n"
    return ""


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    head = f"### {_plain(table.title or table.caption)}\n\n" if table.title or table.caption else ""
    rows = [[column.title for column in table.columns]]
    rows += [show_row(table.columns, row) for row in table.rows]
    written = markdown_table([[_cell(cell) for cell in row] for row in rows])
    notes = "".join(f"\n{_plain(note)}\n" for note in table.notes)
    return head + written + notes
