"""Baselines: an accepted run that later runs are compared with.

A baseline holds, for every query, its hash, its status, the rank of its first right hit and its
values. If the values varied between repetitions, each is kept with how often it was seen. It names
who accepted it, when, why and at which commit, and remembers the baselines before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.comparisons import (
    CompareOptions,
    compare_pairs,
    find_headline,
    pair_arms,
    take_answered,
)
from cranfield.measures import MeasureColumn, parse_measure
from cranfield.model import Query, Status
from cranfield.runs.records import AskedSuite, Outcomes, RunHeader
from cranfield.runs.runner import Run
from cranfield.runs.summaries import take_percentiles
from cranfield.runs.truth import answers_of
from cranfield.statistics import TIE_TOLERANCE
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.comparisons import PairedRuns, QueryChange, SuiteComparison

__all__ = [
    "JUDGING_COMMAND",
    "Accepted",
    "Baseline",
    "BaselineArm",
    "BaselineQuery",
    "compare_with_baselines",
    "make_arm",
    "make_baseline",
    "name_corpus",
    "name_files",
    "pair_baseline",
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


JUDGING_COMMAND = "cranfield judge"
_NAMES = ("the baseline", "this run")


@dataclass(frozen=True, slots=True)
class BaselineArm(Run):
    """The accepted run of a baseline: outcomes from its file, and answers that may be gone."""

    known: Outcomes

    def outcomes(self) -> Outcomes:
        """The outcome of every query, as it was accepted."""
        return self.known


def make_arm(baseline: Baseline, run: Run) -> BaselineArm:
    """Make the arm that a run is compared with.

    A baseline keeps the hashes of its queries and not what they ask: the queries are the run's,
    with the right answers that a database named when the baseline was accepted. So is their order,
    and that of the measures: the headline is the run's. Queries that the run lacks come last.
    """
    outcomes = run.outcomes()
    known = {query.hash: query for query in baseline.queries}
    asked = zip(outcomes.queries, outcomes.hashes, strict=True)
    shared = {key: _with_truth(query, known[key]) for query, key in asked if key in known}
    gone = {key: _gone(query) for key, query in known.items() if key not in shared}
    queries = {**shared, **gone}
    own = [name for name in run.header.measures if name in baseline.measures]
    measures = tuple(dict.fromkeys((*own, *baseline.measures)))
    header = RunHeader(
        id=baseline.accepted.run,
        asked=AskedSuite(
            replace(
                run.header.suite,
                query_class=baseline.query_class,
                queries=tuple(queries.values()),
            ),
            tuple(queries),
        ),
        system=baseline.system,
        spec={},
        measures=measures,
        limit=baseline.limit,
        repeats=baseline.repeats,
        truth=run.header.truth,
    )
    rows = [known[key] for key in queries]
    return BaselineArm(header, run.store, _outcomes(rows, queries, measures))


def _with_truth(query: Query, known: BaselineQuery) -> Query:
    return replace(query, expect={**query.expect, **known.truth}) if known.truth else query


def _gone(known: BaselineQuery) -> Query:
    """Return what is left of a query that the suite no longer has."""
    return Query(known.id, "", category=known.category)


def _outcomes(
    rows: Sequence[BaselineQuery], queries: Mapping[str, Query], measures: Sequence[str]
) -> Outcomes:
    repeats = max((each.repeats for each in rows), default=1)
    values = np.full((len(rows), len(measures)), np.nan)
    # A query that was answered less often than others has rows without any value, which are left
    # out like those of answers that could not be graded.
    by_repeat = np.full((repeats, *values.shape), np.nan)
    failed = np.zeros((repeats, len(rows)), dtype=np.bool_)
    for place, each in enumerate(rows):
        failed[:, place] = not each.is_answered
        for column, name in enumerate(measures):
            if name in each.values:
                values[place, column] = each.values[name]
                seen = each.repetitions(name)
                by_repeat[: len(seen), place, column] = seen
    return Outcomes(
        queries=tuple(queries.values()),
        hashes=tuple(queries),
        values=values,
        by_repeat=by_repeat,
        failed=failed,
        reasons={},
        statuses=tuple(Status(each.status) if each.status else None for each in rows),
        first_ranks=tuple(each.rank for each in rows),
        seconds=np.full(len(rows), np.nan),
        missing=0,
    )


def pair_baseline(run: Run, baseline: Baseline) -> PairedRuns | None:
    """Pair a run with its baseline, on the queries that are still the same.

    None if the baseline has not the headline of the run: nothing could be decided.
    """
    if str(find_headline(run)) not in baseline.measures:
        return None
    return pair_arms(make_arm(baseline, run), run, advice=f"`{JUDGING_COMMAND}`")


def compare_with_baselines(
    pairs: Sequence[PairedRuns | None], known: Sequence[Mapping[int, QueryChange]] = ()
) -> list[SuiteComparison | None]:
    """Compare runs with their baselines as `compare` does, corrected together.

    None if they could not be paired.
    """
    paired = [pair for pair in pairs if pair is not None]
    options = CompareOptions(headline_only=True)
    made = iter(compare_pairs(paired, [_NAMES] * len(paired), options, known))
    return [None if pair is None else next(made) for pair in pairs]
