"""Query logs as search systems write them: JSON lines or CSV, one row at a time.

A line has a query, and may have how often it was asked, how often that helped, and a class, under
the names in `_PARTS`. Nothing else is read. What helped is yes or no, a share of the count
(0.25), or how many of the count (12); a whole number is always the latter.
"""

from __future__ import annotations

import re
from collections import deque
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.csv_tables import find_delimiter, split_row
from cranfield.errors import InputError, UnknownNameError
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

__all__ = [
    "LogEntry",
    "read_column_options",
    "read_log",
]

_LONGEST_LINE = 2**20
_MOST_LINES_A_ROW = 50
_END = b""
_MOST_COUNTED = 10**12
_YES_OR_NO = {"true": True, "yes": True, "false": False, "no": False}
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]")
_PARTS = {
    "query": ("query", "text", "q", "search", "searchterm", "searchquery", "searchtext", "term",
              "keyword", "keywords", "querytext", "querystring", "userquery", "question", "input",
              "phrase", "suchbegriff", "suche", "anfrage"),
    "count": ("count", "times", "searches", "frequency", "freq", "volume", "occurrences", "number",
              "n", "total", "totalsearches", "uniquesearches", "querycount", "searchcount",
              "anzahl"),
    "helpful": ("helpful", "clicked", "clicks", "click", "ctr", "clickthroughrate", "success",
                "successful", "converted", "conversions", "solved", "useful", "klicks"),
    "class": ("class", "category", "group", "kind", "type", "kategorie"),
}  # fmt: skip
"""What is read from a log, and the names of columns that have it; case, spaces and _ are equal."""

_USUAL = {
    "query": ("query", "text"),
    "count": ("count",),
    "helpful": ("helpful", "clicked"),
    "class": ("class", "category"),
}
"""Keys of JSON lines that are read wherever they are, also if the first line lacks them."""
_NOT_LETTERS = re.compile(r"[\W_]+")


class LogEntry(NamedTuple):
    """One line of a log: how many `times` a text was searched, and how many of them helped.

    `helpful` is None if the line does not say.
    """

    text: str
    times: int
    helpful: float | None
    category: str


def read_log(path: Path, columns: Mapping[str, str] | None = None) -> Iterator[LogEntry | None]:
    """Yield the entry of each line, None for one that cannot be read; blank lines are skipped.

    `columns` names the columns of the query, count, helpful or class, if their names do not.
    """
    try:
        with path.open("rb") as stream:
            lines = _read_lines(stream)
            first = next(lines, b"") or b""
            if first.lstrip().startswith(b"{"):
                read = _json_reader(first, columns or {}, path)
                yield read(first)
                yield from (None if line is None else read(line) for line in lines)
            else:
                yield from _read_csv(first, lines, path, columns or {})
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=str(path)) from None


def _read_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines that are not blank, None for one that is too long to be a line."""
    start = b"\xef\xbb\xbf"
    while line := stream.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(_LONGEST_LINE)
            yield None
        elif stripped := line.removeprefix(start).strip(b" \r\n"):
            yield stripped
        start = b""


def _json_reader(
    first: bytes, given: Mapping[str, str], path: Path
) -> Callable[[bytes], LogEntry | None]:
    """Make a reader of lines, by the keys of the first; other keys are not decoded."""
    try:
        keys = list(msgspec.json.decode(first, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        keys = ["query"]
    names = _list_keys(_find_columns(keys, given, str(path)))
    fields = {f"{part}_{name}": (part, name) for part in names for name in names[part]}
    places = {name: f"field_{place}" for place, name in enumerate(fields)}
    line = msgspec.defstruct(
        "Line",
        [(place, Any, None) for place in places.values()],
        rename={places[field]: name for field, (_, name) in fields.items()},
        frozen=True,
        gc=False,
    )
    decoder = msgspec.json.Decoder(line)
    parts = [[places[f"{part}_{name}"] for name in names[part]] for part in names]

    def read(written: bytes) -> LogEntry | None:
        try:
            found = decoder.decode(written)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        values = [[getattr(found, place) for place in of_part] for of_part in parts]
        text, count, helpful, category = (
            next((each for each in of_part if each not in (None, "")), None) for of_part in values
        )
        if not isinstance(text, str) or not isinstance(category, str | None):
            return None
        return _make_entry(text, count, helpful, category)

    return read


def _list_keys(columns: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the keys that may have each part, the one of the first line first."""
    taken = set(columns.values())
    return {
        part: [
            *([columns[part]] if part in columns else []),
            *(name for name in usual if name not in taken),
        ]
        for part, usual in _USUAL.items()
    }


