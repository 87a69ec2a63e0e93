"""Baselines: an accepted run that later runs are compared with.

A baseline holds, for every query, its hash, its status, the rank of its first right hit and its
values. If the values varied between repetitions, each is kept with how often it was seen. It names
who accepted it, when, why and at which commit, and remembers the baselines before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.comparisons import take_answered
from cranfield.measures import MeasureColumn, parse_measure
from cranfield.model import Status
from cranfield.runs.summaries import take_percentiles
from cranfield.runs.truth import answers_of
from cranfield.statistics import TIE_TOLERANCE
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from cranfield.runs.records import Outcomes, RunHeader
    from cranfield.runs.runner import Run

__all__ = [
    "Accepted",
    "Baseline",
    "BaselineQuery",
    "make_baseline",
    "name_corpus",
    "name_files",
]

_MOST_HISTORY = 200
"""The number of earlier baselines that a baseline remembers, the newest."""
_DIGITS = 6
_EQUAL_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Accepted:
    """A baseline in the history: who accepted which run, when and why, and its means.

    `latency` is how long its answers took on the machine that ran it, in seconds by percentile.
    """

    run: str
    date: str
    author: str
    reason: str
    commit: str = ""
    means: dict[str, float] = field(default_factory=dict)
    latency: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BaselineQuery:
    """One query: `values` by measure, means over the `repeats` that were answered.

    If a measure did not have the same value in all of them, `seen` counts each value.
    """

    id: str
    hash: str
    category: str
    status: str
    rank: int | None
    values: dict[str, float]
    repeats: int = 1
    seen: dict[str, dict[str, int]] = field(default_factory=dict)
    truth: dict[str, Any] = field(default_factory=dict)
    """What a database named as right when the run was made, by rule."""

    @property
    def is_answered(self) -> bool:
        """Whether any repetition was answered; one that was not has no value above zero."""
        is_failed = not self.status or Status(self.status).is_failure
        return not is_failed or any(self.values.values())

    def repetitions(self, measure: str) -> tuple[float, ...]:
        """Return the values of a measure, one for each repetition that was answered."""
        if measure not in self.seen:
            return (self.values[measure],) * self.repeats
        counts = self.seen[measure].items()
        return tuple(float(value) for value, count in counts for _ in range(count))


@dataclass(frozen=True, slots=True)
class Baseline:
    """An accepted run that later runs are compared with."""

    suite: str
    suite_hash: str
    query_class: str
    name: str
    system: str
    limit: int
    repeats: int
    measures: tuple[str, ...]
    accepted: Accepted
    queries: tuple[BaselineQuery, ...]
    files: dict[str, str] = field(default_factory=dict)
    corpus: tuple[str, ...] = ()
    """Those of the files that are the corpus."""
    history: tuple[Accepted, ...] = ()


def make_baseline(
    run: Run,
    name: str,
    accepted: Mapping[str, str],
    before: Baseline | None = None,
    kept: Collection[str] = (),
) -> Baseline:
    """Make a baseline of a stored run; `before`, the baseline it replaces, goes into its history.

    Queries whose ids are in `kept` stay as they were before.
    """
    header = run.header
    outcomes = run.outcomes()
    history = (*before.history, before.accepted) if before else ()
    means = _means(outcomes, header.measures)
    times = take_percentiles(outcomes).items()
    latency = {name: round(seconds, _DIGITS) for name, seconds in times}
    old = {query.id: query for query in before.queries if query.id in kept} if before else {}
    queries = (_query(outcomes, place, header.measures) for place in _places(outcomes))
    names = name_files(header.files)
    return Baseline(
        suite=header.suite.id,
        suite_hash=hash_suite(header.suite),
        query_class=header.suite.query_class,
        name=name,
        system=header.system,
        limit=header.limit,
        repeats=header.repeats,
        measures=header.measures,
        accepted=Accepted(run=header.id, means=means, latency=latency, **accepted),
        queries=tuple(old.get(query.id, query) for query in queries),
        files={names[each]: found.sha256 for each, found in header.files.items()},
        corpus=name_corpus(header),
        history=history[-_MOST_HISTORY:],
    )


def name_files(paths: Iterable[str]) -> dict[str, str]:
    """Name the files of a system by names that are the same on every machine.

    A file of the project is named by its path from there. A file from elsewhere is named by its
    own name, with as many folders before it as make it unique.
    """
    parts = {path: PurePath(path).parts for path in paths}
    named: dict[str, str] = {}
    for path, own in parts.items():
        if not _is_elsewhere(path):
            named[path] = PurePath(path).as_posix()
            continue
        others = [each for other, each in parts.items() if other != path]
        least = next(
            (size for size in range(1, len(own)) if own[-size:] not in _ends(others, size)),
            len(own),
        )
        named[path] = PurePath(*own[-least:]).as_posix()
    return named


def name_corpus(header: RunHeader) -> tuple[str, ...]:
    """Name those of a system's files that are its corpus."""
    searched = [PurePath(each).parts for each in header.spec.get("corpus", ())]
    named = name_files(header.files)
    return tuple(
        name
        for path, name in named.items()
        # The corpus may be written as a whole path, and the files as paths in the project.
        if any(each[-len(PurePath(path).parts) :] == PurePath(path).parts for each in searched)
    )


def _is_elsewhere(path: str) -> bool:
    pure = PurePath(path)
    return pure.is_absolute() or ".." in pure.parts


def _ends(parts: Iterable[tuple[str, ...]], size: int) -> set[tuple[str, ...]]:
    return {each[-size:] for each in parts}


def _places(outcomes: Outcomes) -> range:
    return range(len(outcomes.queries))


def _means(outcomes: Outcomes, measures: tuple[str, ...]) -> dict[str, float]:
    """Return the figure of each measure as reports have it; without a value, a measure has none."""
    figures = {}
    for column, name in enumerate(measures):
        values = outcomes.values[:, column]
        defined = MeasureColumn(values[~np.isnan(values)])
        figures[name] = parse_measure(name).aggregate(defined)
    return {
        name: round(figure, _DIGITS)
        for name, figure in figures.items()
        if isinstance(figure, float)
    }


def _query(outcomes: Outcomes, place: int, measures: tuple[str, ...]) -> BaselineQuery:
    answered = take_answered(outcomes, place)
    rows = answered if len(answered) else outcomes.by_repeat[:, place]
    columns = {
        name: rows[:, column][~np.isnan(rows[:, column])] for column, name in enumerate(measures)
    }
    known = {name: column for name, column in columns.items() if len(column)}
    query, status = outcomes.queries[place], outcomes.statuses[place]
    return BaselineQuery(
        id=query.id,
        hash=outcomes.hashes[place],
        category=query.category,
        status=str(status) if status else "",
        rank=outcomes.first_ranks[place],
        values={name: float(column.mean()) for name, column in known.items()},
        repeats=len(rows),
        seen={
            name: _count(column)
            for name, column in known.items()
            if np.ptp(column) > TIE_TOLERANCE or len(column) < len(rows)
        },
        truth=answers_of(query),
    )


def _count(column: NDArray[np.float64]) -> dict[str, int]:
    """Count how often each value was seen, the highest first."""
    values, counts = np.unique(np.round(column, _EQUAL_DIGITS), return_counts=True)
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    return {repr(value): count for value, count in reversed(list(pairs))}
