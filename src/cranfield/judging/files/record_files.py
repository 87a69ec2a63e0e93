"""Judgments with their whole history: JSON lines and CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import InputError, UnknownNameError
from cranfield.judging.files.judgment_records import (
    FileEntry,
    JudgmentFile,
    JudgmentFormat,
    WrittenFiles,
    decode_object,
    read_table,
    read_text,
)
from cranfield.judgments import Judgment, JudgmentSource, JudgmentState, Preference, query_key
from cranfield.model import Query
from cranfield.shapes import find_misfits

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum
    from pathlib import Path

    from cranfield.judging.files.judgment_records import JudgmentRecords

__all__ = [
    "JUDGMENT_LINES",
    "JUDGMENT_TABLE",
]

_VERSION = 1
_EXPECTED_OF_LINES = (
    'each line is an object with a "kind": header, query, content, judgment or preference'
)


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


def _write_lines(records: JudgmentRecords) -> WrittenFiles:
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


def _read_lines(path: Path) -> JudgmentFile:
    found: dict[str, list[tuple[Any, int]]] = {kind: [] for kind in _SHAPES}
    problems = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            kind, value = _read_line(decode_object(line, path, number, _EXPECTED_OF_LINES))
        except _LineError as problem:
            problems.append(
                InputError(f"{problem}; {_EXPECTED_OF_LINES}", file=str(path), line=number)
            )
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
    write=_write_lines,
    read=_read_lines,
    is_complete=True,
)


_TAKEN = (
    "query_id",
    "document",
    "rater",
    "note",
    "given",
    "guideline",
    "suite",
    "content",
    "batch",
)
_COLUMNS = (
    "query_id", "query", "document", "grade", "state", "rater", "note", "given", "guideline",
    "source", "suite", "language", "filters", "content", "batch", "text",
)  # fmt: skip
_EXPECTED_OF_TABLE = "a table of judgments has the columns query or query_id, document and grade"


def _write_table(records: JudgmentRecords) -> WrittenFiles:
    """Write every judgment; spreadsheets need the byte order mark to read UTF-8."""
    written = io.StringIO(newline="")
    table = csv.DictWriter(written, _COLUMNS, lineterminator="\r\n", quoting=csv.QUOTE_MINIMAL)
    table.writeheader()
    for each in records.judgments:
        query = records.queries[each.query]
        own = {name: getattr(each, name) for name in (*_TAKEN, "grade", "state", "source")}
        asked = {"query": query.text, "language": query.language, "filters": _filters(query)}
        table.writerow({**own, **asked, "text": records.texts.get(each.content, "")})
    left = len(records.preferences)
    notes = (f"{left} preferences are left out; .jsonl holds them",) if left else ()
    content = written.getvalue().encode("utf-8-sig")
    return WrittenFiles({"": content}, len(records.judgments), notes)


def _filters(query: Query) -> str:
    return msgspec.json.encode(dict(query.filters)).decode() if query.filters else ""


def _read_table(path: Path) -> JudgmentFile:
    header, rows = read_table(path)
    columns = _read_header(header, path)
    entries, texts, problems = [], {}, []
    for row in rows:
        cells = {columns[name]: cell for name, cell in row.cells.items()}
        try:
            entry = _entry(cells, row.line)
        except _CellError as problem:
            problems.append(InputError(str(problem), file=str(path), line=row.line))
            continue
        entries.append(entry)
        if cells.get("text") and entry.judgment.content:
            texts[entry.judgment.content] = cells["text"]
    if problems:
        raise InputError.join(problems)
    return JudgmentFile(tuple(entries), texts)


class _CellError(Exception):
    """A cell that cannot be used; the message says why."""


def _read_header(header: list[str], path: Path) -> dict[str, str]:
    """Return what each column is read as; case and white space do not count."""
    columns = {name: name.strip().casefold().replace(" ", "_") for name in header}
    for name in columns.values():
        if name not in _COLUMNS:
            problem = UnknownNameError("column", name, _COLUMNS)
            hint = "is this a table of csv? --format names others"
            raise InputError(f"{problem}; {hint}", file=str(path), line=1)
    known = set(columns.values())
    if len(known) < len(header):
        raise InputError("two columns have the same name", file=str(path), line=1)
    if not known & {"query", "query_id"} or not known >= {"document", "grade"}:
        raise InputError(f"has {', '.join(header)}; {_EXPECTED_OF_TABLE}", file=str(path), line=1)
    return columns


def _entry(cells: Mapping[str, str], line: int) -> FileEntry:
    query = _query(cells)
    grade = _grade(cells.get("grade", ""))
    implied = JudgmentState.GRADED if grade is not None else JudgmentState.UNRATEABLE
    if not cells["document"]:
        raise _CellError("this row has no document; fill it in, or remove the row")
    taken: dict[str, Any] = {"rater": ""} | {name: cells[name] for name in _TAKEN if name in cells}
    judgment = Judgment(
        query="" if query is None else query_key(query),
        grade=grade,
        state=_choice(cells, "state", JudgmentState, implied),
        source=_choice(cells, "source", JudgmentSource, JudgmentSource.PEOPLE),
        **taken,
    )
    return FileEntry(judgment, query, line, names_source=bool(cells.get("source")))


def _query(cells: Mapping[str, str]) -> Query | None:
    """Return what was asked; None if the row has only the id of the query."""
    text = cells.get("query", "")
    if not text:
        if not cells.get("query_id"):
            raise _CellError("this row has neither a query nor its id; fill one in")
        return None
    try:
        filters = msgspec.json.decode(cells.get("filters") or "{}", type=dict[str, Any])
    except msgspec.DecodeError:
        raise _CellError(
            f'the filters {cells["filters"]!r} are no JSON object; write {{"name": "value"}}'
        ) from None
    name = cells.get("query_id", "")
    return Query(name, text, language=cells.get("language", ""), filters=filters)


def _grade(cell: str) -> int | None:
    written = cell.strip()
    if not written:
        return None
    try:
        return int(written)
    except ValueError:
        raise _CellError(
            f"the grade {written!r} is not a whole number; 0 is not relevant, empty is unrateable"
        ) from None


def _choice(cells: Mapping[str, str], column: str, kinds: type[StrEnum], default: Any) -> Any:
    written = cells.get(column, "").strip()
    if not written:
        return default
    if written not in list(kinds):
        raise _CellError(f"the {column} {written!r} is none of {', '.join(kinds)}")
    return kinds(written)


JUDGMENT_TABLE = JudgmentFormat(
    name="csv",
    summary="CSV: a row for every judgment, with its history and texts",
    suffixes=(".csv",),
    recognises=lambda path: path.is_file() and path.suffix.lower() in (".csv", ".tsv"),
    write=_write_table,
    read=_read_table,
    is_complete=True,
)
