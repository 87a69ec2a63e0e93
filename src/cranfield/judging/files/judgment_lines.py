"""Judgments as JSON lines: every judgment with everything that is known, the history included."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import InputError
from cranfield.judging.files.file_text import decode_object, read_text
from cranfield.judging.files.judgment_formats import JudgmentFormat, WrittenFiles
from cranfield.judging.files.judgment_records import FileEntry, JudgmentFile
from cranfield.judgments import Judgment, Preference, query_key
from cranfield.model import Query
from cranfield.shapes import find_misfits

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.judging.files.judgment_records import JudgmentRecords

__all__ = ["JUDGMENT_LINES"]

_VERSION = 1
_EXPECTED = 'each line is an object with a "kind": header, query, content, judgment or preference'


@dataclass(frozen=True, slots=True)
class _Header:
    version: int


@dataclass(frozen=True, slots=True)
class _QueryLine:
    key: str
    text: str
    language: str = ""
    filters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ContentLine:
    hash: str
    text: str


def _write(records: JudgmentRecords) -> WrittenFiles:
    lines = [_line("header", _Header(_VERSION))]
    for key, query in records.queries.items():
        lines.append(
            _line("query", _QueryLine(key, query.text, query.language, dict(query.filters)))
        )
    lines += (_line("content", _ContentLine(*each)) for each in records.texts.items())
    lines += (_line("judgment", each) for each in records.judgments)
    lines += (_line("preference", each) for each in records.preferences)
    return WrittenFiles({"": b"".join(lines)}, len(records.judgments))


def _line(kind: str, value: Any) -> bytes:
    """Write a line; an empty or missing value is left out, as is the place in the store."""
    known = {each.name: getattr(value, each.name) for each in fields(value)}
    kept = {name: each for name, each in known.items() if name != "number" and each not in ("", {})}
    return msgspec.json.encode({"kind": kind, **kept}) + b"\n"


_SHAPES: dict[str, Any] = {
    "header": _Header,
    "query": _QueryLine,
    "content": _ContentLine,
    "judgment": Judgment,
    "preference": Preference,
}


def _read(path: Path) -> JudgmentFile:
    found: dict[str, list[tuple[Any, int]]] = {kind: [] for kind in _SHAPES}
    problems = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            kind, value = _read_line(decode_object(line, path, number, _EXPECTED))
        except _LineError as problem:
            problems.append(InputError(f"{problem}; {_EXPECTED}", file=str(path), line=number))
        else:
            found[kind].append((value, number))
    if problems:
        raise InputError.join(problems)
    _check_versions(found["header"], path)
    queries = {line.key: _make_query(line, path, number) for line, number in found["query"]}
    entries = tuple(
        FileEntry(each, queries.get(each.query), number, names_source=True)
        for each, number in found["judgment"]
    )
    return JudgmentFile(
        entries,
        texts={line.hash: line.text for line, _ in found["content"]},
        preferences=tuple(each for each, _ in found["preference"]),
        queries=tuple(queries.values()),
    )


class _LineError(Exception):
    """A line that cannot be used; the message says why."""


def _read_line(value: dict[str, Any]) -> tuple[str, Any]:
    kind = value.pop("kind", None)
    shape = _SHAPES.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise _LineError(f"the kind {kind!r} is unknown")
    misfits = [str(each) for each in find_misfits(value, shape)]
    if misfits:
        raise _LineError("; ".join(misfits))
    return str(kind), msgspec.convert(value, shape)


def _check_versions(headers: list[tuple[_Header, int]], path: Path) -> None:
    for header, number in headers:
        if header.version != _VERSION:
            raise InputError(
                f"has version {header.version}, and this cranfield reads version {_VERSION}; "
                "upgrade cranfield, or export the judgments again",
                file=str(path),
                line=number,
            )


def _make_query(line: _QueryLine, path: Path, number: int) -> Query:
    query = Query(line.key, line.text, language=line.language, filters=line.filters)
    if query_key(query) != line.key:
        raise InputError(
            f"the key {line.key!r} does not belong to this text, language and filters, whose key "
            f"is {query_key(query)!r}; was the line edited? Keep them as they were exported",
            file=str(path),
            line=number,
        )
    return query


JUDGMENT_LINES = JudgmentFormat(
    name="jsonl",
    summary="JSON lines: every judgment, with its history, texts and preferences",
    suffixes=(".jsonl", ".ndjson"),
    recognises=lambda path: path.is_file() and path.suffix.lower() in (".jsonl", ".ndjson"),
    write=_write,
    read=_read,
    is_complete=True,
)
