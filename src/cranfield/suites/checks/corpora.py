"""Corpora that a suite is checked against: an index, JSON lines, or a folder of files."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from cranfield.errors import InputError
from cranfield.model import Hit
from cranfield.relevance import open_read_only
from cranfield.suites.formats import decode, read_bytes, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["Corpus", "CorpusKind", "Document", "read_corpus"]

_DOCUMENTS = """
SELECT m.uri, s.title, s.facts, s.abstract || char(10) || s.overview
FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
"""
_TEXTS = (".txt", ".text", ".md", ".markdown")
_LINES = ".jsonl"
_INDEX = ".db"
_EXPECTED = 'each line is an object with its text or its id, such as {"id": "a", "text": "…"}'
_ID_KEYS = ("_id", "id", "docid", "doc_id", "uri", "url", "path")
_TEXT_KEYS = ("text", "contents", "content", "body")
_NUMBER = re.compile(r"(?:chapter|chap|ch)?[\s._-]*(\d{1,3})(?!\d)", re.I)


class CorpusKind(StrEnum):
    """What a document was read from, which decides what is known of it."""

    INDEX = "index"
    LINES = "lines"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where documents are; `prefix` is what a system removes from the front of their URIs."""

    path: Path
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a corpus: every name that a system may give it, its text and its fields."""

    kind: CorpusKind
    names: tuple[str, ...]
    text: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)

    def hits(self) -> list[Hit]:
        """Return the document as a search would return it, under each of its names."""
        return [Hit(name, text=self.text, fields=self.fields) for name in self.names or ("",)]


def read_corpus(corpus: Corpus) -> Iterator[Document]:
    """Yield every document of a file or a folder.

    Text and Markdown files are one text each; other files are known by their paths. JSON lines
    have keys for an id and a text, as BEIR's corpus.jsonl has; their other keys are fields, such
    as book and chapter. An index of stacks has a text for each document.
    """
    path = corpus.path
    if not path.exists():
        raise InputError("does not exist; give the corpus as a file or a folder", file=str(path))
    if not path.is_dir():
        yield from _read_file(path, path.parent, corpus)
        return
    beir = path / "corpus.jsonl"
    files = [beir] if beir.is_file() else _files_in(path)
    if not files:
        kinds = ", ".join((*_TEXTS, _LINES, _INDEX))
        raise InputError(f"has no text; a corpus has files of the kinds {kinds}", file=str(path))
    for file in files:
        yield from _read_file(file, path, corpus)


def _files_in(folder: Path) -> list[Path]:
    files = (each for each in folder.rglob("*") if each.is_file())
    return sorted(each for each in files if ".git" not in each.relative_to(folder).parts)


def _read_file(file: Path, root: Path, corpus: Corpus) -> Iterator[Document]:
    if file.suffix == _LINES:
        yield from _read_lines(file)
    elif file.suffix == _INDEX:
        yield from _read_index(file, corpus.prefix)
    else:
        yield _read_whole(file, root, is_text=file.suffix in _TEXTS or file == corpus.path)


def _read_whole(file: Path, root: Path, *, is_text: bool) -> Document:
    """Read a file; the folder that it is in may be its book, and its number its chapter."""
    text = read_bytes(file, may_be_empty=True).decode() if is_text else ""
    path = file.relative_to(root)
    number = _NUMBER.match(file.stem)
    fields: dict[str, Any] = {"path": path.as_posix()}
    if number:
        fields["chapter"] = str(int(number[1]))
    names = dict.fromkeys((path.as_posix(), file.name, file.stem))
    return Document(CorpusKind.FOLDER, tuple(names), text, fields)


def _read_lines(file: Path) -> Iterator[Document]:
    for part in text_lines(read_bytes(file, may_be_empty=True)):
        fields: dict[str, Any] = decode(part, dict[str, Any], file, _EXPECTED)
        name = next((fields[key] for key in _ID_KEYS if fields.get(key) is not None), None)
        text = next((fields[key] for key in _TEXT_KEYS if isinstance(fields.get(key), str)), None)
        if name is None and text is None:
            raise InputError(f"has no text; {_EXPECTED}", file=str(file), line=part.line)
        names = () if name is None else (str(name),)
        yield Document(CorpusKind.LINES, names, text or "", fields)


def _read_index(file: Path, prefix: str) -> Iterator[Document]:
    """Yield the documents of an index of stacks, with their facts as fields."""
    try:
        with closing(open_read_only(file)) as opened:
            for uri, title, facts, text in opened.execute(_DOCUMENTS):
                fields = {**json.loads(facts or "{}"), "title": title}
                names = [uri, unquote(uri.removeprefix(prefix))] if prefix else [uri]
                yield Document(CorpusKind.INDEX, tuple(dict.fromkeys(names)), text, fields)
    except sqlite3.Error as problem:
        raise InputError(f"is no index of stacks: {problem}", file=str(file)) from None
