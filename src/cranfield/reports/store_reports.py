"""The report of a whole store: how each suite stands, what was compared, what gates say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from cranfield.formats import (
    Cell,
    CellKind,
    Column,
    Report,
    Section,
    Table,
    count_of,
    tabulate,
)
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run
from cranfield.runs.summaries import summarise
from cranfield.suites import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cranfield.comparisons import Comparison, SuiteComparison
    from cranfield.evaluation.gate_evaluation import GateResult
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.runs.records import RunHeader
    from cranfield.runs.run_entries import RunEntry
    from cranfield.runs.store import Store

__all__ = [
    "Addresses",
    "StoreOverview",
    "consecutive_runs",
    "finished_runs",
    "list_runs",
    "report_standings",
    "report_store",
]

_STRONG, _WEAK = 0.8, 0.5
_RULE = (
    f"a suite is strong if its headline measure is {_STRONG:g} or more in the latest run, weak if "
    f"it is below {_WEAK:g}, and mixed in between; it is unknown if nothing says which hits are "
    "right; each class has its own measure, so states of different suites are not to be compared"
)
_ANY_RESULT = "AnyResult"
"""The measure of lists of queries without right answers: any hit counts, right or wrong."""
_MOST_PAIRS = 12


class Addresses(Protocol):
    """Where the pages are that a report links to."""

    def run(self, run: str) -> str:
        """Return the address of the page of a run."""

    def suite(self, suite: str) -> str:
        """Return the address of the page of a suite."""

    def comparison(self, a: str, b: str) -> str:
        """Return the address of the comparison of two runs; empty if there is no such page."""

    def gate(self, system: str) -> str:
        """Return the address of the gate of a system's latest runs; empty if there is none."""


