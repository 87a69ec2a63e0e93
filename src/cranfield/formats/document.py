"""A report as a value: what is shown of a run, a comparison, a gate …, in no format yet.

    Report
    ├── lines       what the whole comes to
    ├── sections    one for each suite or run: a title, then blocks in reading order
    │   └── blocks  Lines, Table, Verbatim, Chart
    ├── notes       how to read the figures
    ├── records     one flat table, a row for each query
    ├── tests       test suites and cases, for those who read JUnit
    └── data        the same as a document of plain values, by a published schema

A format renders a report and reads nothing else. Table cells are typed: the text of a p-value is
the format's business, its value the report's. `records`, `tests` and `data` are built when a
format first asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = [
    "Block",
    "Cell",
    "CellKind",
    "Chart",
    "Column",
    "Detail",
    "Line",
    "Lines",
    "Report",
    "Section",
    "Series",
    "Table",
    "TestCase",
    "TestSuite",
    "Tone",
    "Verbatim",
    "tabulate",
]

Item = TypeVar("Item")


class Detail(IntEnum):
    """How much is shown, from the least to the most; each level includes those before.

    Every part of a report has the level from which on it is shown.
    """

    NONE = 0
    OVERVIEW = 1
    """The outcome of each suite: what a comment on a pull request has room for."""
    MEASURES = 2
    """The figures, and how many queries changed."""
    FAILED = 3
    """In addition, the queries that were not answered."""
    CHANGED = 4
    """In addition, the queries that changed."""
    ALL = 5
    """In addition, all queries."""
    AUDIT = 6
    """In addition, what a document needs to stand alone: runs, fingerprints, tests, method."""


class Tone(StrEnum):
    """Whether a line is good news."""

    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    NEUTRAL = "neutral"


class CellKind(StrEnum):
    """What a value is; a format decides how it is written."""

    TEXT = "text"
    """Words of ours, or a name."""
    ID = "id"
    """An identifier of a query or a hit."""
    QUERY = "query"
    """The text of a query."""
    MESSAGE = "message"
    """A text of any length from a suite or a system."""
    COUNT = "count"
    VALUE = "value"
    """A measured value."""
    DIFFERENCE = "difference"
    COUNT_DIFFERENCE = "count difference"
    INTERVAL = "interval"
    """The two bounds of a difference."""
    RANGE = "range"
    """The two bounds of a value."""
    P = "p"
    EFFECT = "effect"
    """A difference in standard deviations."""
    SCORE = "score"
    """What a system gave a hit."""
    RANK = "rank"
    """The rank of the first right hit; None if there is none."""
    SHARE = "share"
    """How many, of how many."""
    SECONDS = "seconds"
    LINK = "link"
    """A text and the address it leads to."""
    MEASURE_CHANGE = "measure change"
    """The name of a measure, and its value before and after."""
    RANK_CHANGE = "rank change"
    """A rank before and after."""

    @property
    def is_text(self) -> bool:
        """Whether its values are texts."""
        return self in (CellKind.TEXT, CellKind.ID, CellKind.QUERY, CellKind.MESSAGE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of another kind than its column's."""

    value: Any
    kind: CellKind


@dataclass(frozen=True, slots=True)
class Column:
    """What stands in a column of a table; `short` is its title where there is little room."""

    title: str
    kind: CellKind = CellKind.TEXT
    detail: Detail = Detail.NONE
    short: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence; `label` is a word in front of it, `queries` are those it speaks of."""

    text: str
    tone: Tone = Tone.NEUTRAL
    label: str = ""
    queries: tuple[str, ...] = ()
    detail: Detail = Detail.NONE


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences that belong together."""

    lines: tuple[Line, ...]
    title: str = ""
    detail: Detail = Detail.NONE


