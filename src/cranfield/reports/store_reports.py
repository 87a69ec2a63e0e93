"""The reports of a whole store: how each suite stands, how it got there, each query over time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from cranfield.formats import (
    Cell,
    CellKind,
    Chart,
    Column,
    Report,
    Section,
    Series,
    Table,
    count_of,
    show_value,
    tabulate,
)
from cranfield.runs import Run, RunState, summarise
from cranfield.suites import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cranfield.gates import Baseline
    from cranfield.model import Query
    from cranfield.runs import RunHeader, Store

__all__ = [
    "Addresses",
    "consecutive_runs",
    "report_standings",
    "report_store",
    "report_suite_history",
]

_STRONG, _WEAK = 0.8, 0.5
_RULE = (
    f"a suite is strong if its headline measure is {_STRONG:g} or more in the latest run, weak if "
    f"it is below {_WEAK:g}, and mixed in between; each class has its own measure, so states of "
    "different suites are not to be compared"
)
_MOST_RANKS = 12
_MOST_POINTS = 60


class Addresses(Protocol):
    """Where the pages are that a report links to."""

    def run(self, run: str) -> str:
        """Return the address of the page of a run."""

    def suite(self, suite: str) -> str:
        """Return the address of the page of a suite."""

    def comparison(self, a: str, b: str) -> str:
        """Return the address of the comparison of two runs; empty if there is no such page."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """One suite on one system: its latest run, and the one before."""

    latest: RunHeader
    before: RunHeader | None
    value: float | None

    @property
    def state(self) -> str:
        if self.value is None:
            return "unknown"
        return "strong" if self.value >= _STRONG else "weak" if self.value < _WEAK else "mixed"


def _finished(headers: Sequence[RunHeader]) -> list[RunHeader]:
    """Return whole runs that came to their end, the oldest first."""
    return [
        header
        for header in headers
        if header.state is not RunState.RUNNING and not header.selection
    ]


def consecutive_runs(store: Store, most: int = _MOST_RANKS) -> list[tuple[RunHeader, RunHeader]]:
    """Pair each run with the one before of the same suite and system; of each the newest pairs.

    The latest run of every other system is paired with that of the first system too.
    """
    lines: dict[tuple[str, str], list[RunHeader]] = {}
    for header in _finished(store.headers()):
        lines.setdefault((header.suite.id, header.system), []).append(header)
    pairs = [pair for headers in lines.values() for pair in list(pairwise(headers))[-most:]]
    first: dict[str, RunHeader] = {}
    for (suite, _), headers in lines.items():
        if suite in first:
            pairs.append((first[suite], headers[-1]))
        first.setdefault(suite, headers[-1])
    return pairs


def report_store(
    store: Store, addresses: Addresses, baselines: Mapping[str, Baseline] | None = None
) -> Report:
    """Report how every suite stands on every system, all runs, and the accepted baselines."""
    headers = store.headers()
    made = report_standings(store, headers, addresses, baselines)
    return replace(made, sections=(*made.sections, Section("Runs", (_runs(headers, addresses),))))


def report_standings(
    store: Store,
    headers: Sequence[RunHeader],
    addresses: Addresses,
    baselines: Mapping[str, Baseline] | None = None,
) -> Report:
    """Report how every suite stands on every system by all runs, and the accepted baselines."""
    standings = _standings(store, headers)
    suites = len({each.latest.suite.id for each in standings})
    return Report(
        kind="site",
        title="Search quality",
        lead=f"{count_of(suites, 'suite')}, {count_of(len(headers), 'run')}. {_words(standings)}",
        sections=(
            Section("State of each suite", (_state(standings, addresses),)),
            *((Section("Baselines", (_baselines(baselines),)),) if baselines else ()),
        ),
        make_data=lambda: {"kind": "site"},
    )


def _standings(store: Store, headers: Sequence[RunHeader]) -> list[_Standing]:
    latest: dict[tuple[str, str], list[RunHeader]] = {}
    for header in _finished(headers):
        latest.setdefault((header.suite.id, header.system), []).append(header)
    return [
        _Standing(
            headers[-1], headers[-2] if len(headers) > 1 else None, _headline(store, headers[-1])
        )
        for headers in latest.values()
    ]


def _headline(store: Store, header: RunHeader) -> float | None:
    run = Run(header, store)
    mean = summarise(run).overall.means[run.measures[0]]
    return mean if isinstance(mean, float) else None


def _words(standings: Sequence[_Standing]) -> str:
    counts = {
        state: sum(each.state == state for each in standings)
        for state in ("strong", "mixed", "weak")
    }
    told = [f"{count} {state}" for state, count in counts.items() if count]
    return f"By the latest runs: {', '.join(told)}." if told else "No run is finished yet."


def _state(standings: Sequence[_Standing], addresses: Addresses) -> Table:
    columns: dict[Column, Callable[[_Standing], Any]] = {
        Column("suite"): lambda each: _link(
            each.latest.suite.id, addresses.suite(each.latest.suite.id)
        ),
        Column("queries like"): lambda each: CLASSES.get(each.latest.suite.query_class).title,
        Column("system"): lambda each: each.latest.system,
        Column("state"): lambda each: each.state,
        Column("measure"): lambda each: each.latest.measures[0],
        Column("value", CellKind.VALUE): lambda each: each.value,
        Column("run", CellKind.ID): lambda each: _link(
            each.latest.id, addresses.run(each.latest.id)
        ),
        Column("label"): lambda each: each.latest.label or None,
        Column("compared"): lambda each: _before(each, addresses),
    }
    return Table(*tabulate(standings, columns), labels=5, notes=(_RULE,))


def _before(each: _Standing, addresses: Addresses) -> Cell | None:
    if each.before is None:
        return None
    address = addresses.comparison(each.before.id, each.latest.id)
    return _link(f"with {each.before.label or each.before.id}", address) if address else None


def _link(text: str, address: str) -> Cell:
    return Cell((text, address), CellKind.LINK)


def _baselines(baselines: Mapping[str, Baseline]) -> Table:
    names = ("baseline", "run", "accepted", "by", "reason")
    columns = tuple(Column(name) for name in names)
    rows = [
        (
            name,
            each.accepted.run,
            each.accepted.date[:10],
            each.accepted.author,
            each.accepted.reason,
        )
        for name, each in baselines.items()
    ]
    return Table(columns, tuple(rows), labels=2)


def _runs(headers: Sequence[RunHeader], addresses: Addresses) -> Table:
    columns: dict[Column, Callable[[RunHeader], Any]] = {
        Column("run", CellKind.ID): lambda each: _link(each.id, addresses.run(each.id)),
        Column("suite"): lambda each: _link(each.suite.id, addresses.suite(each.suite.id)),
        Column("system"): lambda each: each.system,
        Column("label"): lambda each: each.label or None,
        Column("queries", CellKind.COUNT): lambda each: len(each.suite.queries),
        Column("state"): lambda each: str(each.state),
        Column("started"): lambda each: each.started[:19].replace("T", " "),
    }
    return Table(*tabulate([*reversed(headers)], columns), labels=4)


def report_suite_history(store: Store, suite: str, addresses: Addresses) -> Report:
    """Report each measure of a suite over its runs, and the rank of each query in the newest."""
    headers = [header for header in _finished(store.headers()) if header.suite.id == suite]
    runs = [Run(header, store) for header in headers]
    description = headers[-1].suite.description if headers else ""
    return Report(
        kind="history",
        title=suite,
        lead=" ".join(filter(None, [description, f"{count_of(len(runs), 'finished run')}."])),
        charts=_history_charts(runs),
        sections=(
            Section("Rank of the first right hit", (_ranks(runs[-_MOST_RANKS:]),)),
            Section("Runs", (_runs(headers, addresses),)),
        ),
        make_data=lambda: {"kind": "history", "suite": suite},
    )


def _history_charts(runs: Sequence[Run]) -> tuple[Chart, ...]:
    """Draw each measure over the runs, a line for each system."""
    newest = runs[-_MOST_POINTS:]
    means = [(run.header, summarise(run).overall.means) for run in newest]
    names = dict.fromkeys(str(measure) for _, values in means for measure in values)
    charts = []
    for name in names:
        series: dict[str, list[tuple[str, tuple[float, ...]]]] = {}
        for place, (header, values) in enumerate(means):
            value = {str(measure): each for measure, each in values.items()}.get(name)
            if isinstance(value, float):
                mark = header.label or header.started[:10]
                series.setdefault(header.system, []).append((mark, (float(place), value)))
        drawn = tuple(Series(system, tuple(points)) for system, points in series.items())
        words = [
            f"{each.name}: {show_value(each.points[-1][1][1])} in the latest run" for each in drawn
        ]
        charts.append(Chart("lines", f"{name} over the runs", drawn, summary="; ".join(words)))
    return tuple(charts)


def _ranks(runs: Sequence[Run]) -> Table:
    """Show where each query's first right hit was, a column for each run."""
    asked: dict[str, Query] = {}
    ranks: list[dict[str, int | None]] = []
    for run in runs:
        outcomes = run.outcomes()
        asked |= {query.id: query for query in outcomes.queries}
        ids = [query.id for query in outcomes.queries]
        ranks.append(dict(zip(ids, outcomes.first_ranks, strict=True)))
    columns = (
        Column("query", CellKind.ID),
        Column("text", CellKind.QUERY),
        *(
            Column(f"{run.header.system} {run.header.label or run.header.id}", CellKind.RANK)
            for run in runs
        ),
    )
    rows = [
        (query.id, query.text, *(each.get(query.id) for each in ranks)) for query in asked.values()
    ]
    return Table(columns, tuple(rows), labels=2)