@dataclass(frozen=True, slots=True)
class StoreOverview:
    """What is known of a store beside its runs: baselines by suite, comparisons, gates by system.

    A gate that could not judge is the reason in words.
    """

    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    comparisons: Sequence[Comparison] = ()
    gates: Mapping[str, GateResult | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Standing:
    """One suite on one system: its latest run, and the one before."""

    latest: RunEntry
    before: RunEntry | None
    value: float | None

    @property
    def state(self) -> str:
        if self.value is None or self.latest.measure == _ANY_RESULT:
            return "unknown"
        return "strong" if self.value >= _STRONG else "weak" if self.value < _WEAK else "mixed"


def finished_runs(headers: Sequence[RunHeader]) -> list[RunHeader]:
    """Return whole runs that came to their end, the oldest first."""
    return [
        header
        for header in headers
        if header.state is not RunState.RUNNING and not header.selection
    ]


def consecutive_runs(store: Store, most: int = _MOST_PAIRS) -> list[tuple[RunHeader, RunHeader]]:
    """Pair each run with the one before of the same suite and system; of each the newest pairs.

    The latest run of every other system is paired with that of the first system too.
    """
    lines: dict[tuple[str, str], list[RunHeader]] = {}
    for header in finished_runs(store.headers()):
        lines.setdefault((header.suite.id, header.system), []).append(header)
    pairs = [pair for headers in lines.values() for pair in list(pairwise(headers))[-most:]]
    first: dict[str, RunHeader] = {}
    for (suite, _), headers in lines.items():
        if suite in first:
            pairs.append((first[suite], headers[-1]))
        first.setdefault(suite, headers[-1])
    return pairs


def report_store(
    store: Store, addresses: Addresses, overview: StoreOverview | None = None
) -> Report:
    """Report how every suite stands on every system, gates, comparisons, baselines and all runs."""
    known = overview or StoreOverview()
    entries = store.entries()
    made = report_standings(store, entries, addresses, known.baselines)
    state, *others = made.sections
    further = {
        "Gates": _gates(known.gates, addresses),
        "Comparisons": _comparisons(known.comparisons, addresses),
    }
    tables = [Section(title, (table,)) for title, table in further.items() if table.rows]
    runs = Section("Runs", (list_runs(entries, addresses),))
    return replace(made, sections=(state, *tables, *others, runs))


def report_standings(
    store: Store,
    entries: Sequence[RunEntry],
    addresses: Addresses,
    baselines: Mapping[str, Baseline] | None = None,
) -> Report:
    """Report how every suite stands on every system by all runs, and the accepted baselines."""
    standings = sorted(_standings(store, entries), key=lambda each: each.latest.suite)
    suites = len({each.latest.suite for each in standings})
    return Report(
        kind="site",
        title="Search quality",
        lead=f"{count_of(suites, 'suite')}, {count_of(len(entries), 'run')}. {_words(standings)}",
        sections=(
            Section("State of each suite", (_state(standings, addresses),)),
            *((Section("Baselines", (_baselines(baselines),)),) if baselines else ()),
        ),
        make_data=lambda: {"kind": "site"},
    )


def _standings(store: Store, entries: Sequence[RunEntry]) -> list[_Standing]:
    latest: dict[tuple[str, str], list[RunEntry]] = {}
    for entry in entries:
        if entry.is_whole:
            latest.setdefault((entry.suite, entry.system), []).append(entry)
    return [
        _Standing(runs[-1], runs[-2] if len(runs) > 1 else None, _headline(store, runs[-1]))
        for runs in latest.values()
    ]


def _headline(store: Store, entry: RunEntry) -> float | None:
    """Return the stored mean of the headline measure; of an older store it is computed."""
    if entry.headline is not None:
        return entry.headline
    run = Run(store.header(entry.id), store)
    mean = summarise(run).overall.means[run.measures[0]]
    return mean if isinstance(mean, float) else None


def _words(standings: Sequence[_Standing]) -> str:
    counts = {
        state: sum(each.state == state for each in standings)
        for state in ("strong", "mixed", "weak", "unknown")
    }
    told = [f"{count} {state}" for state, count in counts.items() if count]
    return f"By the latest runs: {', '.join(told)}." if told else "No run is finished yet."


def _state(standings: Sequence[_Standing], addresses: Addresses) -> Table:
    columns: dict[Column, Callable[[_Standing], Any]] = {
        Column("suite"): lambda each: _link(each.latest.suite, addresses.suite(each.latest.suite)),
        Column("queries like"): lambda each: CLASSES.get(each.latest.query_class).title,
        Column("system"): lambda each: each.latest.system,
        Column("state"): lambda each: each.state,
        Column("measure"): lambda each: each.latest.measure,
        Column("value", CellKind.VALUE): lambda each: each.value,
        Column("run", CellKind.ID): lambda each: _link(
            each.latest.id, addresses.run(each.latest.id)
        ),
        Column("label"): lambda each: each.latest.label or None,
        Column("compared"): lambda each: _before(each, addresses),
        Column("gate"): lambda each: _gate_of(each, addresses),
    }
    return Table(*tabulate(standings, columns), labels=5, notes=(_RULE,))


def _gate_of(each: _Standing, addresses: Addresses) -> Cell | None:
    address = addresses.gate(each.latest.system)
    return _link("gate", address) if address else None


def _before(each: _Standing, addresses: Addresses) -> Cell | None:
    if each.before is None:
        return None
    address = addresses.comparison(each.before.id, each.latest.id)
    return _link(f"with {each.before.label or 'the one before'}", address) if address else None


def _link(text: str, address: str) -> Cell:
    return Cell((text, address), CellKind.LINK)


def _comparisons(comparisons: Sequence[Comparison], addresses: Addresses) -> Table:
    """Show every comparison that has a page, the newest first."""
    rows = [
        (each, suite)
        for each in comparisons
        for suite in each.suites
        if addresses.comparison(*_ids(suite))
    ]
    rows.sort(key=lambda row: row[1].runs.b.header.started, reverse=True)
    columns: dict[Column, Callable[[tuple[Comparison, SuiteComparison]], Any]] = {
        Column("comparison"): lambda row: _link(
            f"{row[0].name_b} against {row[0].name_a}", addresses.comparison(*_ids(row[1]))
        ),
        Column("suite"): lambda row: row[1].suite_id,
        Column("verdict"): lambda row: str(row[1].verdict.kind),
        Column("measure"): lambda row: str(row[1].headline.measure),
        Column("difference", CellKind.DIFFERENCE): lambda row: (
            row[1].headline.result.difference if row[1].headline.result else None
        ),
        Column("got worse", CellKind.COUNT): lambda row: len(row[1].fallen),
        Column("queries", CellKind.COUNT): lambda row: len(row[1].changes),
    }
    return Table(*tabulate(rows, columns), labels=4)


def _ids(suite: SuiteComparison) -> tuple[str, str]:
    return suite.runs.a.header.id, suite.runs.b.header.id


def _gates(gates: Mapping[str, GateResult | str], addresses: Addresses) -> Table:
    """Show whether the latest runs of each system would pass its gate."""
    names = ("system", "suite", "gate", "baseline", "run")
    rows: list[tuple[Any, ...]] = []
    for system, result in gates.items():
        if isinstance(result, str):
            rows.append((system, None, f"could not be judged: {result}", None, None))
            continue
        rows += [_gate_cells(system, each, addresses) for each in result.runs]
    note = "the latest run of each suite, by the thresholds of the suite and the baseline if any"
    return Table(tuple(map(Column, names)), tuple(rows), labels=2, notes=(note,) if rows else ())


def _gate_cells(system: str, gated: GatedRun, addresses: Addresses) -> tuple[Any, ...]:
    header = gated.run.header
    outcome = "passed" if gated.passed else "failed"
    accepted = gated.baseline.accepted.run if gated.baseline else None
    return (
        system,
        header.suite.id,
        _link(outcome, addresses.gate(system)),
        accepted,
        _link(header.name if header.label else header.id, addresses.run(header.id)),
    )


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


def list_runs(entries: Sequence[RunEntry], addresses: Addresses) -> Table:
    """List runs, the newest first."""
    columns: dict[Column, Callable[[RunEntry], Any]] = {
        Column("run", CellKind.ID): lambda each: _link(each.id, addresses.run(each.id)),
        Column("suite"): lambda each: _link(each.suite, addresses.suite(each.suite)),
        Column("system"): lambda each: each.system,
        Column("label"): lambda each: each.label or None,
        Column("commit", CellKind.ID): lambda each: each.commit[:10] or None,
        Column("queries", CellKind.COUNT): lambda each: each.queries,
        Column("state"): lambda each: str(each.state),
        Column("started"): lambda each: each.started[:19].replace("T", " "),
    }
    return Table(*tabulate([*reversed(entries)], columns), labels=4)