def _read_csv(
    header: bytes, lines: Iterator[bytes | None], path: Path, given: Mapping[str, str]
) -> Iterator[LogEntry | None]:
    """Read the rows below a header; a quoted query may go over several lines."""
    head = header.decode(errors="replace")
    delimiter = find_delimiter(head)
    names = [name.strip() for name in split_row([head], delimiter) or ()]
    columns = _find_columns(names, given, str(path))
    places = {part: names.index(name) for part, name in columns.items()}
    for cells in _read_rows(lines, delimiter, len(names)):
        if cells is None:
            yield None
        else:
            found = {part: cells[place].strip() or None for part, place in places.items()}
            yield _make_entry(*map(found.get, _USUAL))


def _read_rows(
    lines: Iterator[bytes | None], delimiter: str, width: int
) -> Iterator[list[str] | None]:
    """Yield the cells of each row, None for a line that is not a row.

    A quotation mark that is never closed spoils its own line and no other: those that were read
    to look for its end are read again.
    """
    again: deque[bytes | None] = deque()
    while True:
        taken: list[bytes | None] = []
        cells = split_row(_take(lines, again, taken), delimiter)
        if not taken:
            return
        if cells is not None and len(cells) == width:
            yield cells
        else:
            again.extendleft(reversed(taken[1:]))
            yield None


def _take(
    lines: Iterator[bytes | None], again: deque[bytes | None], taken: list[bytes | None]
) -> Iterator[str]:
    """Yield lines for one row, and note them as taken; a row ends somewhere."""
    for _ in range(_MOST_LINES_A_ROW):
        line = again.popleft() if again else next(lines, _END)
        if line is _END:
            return
        taken.append(line)
        if line is None:
            return
        yield f"{line.decode(errors='replace')}\n"


def _make_entry(
    text: str | None, count: Any, helpful: Any, category: str | None
) -> LogEntry | None:
    cleaned = _clean(text or "")
    number = 1.0 if count is None else _read_number(count)
    if not cleaned or "\ufffd" in cleaned or number is None:
        return None
    if not 1 <= number <= _MOST_COUNTED or not number.is_integer():
        return None
    return LogEntry(
        cleaned, int(number), _read_helpful(helpful, int(number)), _clean(category or "")
    )


def _clean(text: str) -> str:
    """Put a text on one line, without invisible characters."""
    return " ".join((text if text.isprintable() else _UNSEEN.sub(" ", text)).split())


def _read_number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _read_helpful(value: Any, count: int) -> float | None:
    """Return how many of the count were helpful; None for what cannot be understood."""
    if isinstance(value, str):
        value = _YES_OR_NO.get(value.casefold(), value)
    if isinstance(value, bool):
        return float(count) if value else 0.0
    number = _read_number(value)
    if number is None or number < 0:
        return None
    is_share = isinstance(value, float) or (isinstance(value, str) and not value.isdigit())
    return min(number * count if is_share and number <= 1 else number, float(count))


def read_column_options(written: Sequence[str]) -> dict[str, str]:
    """Read `PART=COLUMN` as typed for `--column`."""
    columns = {}
    for each in written:
        part, sign, column = each.partition("=")
        if not sign or not column.strip():
            raise UnknownNameError("column, written PART=COLUMN with a part", each, _PARTS)
        if part.strip() not in _PARTS:
            raise UnknownNameError("part of a log", part.strip(), _PARTS)
        columns[part.strip()] = column.strip()
    return columns


def _find_columns(names: Sequence[str], given: Mapping[str, str], file: str) -> dict[str, str]:
    """Return the column of each part that a log has; there must be one of queries.

    `given` are columns by the user's own choice, and must be there.
    """
    folded = {_NOT_LETTERS.sub("", name.casefold()): name for name in reversed(names)}
    found = dict(given)
    for part, column in given.items():
        if column not in names:
            raise InputError(
                f"{UnknownNameError('column', column, names)} (for --column {part}=…)", file=file
            )
    for part, usual in _PARTS.items():
        known = next((folded[name] for name in usual if name in folded), None)
        if part not in found and known is not None:
            found[part] = known
    if "query" not in found:
        columns = ", ".join(names) or "none"
        near = next((name for name in names if near_names(name, _PARTS["query"], most=1)), "NAME")
        raise InputError(
            f"is not a query log, or its queries have another name; its columns are: {columns}; "
            f"name the one with queries: --column query={near!r}",
            file=file,
            line=1,
        )
    return found
