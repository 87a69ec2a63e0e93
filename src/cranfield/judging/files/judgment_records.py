"""Files of judgments: the formats by name, the records that they hold, and how text is read."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time by dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.csv_tables import CsvRow, describe_width, read_rows
from cranfield.errors import CranfieldError, InputError
from cranfield.judgments import JudgedItem, JudgmentState, settle
from cranfield.registry import Registry
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from cranfield.judging.files.chunk_selections import RunSelection
    from cranfield.judgments import JudgedBy, Judgment, Preference
    from cranfield.model import Hit, Query

__all__ = [
    "JUDGMENT_FORMATS",
    "FileEntry",
    "GradedDocument",
    "JudgmentFile",
    "JudgmentFormat",
    "JudgmentRecords",
    "TableRow",
    "WrittenFiles",
    "choose_format",
    "decode_object",
    "graded_documents",
    "read_table",
    "read_text",
    "refuse_ids",
]

_SAYING = (JudgmentState.GRADED, JudgmentState.ADJUDICATED, JudgmentState.UNRATEABLE)


@dataclass(frozen=True, slots=True)
class JudgmentRecords:
    """Judgments to be written, in the order they were given, with all that is known about them.

    `queries` are by key, `texts` by content, `hits` by content as stored runs found them. `by` is
    whose judgments a format takes that holds one grade for a document. `runs` are kept by formats
    that hold runs. `codebase`,
    `notes` and `started`, when judging began, describe the whole.
    """

    judgments: tuple[Judgment, ...]
    queries: Mapping[str, Query]
    by: JudgedBy
    texts: Mapping[str, str] = field(default_factory=dict)
    preferences: tuple[Preference, ...] = ()
    hits: Mapping[str, Hit] = field(default_factory=dict)
    runs: tuple[RunSelection, ...] = ()
    codebase: str = ""
    started: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A judgment that was read from a file, and its line.

    `query` is what was asked, None if the file has only its id. A judgment that names no rater has
    an empty one; `names_source` if the file says whether a person, a model or clicks judged.
    """

    judgment: Judgment
    query: Query | None = None
    line: int | None = None
    names_source: bool = False


@dataclass(frozen=True, slots=True)
class JudgmentFile:
    """What a file holds; `notes` say what of it has no place in a store of judgments."""

    entries: tuple[FileEntry, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    preferences: tuple[Preference, ...] = ()
    queries: tuple[Query, ...] = ()
    notes: tuple[str, ...] = ()


class GradedDocument(NamedTuple):
    """The grade of a document that stands, for formats that hold one; `query` is a key."""

    query: str
    query_id: str
    document: str
    grade: int
    content: str
    given: str

    @property
    def item(self) -> str:
        """What was judged."""
        return self.content or f"id:{self.document}"


def graded_documents(records: JudgmentRecords) -> list[GradedDocument]:
    """Return the grade of every document for every query, in the order they were first judged.

    A document that was judged with several contents has the grade of the last one.
    """
    by = records.by
    chosen = [
        each
        for each in records.judgments
        if each.source is by.source and (not by.rater or each.rater == by.rater)
    ]
    settled = settle(chosen, by.source, by.rater)
    last: dict[tuple[str, str], Judgment] = {}
    times: dict[JudgedItem, str] = {}
    for each in chosen:
        item = JudgedItem(each.query, each.item)
        if item in settled and each.state in _SAYING:
            last[each.query, each.document] = each
            times[item] = each.given
    names = _query_ids(last.values())
    return [
        GradedDocument(key, names[key], document, settled[item].grade, each.content, times[item])
        for (key, document), each in last.items()
        for item in [JudgedItem(key, each.item)]
    ]


def _query_ids(judgments: Iterable[Judgment]) -> dict[str, str]:
    """Return the id of each query, its key if it has none; two queries cannot share one."""
    names: dict[str, str] = {}
    suites: dict[str, str] = {}
    for each in judgments:
        names[each.query] = each.query_id or names.get(each.query, "") or each.query
        suites[each.query] = each.suite
    owners: dict[str, str] = {}
    for key, name in names.items():
        other = owners.setdefault(name, key)
        if other != key:
            raise CranfieldError(
                f"two queries have the id {name!r}, in the suites {suites[other]!r} and "
                f"{suites[key]!r}, and this format knows queries by their ids; export one suite "
                "(--suite NAME), or to .csv or .jsonl"
            )
    return names


_MOST_FILE = 1 << 30


class TableRow(NamedTuple):
    """The cells of a row of a table by their columns, and the line where it begins."""

    cells: dict[str, str]
    line: int


def read_text(path: Path, *, may_be_empty: bool = False) -> str:
    """Read a file that must be UTF-8 and, unless `may_be_empty`, not empty.

    Line breaks stay as they are.
    """
    try:
        content = read_limited(path, _MOST_FILE)
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror or problem}; check the path", file=str(path)
        ) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(
            f"is not UTF-8 (byte 0x{content[problem.start]:02x}); save it as UTF-8",
            file=str(path),
            line=content.count(b"\n", 0, problem.start) + 1,
        ) from None
    if not text.strip() and not may_be_empty:
        raise InputError("is empty; is this the right file?", file=str(path))
    return text


