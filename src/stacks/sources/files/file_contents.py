"""The content of a file: its text, or the reason why only its name is indexed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from stacks.sources.files.extractor import LONGEST_TEXT
from stacks.sources.paths import decode_text, is_binary
from stacks.sources.secrets import holds_private_key, holds_variables, list_variables
from stacks.text import TextAccess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.sources.files.extractor import Extractor
    from stacks.text import FileType

__all__ = ["FileContent", "read_content"]

_MAIL = "message/rfc822"
_NO_TEXT = "is binary, or text in an unknown encoding"

_SAMPLE = 8192
_MOST_NOISE = 0.3  # of the characters; random bytes have more, text in Latin letters less
_NOISE = re.compile("[\ufffd\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CUT_WORD = re.compile(r"(?<!\S)\S{1,500}\Z")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileContent:
    """What is indexed of a file in addition to its name.

    - `extent` says how much of it: `whole`, `names of variables`, `first … characters`.
    - `reason` says why nothing is; then there is no text.
    """

    text: str = ""
    extent: str = "whole"
    facts: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""


def read_content(name: str, kind: FileType, data: bytes, extractor: Extractor) -> FileContent:
    """Read the bytes of a file as its name says; an empty file has empty content."""
    if not data:
        return FileContent()
    access = "variables" if holds_variables(name) else kind.access
    content = _HOW[access](kind, data, extractor)
    if holds_private_key(content.text):
        return FileContent(reason="holds a private key")
    return content


def _decode(kind: FileType, data: bytes, _: Extractor) -> FileContent:
    """Decode a text file."""
    if _is_not_text(data, is_strict=kind.access is TextAccess.SNIFF):
        return FileContent(reason=_NO_TEXT)
    return _cut(decode_text(data))


def _read_notebook(kind: FileType, data: bytes, extractor: Extractor) -> FileContent:
    """Read the cells of a notebook; anything else is read as text."""
    content = _decode(kind, data, extractor)
    if content.reason:
        return content
    text = _write_notebook(decode_text(data))
    return content if text is None else _cut(text)


def _read_variables(kind: FileType, data: bytes, _: Extractor) -> FileContent:
    """List the names of variables, after checking the values for a private key."""
    if _is_not_text(data, is_strict=kind.access is TextAccess.SNIFF):
        return FileContent(reason=_NO_TEXT)
    text = decode_text(data)
    if holds_private_key(text):
        return FileContent(reason="holds a private key")
    return FileContent(list_variables(text)[:LONGEST_TEXT], "names of variables")


def _extract(kind: FileType, data: bytes, extractor: Extractor) -> FileContent:
    """Extract the text in the worker process."""
    if kind.media_type == "text/html":
        if not data.strip():
            return FileContent()
        data = _decode_html(data).encode("utf-8", "replace")
    elif kind.media_type != _MAIL and _is_text_instead(data):
        return _decode(kind, data, extractor)
    extracted = extractor.extract(data, kind.media_type)
    if extracted.fault:
        return FileContent(facts=extracted.facts, reason=extracted.fault)
    return _cut(extracted.text, extracted.length, extracted.facts)


def _is_text_instead(data: bytes) -> bool:
    """Return whether a document is no such document but text, whatever its name says.

    Office files and EPUB are never text; a PDF and an RTF file may be, and have a mark.
    """
    head = data[:_SAMPLE]
    is_marked = b"%PDF-" in head[:1024] or b"{\\rtf" in head[:1024]
    return not is_marked and not _is_not_text(data, is_strict=True)


_HOW: dict[str, Callable[[FileType, bytes, Extractor], FileContent]] = {
    TextAccess.DECODE: _decode,
    TextAccess.EXTRACT: _extract,
    TextAccess.NOTEBOOK: _read_notebook,
    TextAccess.SNIFF: _decode,
    "variables": _read_variables,
}


def _cut(
    text: str, length: int | None = None, facts: Mapping[str, str] | None = None
) -> FileContent:
    """Keep the beginning of a text that is too long, and note that in `extent`."""
    length = len(text) if length is None else length
    if length <= LONGEST_TEXT:
        return FileContent(text, facts=facts or {})
    if holds_private_key(text):
        return FileContent(reason="holds a private key")
    extent = f"first {LONGEST_TEXT:,} of {length:,} characters"
    # The beginning of a token would not be recognised as one.
    return FileContent(_CUT_WORD.sub("", text[:LONGEST_TEXT]), extent, facts or {})


def _is_not_text(data: bytes, *, is_strict: bool) -> bool:
    """Return whether bytes are not text; of an unknown file type, a single NUL decides."""
    head = data[:_SAMPLE]
    if is_binary(head):
        return True
    text = decode_text(head)
    noise = len(_NOISE.findall(text))
    # A NUL that is left after decoding does not come from UTF-16.
    return noise > len(text) * _MOST_NOISE or (is_strict and 0 in head and "\ufffd" in text)


def _decode_html(data: bytes) -> str:
    """Decode a page: by its byte order mark, as UTF-8, as declared, or as browsers do."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return decode_text(data)
    declared = _CHARSET.search(data[:_SAMPLE])
    if declared is None or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode_text(data)
    try:
        return data.decode(declared[1].decode("ascii"), "replace")
    except (LookupError, UnicodeError):
        return data.decode("cp1252", "replace")


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


_NOTEBOOKS = msgspec.json.Decoder(_Notebook)


def _write_notebook(text: str) -> str | None:
    """Write a notebook as Markdown, its code in fences; None if the text is not a notebook."""
    try:
        notebook = _NOTEBOOKS.decode(text)
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
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(name) if isinstance(metadata, dict) else None
        language = part.get(key) if isinstance(part, dict) else None
        if isinstance(language, str) and language.isidentifier():
            return language.lower()
    return ""
