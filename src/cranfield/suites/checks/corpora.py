"""Corpora that expectations are looked up in, and what is expected but does not exist there."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from cranfield.errors import CranfieldError, ExpectationError, InputError
from cranfield.model import Hit
from cranfield.relevance import (
    RuleContext,
    keep_reader,
    open_read_only,
    read_expectation,
    resolve_expectation,
    without_system,
)
from cranfield.suites.formats import decode, read_bytes, text_lines
from cranfield.suites.similar_names import KnownIds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from cranfield.model import Query
    from cranfield.relevance import Expectation
    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = [
    "Corpus",
    "CorpusKind",
    "Document",
    "find_missing",
    "read_corpus",
    "read_documents",
]

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


_MOST_NAMED = 3
_NAMING = ("ids", "files", "chunks")
"""Rules whose targets are names; each that does not exist is a mistake."""

_LOOKED_UP = {
    CorpusKind.INDEX: ("ids", "files", "chunks", "matches", "prefers", "sources", "where", "sql"),
    CorpusKind.LINES: ("ids", "files", "chunks", "matches", "prefers", "sources", "where"),
    CorpusKind.FOLDER: ("ids", "files"),
}
"""The rules that documents of a kind can be looked up by: a folder has no ids of a system."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """What one rule of one query expects, and which of its targets were found."""

    place: int
    query: Query
    rule: str
    expectation: Expectation
    met: set[int]

    @property
    def right(self) -> list[tuple[int, str]]:
        """The targets that count as right, with their positions."""
        targets = enumerate(self.expectation.targets)
        return [(position, target.name) for position, target in targets if target.grade > 0]

    @property
    def missing(self) -> list[str]:
        """The right targets that no document met."""
        return [name for position, name in self.right if position not in self.met]


def read_documents(corpora: Sequence[Corpus]) -> list[Document]:
    """Read all documents of some corpora."""
    return [document for corpus in corpora for document in read_corpus(corpus)]


def find_missing(
    source: SuiteSource, corpora: Sequence[Corpus], documents: Sequence[Document]
) -> Iterator[Finding]:
    """Find expected targets that no document meets, with the near one of a misspelt name.

    Passages are left to `find_passages`. If not a single name of the suite exists, the corpus is
    probably another one, which is reported once.
    """
    kinds = {document.kind for document in documents if document.names}
    known_rules = {rule for kind in kinds for rule in _LOOKED_UP[kind]}
    expected, problems = _read_all(source, corpora, known_rules)
    yield from problems
    for document in documents:
        _look_up(document, expected)
    yield from _describe(source, expected, corpora, documents)


def _read_all(
    source: SuiteSource, corpora: Sequence[Corpus], rules: Collection[str]
) -> tuple[list[_Expected], list[Finding]]:
    """Read what the queries expect by some rules, and find what cannot be read."""
    expected: list[_Expected] = []
    problems: list[Finding] = []
    with keep_reader():
        for place, query in enumerate(source.suite.queries):
            for rule in () if query.deprecated else query.expect:
                if rule in rules:
                    try:
                        expected.append(_read(source, place, rule, corpora))
                    except CranfieldError as problem:
                        problems.append(source.error(str(problem), place))
    return expected, problems


def _read(source: SuiteSource, place: int, rule: str, corpora: Sequence[Corpus]) -> _Expected:
    query = source.suite.queries[place]
    alone = replace(query, expect={rule: query.expect[rule]})
    expectation = read_expectation(resolve_expectation(alone, _context(source, corpora)))
    if not expectation.targets and not without_system(alone).expect:
        raise ExpectationError(
            f"query {query.id!r}: {rule}: {query.expect[rule]!r} finds nothing, so no hit could be "
            "right; fix it, or remove the query"
        )
    return _Expected(place, query, rule, expectation, set())


def _context(source: SuiteSource, corpora: Sequence[Corpus]) -> RuleContext:
    """Query the database that a run would: the suite's own, or else the one that is searched."""
    folder = source.path.parent
    if source.suite.database:
        return RuleContext(folder, folder / source.suite.database)
    files = [file for corpus in corpora for file in _databases(corpus.path)]
    return RuleContext(folder, files[0] if len(files) == 1 else None)


def _databases(path: Path) -> list[Path]:
    return sorted(path.glob("*.db")) if path.is_dir() else [path]


def _look_up(document: Document, expected: Sequence[_Expected]) -> None:
    rules = _LOOKED_UP[document.kind]
    hits = document.hits()
    for each in expected:
        if each.rule in rules:
            for hit in hits:
                each.met.update(each.expectation.meets(hit))


def _describe(
    source: SuiteSource,
    expected: Sequence[_Expected],
    corpora: Sequence[Corpus],
    documents: Sequence[Document],
) -> Iterator[Finding]:
    where = ", ".join(str(corpus.path) for corpus in corpora)
    names = [document.names[0] for document in documents if document.names]
    named = [each for each in expected if each.rule in _NAMING and each.right]
    if len(named) > 1 and names and not any(each.met for each in expected):
        # A system may call files by other names than their paths.
        is_certain = any(document.kind is not CorpusKind.FOLDER for document in documents)
        report = source.error if is_certain else source.warning
        yield report(
            f"not one of the names that {len(named)} queries expect is in {where}, whose documents "
            f"are called {', '.join(map(repr, names[:_MOST_NAMED]))} …: is it the right corpus?"
        )
        return
    known = KnownIds(names) if any(each.missing for each in expected) else None
    for each in expected:
        if known is not None and (missing := each.missing):
            yield _describe_missing(source, each, missing, known, where)


def _describe_missing(
    source: SuiteSource, each: _Expected, missing: Sequence[str], known: KnownIds, where: str
) -> Finding:
    shown = ", ".join(_with_near(name, known, each.rule) for name in missing[:_MOST_NAMED])
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    message = f"query {each.query.id!r} expects {shown}{more}, which no document of {where} is"
    is_certain = each.rule in _NAMING and source.suite.query_class != "judged"
    if is_certain or len(missing) == len(each.right):
        return source.error(message, each.place)
    return source.warning(message, each.place)


def _with_near(name: str, known: KnownIds, rule: str) -> str:
    near = known.find_near(name) if rule in _NAMING else ""
    return f"{name!r} (did you mean {near!r}?)" if near else repr(name)