def decode_object(line: str, path: Path, number: int, expected: str) -> dict[str, Any]:
    """Decode a line of JSON that must be an object."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise InputError(
            f"is not JSON: {problem}; {expected}", file=str(path), line=number
        ) from None
    if not isinstance(value, dict):
        raise InputError(f"is not a JSON object; {expected}", file=str(path), line=number)
    return value


def read_table(path: Path) -> tuple[list[str], Iterator[TableRow]]:
    """Read a CSV file: the names of its columns as written, and its rows."""
    rows = read_rows(read_text(path), path)
    header = next(rows, CsvRow([], 1)).cells
    return header, _named(header, rows, path)


def _named(header: list[str], rows: Iterator[CsvRow], path: Path) -> Iterator[TableRow]:
    for row, line in rows:
        if len(row) != len(header):
            raise InputError(describe_width(row, len(header)), file=str(path), line=line)
        yield TableRow(dict(zip(header, row, strict=True)), line)


_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """What an export writes: contents by name, one with an empty name for a single file.

    `count` is the number of grades or judgments; `notes` say what the format leaves out.
    """

    contents: Mapping[str, bytes]
    count: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgmentFormat:
    """A format of judgments: how a file is recognised, written and read.

    `is_complete` if it holds every judgment, and not one grade for each document; `holds_runs` if
    it keeps what runs selected beside them.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Path], bool]
    write: Callable[[JudgmentRecords], WrittenFiles]
    read: Callable[[Path], JudgmentFile]
    is_complete: bool = False
    holds_runs: bool = False


JUDGMENT_FORMATS: Registry[JudgmentFormat] = Registry(
    "format of judgments", JudgmentFormat, group="cranfield.judgment_formats"
)

# The first that recognises a file reads it: what is known by its content comes first.
_BUILT_IN = {
    "chunk-scores": "chunk_scores_file:CHUNK_SCORES_FILE",
    "beir": "graded_files:BEIR_FOLDER",
    "jsonl": "record_files:JUDGMENT_LINES",
    "csv": "record_files:JUDGMENT_TABLE",
    "trec": "graded_files:TREC_QRELS",
}
for _name, _place in _BUILT_IN.items():
    JUDGMENT_FORMATS.register_reference(_name, f"cranfield.judging.files.{_place}")


def choose_format(path: Path, name: str | None, *, to_write: bool) -> JudgmentFormat:
    """Return the named format; without a name the one that a file has, or its ending asks for."""
    if name:
        return JUDGMENT_FORMATS.get(name)
    formats = [JUDGMENT_FORMATS.get(each) for each in [*_BUILT_IN, *_plugins()]]
    for each in formats:
        if path.suffix.lower() in each.suffixes if to_write else each.recognises(path):
            return each
    known = ", ".join(f"{each.name} ({each.summary})" for each in formats)
    message = f"its name does not say which format it has; give --format, one of {known}"
    if to_write:
        raise CranfieldError(f"{path}: {message}")
    raise InputError(message, file=str(path))


def _plugins() -> list[str]:
    return [name for name in JUDGMENT_FORMATS.names() if name not in _BUILT_IN]


def refuse_ids(format_name: str, unfit: Iterable[str], reason: str) -> None:
    """Refuse ids that a format cannot hold; the message shows some of them."""
    listed = list(dict.fromkeys(unfit))
    if not listed:
        return
    some = ", ".join(repr(each) for each in listed[:_MOST_SHOWN])
    more = " …" if len(listed) > _MOST_SHOWN else ""
    raise CranfieldError(
        f"{format_name} cannot hold {len(listed)} of the ids ({some}{more}): {reason}; export to "
        ".csv or .jsonl, which hold any"
    )
