"""Jupyter notebooks: the text and code of their cells, without outputs."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["read_notebook"]


class _Cell(msgspec.Struct, frozen=True):
    """A cell; version 3 of the format called `source` `input`."""

    cell_type: str = ""
    source: str | list[str] | None = None
    input: str | list[str] | None = None


class _Sheet(msgspec.Struct, frozen=True):
    """The container of cells in version 3 of the format."""

    cells: list[_Cell] = []


class _Notebook(msgspec.Struct, frozen=True):
    """The parts of a notebook that are read."""

    cells: list[_Cell] = []
    worksheets: list[_Sheet] = []
    metadata: Any = None


_DECODER = msgspec.json.Decoder(_Notebook)


def read_notebook(text: str) -> str | None:
    """Write a notebook as Markdown, its code in fences; None if the text is not a notebook."""
    try:
        notebook = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    language = _get_language(notebook.metadata)
    cells = [*notebook.cells, *(cell for sheet in notebook.worksheets for cell in sheet.cells)]
    return "\n\n".join(written for cell in cells if (written := _write_cell(cell, language)))


def _write_cell(cell: _Cell, language: str) -> str:
    """Write a cell, code in a fence."""
    source = cell.source if cell.source is not None else cell.input
    text = (source if isinstance(source, str) else "".join(source or [])).strip("\n")
    if cell.cell_type != "code" or not text.strip():
        return text
    return f"```{language}\n{text}\n```"


def _get_language(metadata: object) -> str:
    """Return the language of the code; empty if the notebook does not state it."""
    for name, field in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(name) if isinstance(metadata, dict) else None
        language = part.get(field) if isinstance(part, dict) else None
        if isinstance(language, str) and language.isidentifier():
            return language.lower()
    return ""
