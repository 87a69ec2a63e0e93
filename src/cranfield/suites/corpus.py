"""The texts of a corpus, one by one, from a file or a folder."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield.model import Hit
from cranfield.relevance import open_read_only
from cranfield.suites.formats.files import decode, read_bytes, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["read_corpus"]

_DOCUMENTS = """
SELECT m.uri, s.title, s.facts, s.abstract || char(10) || s.overview
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
"""
_EXPECTED = 'each line is an object with its text, such as {"text": "…"}'


def read_corpus(path: Path) -> Iterator[Hit]:
    """Yield every text of a file or a folder, as the hit that a search would make of it.

    Text and Markdown files are one text each. JSON lines have a key `text`; their other keys
    are fields, such as book and chapter. An index of stacks has a text for each document.
    """
    if not path.exists():
        raise InputError("does not exist; give the corpus as a file or a folder", file=str(path))
    files = [path]
    if path.is_dir():
        files = sorted(
            each for each in path.rglob("*") if each.suffix in _READERS and each.is_file()
        )
    if not files:
        raise InputError(
            f"holds no text; a corpus has files of the kinds {', '.join(_READERS)}", file=str(path)
        )
    for file in files:
        yield from _READERS.get(file.suffix, _whole)(file)


def _whole(file: Path) -> Iterator[Hit]:
    yield Hit(file.stem, text=read_bytes(file, may_be_empty=True).decode())


def _json_lines(file: Path) -> Iterator[Hit]:
    for part in text_lines(read_bytes(file, may_be_empty=True)):
        fields: dict[str, Any] = decode(part, dict[str, Any], file, _EXPECTED)
        text = fields.pop("text", None)
        if not isinstance(text, str):
            raise InputError(f"has no text; {_EXPECTED}", file=str(file), line=part.line)
        yield Hit(f"{file.stem}:{part.line}", text=text, fields=fields)


def _index(file: Path) -> Iterator[Hit]:
    """Yield the documents of an index of stacks, with what their sources tell of them."""
    try:
        with closing(open_read_only(file)) as opened:
            for uri, title, facts, text in opened.execute(_DOCUMENTS):
                yield Hit(uri, text=text, fields={**json.loads(facts or "{}"), "title": title})
    except sqlite3.Error as problem:
        raise InputError(f"is no index of stacks: {problem}", file=str(file)) from None


_READERS: dict[str, Callable[[Path], Iterator[Hit]]] = {
    ".txt": _whole,
    ".text": _whole,
    ".md": _whole,
    ".markdown": _whole,
    ".jsonl": _json_lines,
    ".db": _index,
}