@dataclass(frozen=True, slots=True)
class Table:
    """Typed columns, and rows of their values; None and `Undefined` are no value.

    The first `labels` columns name a row. A document puts `title` above the table; every format
    puts `caption` there. `summary` is what a short format says instead of the rows. `is_stacked`
    asks for one block of lines a row, as the texts are long. A short format shows `most` rows and
    says in `rest` where the others are. `notes` stand below.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    labels: int = 1
    title: str = ""
    caption: str = ""
    summary: str = ""
    notes: tuple[str, ...] = ()
    is_stacked: bool = False
    is_turnable: bool = False
    """Whether rows may become columns if it would be too wide."""
    most: int | None = None
    rest: str = ""
    detail: Detail = Detail.NONE


def tabulate(
    items: Iterable[Item], columns: Mapping[Column, Callable[[Item], Any]]
) -> tuple[tuple[Column, ...], tuple[tuple[Any, ...], ...]]:
    """Return the columns and rows of a table, from what each column shows of an item."""
    rows = tuple(tuple(read(item) for read in columns.values()) for item in items)
    return tuple(columns), rows


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text as it was received."""

    caption: str
    text: str
    detail: Detail = Detail.NONE


@dataclass(frozen=True, slots=True)
class Series:
    """One set of points of a chart: a label and one or more numbers each."""

    name: str
    points: tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The data of a chart, for formats that can draw.

    Kinds: `bars` (one number a point), `intervals` (value, low, high), `slopes` (before, after),
    `flows` (rank before, rank after, how many queries), `shares` (one number, stacked by series),
    `spans` (low, high, in seconds), `lines` (place of a run, value), `heat` (a change; a row for
    each series). `band` is a range to shade, such as the margin of equivalence; `summary` is the
    chart in words; `missing` is the number in `flows` that stands for no rank, and `ends` name
    their two sides. `marks` are places of `lines` that have a name, such as releases. A line break
    in a label begins its second line.
    """

    kind: str
    title: str
    series: tuple[Series, ...]
    detail: Detail = Detail.AUDIT
    band: tuple[float, float] | None = None
    summary: str = ""
    missing: int | None = None
    ends: tuple[str, ...] = ()
    marks: tuple[tuple[float, str], ...] = ()


Block: TypeAlias = Lines | Table | Verbatim | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """One suite or run of a report; `passed` is None if nothing was to pass."""

    title: str = ""
    blocks: tuple[Block, ...] = ()
    passed: bool | None = None
    detail: Detail = Detail.NONE


@dataclass(frozen=True, slots=True)
class TestCase:
    """A test case; `outcome` is failure, error or skipped, or empty if all is well."""

    __test__ = False  # the name is JUnit's; it is not a test of ours

    group: str
    name: str
    outcome: str = ""
    kind: str = ""
    message: str = ""
    detail: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class TestSuite:
    """The test cases of one run, and what is known of it."""

    __test__ = False

    title: str
    cases: tuple[TestCase, ...]
    properties: tuple[tuple[str, str], ...] = ()
    started: str = ""


def _no_records() -> Table:
    return Table((), ())


@dataclass(frozen=True)
class Report:
    """What there is to show of one finished value, the `subject`.

    `kind` is what formats are chosen by. `lead` is the outcome in a sentence, and `charts` are what
    a page shows below it. `detail` is how much a reader asked for; documents are
    whole at any level. `skipped` says why there is nothing to show. Only a format that writes one
    kind in somebody else's shape reads the `subject`.
    """

    kind: str
    title: str
    sections: tuple[Section, ...]
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    lead: str = ""
    passed: bool | None = None
    skipped: str = ""
    detail: Detail = Detail.ALL
    subject: Any = None
    make_records: Callable[[], Table] = _no_records
    make_tests: Callable[[], tuple[TestSuite, ...]] = tuple
    make_data: Callable[[], dict[str, Any]] = dict
    make_rankings: Callable[[], list[dict[str, Any]]] = list
    make_charts: Callable[[], tuple[Chart, ...]] = tuple

    @cached_property
    def charts(self) -> tuple[Chart, ...]:
        """What a page shows below the outcome; made only for a format that draws."""
        return self.make_charts()

    @cached_property
    def records(self) -> Table:
        """One flat table, a row for each query."""
        return self.make_records()

    @cached_property
    def tests(self) -> tuple[TestSuite, ...]:
        """What was judged, as test cases."""
        return self.make_tests()

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything as plain values; what differs from run to run is under `volatile` alone."""
        return self.make_data()
