"""Tables of queries: CSV with a header, a query a row, and the ids that are right for it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cranfield.csv_tables import CsvRow, describe_width, read_rows
from cranfield.errors import InputError
from cranfield.model import Query, Suite
from cranfield.suites.formats.file_parts import read_bytes
from cranfield.suites.formats.query_list_format import UNJUDGED, make_ids, note_unjudged
from cranfield.suites.formats.suite_formats import SuiteFormat
from cranfield.suites.similar_names import UnknownName
from cranfield.suites.suite_source import Finding, FindingSeverity, SuiteSource
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["QUERY_TABLE_FORMAT"]

_NUMBERED = re.compile(r"(.*?)[_ ]?\d+")
_SEPARATORS = re.compile(r"[|;,\n]")
_MOST_GRADE = 127

_COLUMNS = {
    "id": ("id", "query_id", "qid", "query_number", "number", "nr", "no"),
    "query": ("query", "text", "q", "question", "search", "search_term", "term", "keywords",
              "query_text", "user_query", "search_query", "suche", "suchbegriff", "anfrage",
              "frage"),
    "expected": ("expected", "expect", "expected_id", "expected_ids", "ids", "right", "answer",
                 "answers", "relevant", "target", "targets", "document", "documents", "doc",
                 "doc_id", "document_id", "docid", "url", "uri", "path", "file", "result",
                 "expected_result", "expected_results", "expected_url", "expected_document",
                 "right_id", "correct", "erwartet", "treffer"),
    "grade": ("grade", "relevance", "rel", "rating", "judgment"),
    "category": ("category", "group", "kind", "type", "kategorie"),
    "language": ("language", "lang", "sprache"),
    "notes": ("notes", "note", "comment", "comments", "remark", "description"),
}  # fmt: skip
"""What a column is read as, and the names that it may have; case, spaces, - and _ are equal."""
_NAMES = {name: column for column, names in _COLUMNS.items() for name in names}

_LABELS = {"category": "categories", "language": "languages"}
"""The columns of which a query has one value, and what several are called."""


@dataclass(slots=True)
class _Entry:
    """A query, gathered from the rows that have it."""

    text: str
    line: int
    id: str = ""
    grades: dict[str, int] = field(default_factory=dict)
    category: str = ""
    language: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of a row by what they are read as, and its first line."""

    cells: Mapping[str, Sequence[str]]
    line: int

    def first(self, column: str) -> str:
        return next(iter(self.cells.get(column, ())), "")


