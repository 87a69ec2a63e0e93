"""Our own format: one TOML file for each suite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from cranfield.errors import InputError
from cranfield.model import Query, Suite, Threshold
from cranfield.shapes import find_misfits, parse_toml_text
from cranfield.suites.classes import describe_classes
from cranfield.suites.formats.file_parts import PERCENTILE, RegressionsTable, read_bytes
from cranfield.suites.formats.suite_formats import SuiteFormat
from cranfield.suites.project_settings import JudgingTable
from cranfield.suites.suite_source import SuiteSource

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.shapes import Misfit

__all__ = ["NATIVE_FORMAT"]

_HEADER = re.compile(r"^\s*\[\[\s*query\s*\]\]", re.M)
_OF_QUERY = "a query has id, text and expect"
_OF_SUITE = (
    "a suite has id, class, description, measures, [[gate]] tables, [regressions], [latency] with "
    "p50 or p95, [judging], and [[query]] tables with id, text and expect"
)
_OF_JUDGING = (
    "[judging] has highest (1 to 9), guidelines, overlap (0 to 1), raters (1 to 3), judged_by "
    '("people", "people:NAME", "model:NAME" or "clicks") and holes ("left out" or "irrelevant")'
)

_OF_TABLE = {"query": _OF_QUERY, "judging": _OF_JUDGING}


class _Query(msgspec.Struct):
    id: str
    text: str
    expect: dict[str, Any] = msgspec.field(default_factory=dict)
    category: str = ""
    language: str | None = None
    tags: list[str] = msgspec.field(default_factory=list)
    filters: dict[str, Any] = msgspec.field(default_factory=dict)
    pass_rank: int | None = None
    notes: str = ""
    deprecated: bool = False


class _Gate(msgspec.Struct):
    measure: str
    at_least: float
    category: str = ""
    diagnostic: bool = False


class _Suite(msgspec.Struct):
    id: str
    query_class: str = msgspec.field(name="class")
    description: str = ""
    language: str = ""
    pass_rank: int | None = None
    measures: list[str] = msgspec.field(default_factory=list)
    database: str = ""
    gate: list[_Gate] = msgspec.field(default_factory=list)
    proportions: dict[str, float] = msgspec.field(default_factory=dict)
    latency: dict[
        Annotated[str, msgspec.Meta(pattern=PERCENTILE)], Annotated[float, msgspec.Meta(gt=0)]
    ] = msgspec.field(default_factory=dict)
    regressions: RegressionsTable = msgspec.field(default_factory=RegressionsTable)
    judging: JudgingTable = msgspec.field(default_factory=JudgingTable)
    query: list[_Query] = msgspec.field(default_factory=list)


def _read(path: Path) -> SuiteSource:
    text = read_bytes(path).decode()
    lines = tuple(
        number for number, line in enumerate(text.splitlines(), start=1) if _HEADER.match(line)
    )
    written = parse_toml_text(text, path)
    if misfits := list(find_misfits(written, _Suite)):
        raise InputError.join(_shape_error(each, path, lines) for each in misfits)
    return SuiteSource(_suite(msgspec.convert(written, _Suite)), path, lines)


def _shape_error(misfit: Misfit, path: Path, lines: tuple[int, ...]) -> InputError:
    line = None
    match misfit.place:
        case ("query", int(place), *_) if place < len(lines):
            line = lines[place]
    known = _OF_TABLE.get(str(next(iter(misfit.place), "")), _OF_SUITE)
    if not misfit.place and "`class`" in str(misfit):
        known = describe_classes()
    message = str(misfit) if misfit.unknown_key else f"{misfit}; {known}"
    return InputError(message, file=str(path), line=line)


def _suite(written: _Suite) -> Suite:
    return Suite(
        id=written.id,
        query_class=written.query_class,
        description=written.description,
        measures=tuple(written.measures),
        database=written.database,
        gate=tuple(_threshold(each) for each in written.gate),
        rules=written.regressions.rules(),
        latency=written.latency,
        proportions=written.proportions,
        queries=tuple(_query(each, written) for each in written.query),
        judging=written.judging.settings,
    )


def _threshold(each: _Gate) -> Threshold:
    return Threshold(each.measure, each.at_least, each.category, each.diagnostic)


def _query(each: _Query, suite: _Suite) -> Query:
    return Query(
        id=each.id,
        text=each.text,
        expect=each.expect,
        category=each.category,
        language=suite.language if each.language is None else each.language,
        tags=tuple(each.tags),
        filters=each.filters,
        pass_rank=suite.pass_rank if each.pass_rank is None else each.pass_rank,
        notes=each.notes,
        deprecated=each.deprecated,
    )


NATIVE_FORMAT = SuiteFormat(
    name="native",
    summary="a .toml file with id, class and [[query]] tables",
    recognises=lambda path: path.suffix == ".toml",
    read=_read,
)
