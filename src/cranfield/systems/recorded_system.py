"""Systems that are recorded responses, one JSON object a line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.errors import InputError, SystemUnusableError
from cranfield.model import Response, Status
from cranfield.systems.extraction import Extraction, ReadingSettings
from cranfield.systems.system import System, SystemContext, SystemKind
from cranfield.systems.templates import describe_filters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from cranfield.model import Query

__all__ = ["RECORDED_SYSTEM"]


class RecordedSettings(ReadingSettings, kw_only=True):
    """`file` has one JSON object a line: `id` or `query`, and `hits` or a failed `status`.

    A line may say with which `filters` it was recorded.
    """

    file: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pattern:
            raise ValueError("pattern reads ids from text, and recorded responses are JSON")

    def named_files(self) -> list[str]:
        """Return the files that the settings name, the recording included."""
        return [*super().named_files(), self.file]


class RecordedSystem(System):
    """Answers from a file of JSON lines: by the query's id, or by its text if a line has no id.

    Only the offsets of the lines are kept, so memory stays small for large files.
    """

    stays_in_thread = answers_at_once = True

    def __init__(self, settings: RecordedSettings, context: SystemContext) -> None:
        self._path = context.folder / settings.file
        self._extraction = Extraction(settings)
        self._by_id: dict[str, _LineSpan] = {}
        self._by_text: dict[str, _LineSpan] = {}
        self._filters: dict[_LineSpan | None, dict[str, Any]] = {}
        self._ignored = frozenset(settings.ignored_filters)
        for line, span, record in _records(self._path):
            self._index(record, span, line)
        self._file = self._path.open("rb")

    def search(self, query: Query, limit: int) -> Response:
        """Read the recorded line."""
        span = self._span(query)
        if span is None:
            return Response.failed(Status.ERROR, "nothing is recorded for this query")
        try:
            line = os.pread(self._file.fileno(), span.length, span.offset)
            record = _DECODER.decode(line)
        except (OSError, ValueError) as problem:
            return Response.failed(Status.ERROR, f"the recording cannot be read again: {problem}")
        return self._response(record, limit)

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Refuse answers that were recorded with other filters; report those that do not say."""
        unsaid = []
        for query in queries:
            span = self._span(query)
            if span in self._filters:
                self._refuse_others(query, self._filters[span])
            elif span is not None and query.filters:
                unsaid.append(query)
        named = describe_filters(unsaid)
        return [f"the recording does not say whether it was made with {named}"] if named else []

    def _refuse_others(self, query: Query, recorded: dict[str, Any]) -> None:
        kept = {name: each for name, each in recorded.items() if name not in self._ignored}
        given = msgspec.to_builtins(dict(query.filters), str_keys=True)
        if kept != given:
            raise SystemUnusableError(
                f"the answer to {query.id!r} was recorded with the filters {_show(kept)}, and the "
                f"query has {_show(given)}; record it again"
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _span(self, query: Query) -> _LineSpan | None:
        return self._by_id.get(query.id) or self._by_text.get(query.text)

    def _response(self, record: dict[str, Any], limit: int) -> Response:
        status = Status(record.get("status", Status.OK))
        if status.is_failure:
            message = str(record.get("message", "recorded so"))
            return Response.failed(status, message, raw=str(record.get("raw", "")))
        return self._extraction.from_document(record, limit)

    def _index(self, record: dict[str, Any], span: _LineSpan, line: int) -> None:
        name, text = record.get("id"), record.get("query")
        key, index = (text, self._by_text) if name is None else (name, self._by_id)
        if not isinstance(key, str | int):
            raise self._error("has no id and no query; say what is answered", line)
        if str(key) in index:
            raise self._error(f"answers {key!r} a second time; keep one", line)
        if record.get("status", Status.OK) not in list(Status):
            known = ", ".join(Status)
            raise self._error(f"has the status {record['status']!r}; there are {known}", line)
        filters = record.get("filters")
        if not isinstance(filters, dict | None):
            raise self._error(f"has the filters {filters!r}; write a table of them", line)
        index[str(key)] = span
        if filters is not None:
            self._filters[span] = filters

    def _error(self, message: str, line: int) -> InputError:
        return InputError(message, file=str(self._path), line=line)


def _show(filters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in filters.items()) or "none"


_DECODER = msgspec.json.Decoder(dict[str, Any])


class _LineSpan(NamedTuple):
    offset: int
    length: int


def _records(path: Path) -> Iterator[tuple[int, _LineSpan, dict[str, Any]]]:
    """Yield line number, offset and content of every recorded response."""
    try:
        with path.open("rb") as lines:
            offset = 0
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, _LineSpan(offset, len(line)), _record(line, path, number)
                offset += len(line)
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=str(path)) from None


def _record(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise InputError(f"is not JSON: {problem}", file=str(path), line=number) from None
    if not isinstance(record, dict):
        raise InputError(
            'is not an object; write {"id": …, "hits": […]} on each line',
            file=str(path),
            line=number,
        )
    return record


RECORDED_SYSTEM = SystemKind(
    name="recorded",
    summary="a file of recorded responses, one JSON object a line",
    example='kind = "recorded"\nfile = "responses.jsonl"',
    settings=RecordedSettings,
    open=RecordedSystem,
    refuses={"timeout": "it is answered from a file"},
)