class _Reader:
    """Reads rows into entries, and gathers every mistake on the way."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], _Entry] = {}
        self.findings: list[Finding] = []
        self.is_graded = False
        self._commas = 0

    def add_rows(
        self, rows: Iterable[CsvRow], columns: Mapping[str, Sequence[int]], width: int
    ) -> None:
        """Add rows; one with more cells than the header is a mistake."""
        for row, line in rows:
            if any(cell.strip() for cell in row[width:]):
                self._error(describe_width(row, width), line)
                continue
            cells = {
                name: [row[place].strip() for place in places if place < len(row)]
                for name, places in columns.items()
            }
            self._add(_Row(cells, line))

    def _add(self, row: _Row) -> None:
        text = row.first("query")
        if not text:
            self._error("this row has no query; fill it in, or remove the row", row.line)
            return
        entry = self.entries.setdefault((row.first("id"), text), _Entry(text, row.line))
        entry.id = row.first("id")
        for name, several in _LABELS.items():
            self._label(entry, row, name, several)
        entry.notes = entry.notes or row.first("notes")
        grade = self._grade(row)
        for cell in row.cells.get("expected", ()):
            for each in self._ids(cell, row.line):
                self._judge(entry, each, grade, row.line)

    def _label(self, entry: _Entry, row: _Row, name: str, several: str) -> None:
        """Set what a query has one of; another one in a later row is a mistake."""
        before, written = getattr(entry, name), row.first(name)
        if before and written and written != before:
            self._error(
                f"query {entry.text!r} has two {several}, {before!r} and {written!r}; keep one",
                row.line,
            )
        setattr(entry, name, before or written)

    def _judge(self, entry: _Entry, document: str, grade: int, line: int) -> None:
        """Set the grade of a document; another one in a later row is a mistake."""
        before = entry.grades.setdefault(document, grade)
        if before != grade:
            self._error(
                f"document {document!r} is judged twice for query {entry.text!r}, {before} and "
                f"{grade}; keep one row",
                line,
            )

    def _grade(self, row: _Row) -> int:
        written = row.first("grade")
        if not written:
            return 1
        self.is_graded = True
        if written.isascii() and written.isdigit() and int(written) <= _MOST_GRADE:
            return int(written)
        self._error(
            f"the grade {written!r} is no whole number from 0 to {_MOST_GRADE}; 0 is not relevant",
            row.line,
        )
        return 1

    def _ids(self, cell: str, line: int) -> list[str]:
        """Read the ids of a cell: a JSON list, or ids between |, ; , or line breaks."""
        if cell.startswith("["):
            try:
                listed = json.loads(cell)
            except ValueError:
                listed = None
            if isinstance(listed, list) and all(isinstance(each, str) for each in listed):
                return listed
            self._error(f'{cell!r} is not a list of ids; write ["a", "b"] or a|b', line)
            return []
        self._commas += "," in cell
        return [each.strip() for each in _SEPARATORS.split(cell) if each.strip()]

    def _error(self, message: str, line: int) -> None:
        self.findings.append(Finding(FindingSeverity.ERROR, message, line=line))

    def notes(self) -> Iterator[Finding]:
        if self._commas:
            yield Finding(
                FindingSeverity.NOTE,
                f"{self._commas} cells of expected ids have commas and are read as several ids; "
                'write ["a, b"] for an id with a comma',
            )


def _read(path: Path) -> SuiteSource:
    """Read a query from each row; rows of the same query and id are one query.

    Without a column of expected ids, it is a list of queries.
    """
    rows = read_rows(read_bytes(path).decode(), path)
    header, line = next(rows, CsvRow([], 1))
    columns, findings = _read_header(header, path, line)
    reader = _Reader()
    reader.add_rows(rows, columns, len(header))
    is_judged = "expected" in columns
    entries = list(reader.entries.values())
    names = make_ids([(entry.id, entry.text) for entry in entries])
    queries = tuple(
        Query(
            name,
            entry.text,
            _expect(entry, is_graded=reader.is_graded) if is_judged else UNJUDGED,
            category=entry.category,
            language=entry.language,
            notes=entry.notes,
        )
        for name, entry in zip(names, entries, strict=True)
    )
    notes = reader.notes() if is_judged else note_unjudged(len(queries))
    suite = Suite(path.stem, "judged" if is_judged else "unjudged", queries)
    found = (*findings, *reader.findings, *notes)
    return SuiteSource(suite, path, tuple(entry.line for entry in entries), found)


def _read_header(
    header: Sequence[str], path: Path, line: int
) -> tuple[dict[str, list[int]], list[Finding]]:
    """Find what each column is; one that cannot be read is an error, unless it is accepted."""
    columns: dict[str, list[int]] = {}
    findings = []
    for place, title in enumerate(header):
        name = "_".join(re.findall(r"\w+", title.casefold().replace("_", " ")))
        column = _find_column(name)
        if column and (column == "expected" or column not in columns):
            columns.setdefault(column, []).append(place)
        elif title.strip():
            findings.append(_unknown_column(title.strip(), name, column, line))
    if "query" not in columns:
        near = [each for title in header for each in near_names(title.casefold(), _NAMES)]
        hint = f" (is it {header[0].strip()!r}?)" if near or len(header) == 1 else ""
        titles = ", ".join(repr(title.strip()) for title in header) or "no columns"
        raise InputError(
            f"its first line has no column of queries{hint}: it has {titles}; name one query, and "
            "one with the right ids expected",
            file=str(path),
            line=line,
        )
    return columns, findings


def _find_column(name: str) -> str:
    """Return what a column is read as, also with a number, in the plural, or as `expected …`."""
    numbered = _NUMBERED.fullmatch(name)
    plain = numbered[1].rstrip("_") if numbered else name
    known = _NAMES.get(plain) or _NAMES.get(plain.removesuffix("s"))
    return known or ("expected" if plain.startswith("expected_") else "")


def _unknown_column(title: str, name: str, taken: str, line: int) -> Finding:
    unknown = UnknownName("keys", title)
    near = [_NAMES[each] for each in near_names(name, _NAMES)]
    reason = f"is a second column of {taken}" if taken else "is no column that is read"
    hint = f"did you mean {' or '.join(dict.fromkeys(near))}? " if near and not taken else ""
    known = ", ".join(_COLUMNS)
    text = unknown.explain(f"{title!r} {reason}: {hint}columns are {known}")
    return Finding(FindingSeverity.ERROR, text, line=line, unknown=unknown)


def _expect(entry: _Entry, *, is_graded: bool) -> dict[str, object]:
    if not entry.grades:
        return {}
    return {"ids": dict(entry.grades) if is_graded else list(entry.grades)}


QUERY_TABLE_FORMAT = SuiteFormat(
    name="query-table",
    summary="a .csv or .tsv file whose first line names the columns query and expected",
    recognises=lambda path: path.is_file() and path.suffix.lower() in (".csv", ".tsv"),
    read=_read,
)
