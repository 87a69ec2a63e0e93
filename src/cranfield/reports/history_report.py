"""The report of a suite over time: each measure over its runs, and each query's rank in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cranfield.formats import (
    CellKind,
    Chart,
    Column,
    Report,
    Section,
    Series,
    Table,
    count_of,
    show_value,
)
from cranfield.reports.store_reports import finished_runs, list_runs
from cranfield.runs.runner import Run
from cranfield.runs.summaries import summarise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Query
    from cranfield.reports.store_reports import Addresses
    from cranfield.runs.records import RunHeader
    from cranfield.runs.run_entries import RunEntry
    from cranfield.runs.store import Store

__all__ = ["report_suite_history"]

_MOST_RANKS = 12
_MOST_POINTS = 60
_RELEASE = re.compile(r"v?\d+(\.\d+)+([-+.]?[0-9A-Za-z]+)*")
"""A label that is a version, such as v1.2 or 1.2.0-rc1, is that of a release."""


def report_suite_history(store: Store, suite: str, addresses: Addresses) -> Report:
    """Report each measure of a suite over its runs, and the rank of each query in the newest."""
    headers = [header for header in finished_runs(store.headers()) if header.suite.id == suite]
    runs = [Run(header, store) for header in headers]
    description = headers[-1].suite.description if headers else ""
    return Report(
        kind="history",
        title=suite,
        lead=" ".join(filter(None, [description, f"{count_of(len(runs), 'finished run')}."])),
        make_charts=lambda: _history_charts(runs),
        sections=(
            Section("Rank of the first right hit", (_ranks(runs[-_MOST_RANKS:]),)),
            Section("Runs", (list_runs(_entries(store, suite), addresses),)),
        ),
        make_data=lambda: {"kind": "history", "suite": suite},
    )


def _entries(store: Store, suite: str) -> list[RunEntry]:
    return [each for each in store.entries() if each.suite == suite and each.is_whole]


def _history_charts(runs: Sequence[Run]) -> tuple[Chart, ...]:
    """Draw each measure over the runs, a line for each system; releases are marked."""
    newest = runs[-_MOST_POINTS:]
    means = [(run.header, summarise(run).overall.means) for run in newest]
    moments = {each: place for place, each in enumerate(dict.fromkeys(map(_moment, newest)))}
    marks = tuple((float(moments[each]), each) for each in moments if _RELEASE.fullmatch(each))
    names = dict.fromkeys(str(measure) for _, values in means for measure in values)
    return tuple(_history_chart(name, newest, means, moments, marks) for name in names)


def _moment(run: Run) -> str:
    """Name when a run was made: by its label, which others may share, or by its day and commit."""
    header = run.header
    commit = header.surroundings.get("commit", "")
    at = f", {commit[:7]}" if commit else ""
    return header.label or f"{header.started[:10]} {header.id[-4:]}{at}"


def _history_chart(
    name: str,
    runs: Sequence[Run],
    means: Sequence[tuple[RunHeader, Mapping[Measure, Any]]],
    moments: Mapping[str, int],
    marks: tuple[tuple[float, str], ...],
) -> Chart:
    series: dict[str, list[tuple[str, tuple[float, ...]]]] = {}
    for run, (header, values) in zip(runs, means, strict=True):
        value = {str(measure): each for measure, each in values.items()}.get(name)
        if isinstance(value, float):
            moment = _moment(run)
            series.setdefault(header.system, []).append((moment, (float(moments[moment]), value)))
    drawn = tuple(Series(system, tuple(points)) for system, points in series.items())
    words = [
        f"{each.name}: {show_value(each.points[-1][1][1])} in the latest run" for each in drawn
    ]
    title = f"{name} over the runs"
    return Chart("lines", title, drawn, summary="; ".join(words), marks=marks)


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
        Column("query", CellKind.QUERY),
        *(
            Column(f"{run.header.system} {run.header.label or run.header.id[:11]}", CellKind.RANK)
            for run in runs
        ),
    )
    rows = [
        (query.text or query.id, *(each.get(query.id) for each in ranks))
        for query in sorted(asked.values(), key=lambda each: not _moved(each.id, ranks))
    ]
    note = "queries whose rank changed come first; – is no right hit"
    return Table(columns, tuple(rows), labels=1, notes=(note,))


def _moved(query: str, ranks: Sequence[Mapping[str, int | None]]) -> bool:
    return len({each[query] for each in ranks if query in each}) > 1
