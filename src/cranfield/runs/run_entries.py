"""Runs as lists show them: read without their suites and answers, with their headlines."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from sqlalchemy import select

from cranfield.errors import CranfieldError
from cranfield.measures import parse_measure
from cranfield.runs.records import RunState
from cranfield.runs.store_schema import answers, runs
from cranfield.runs.summaries import mean_of_defined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

__all__ = [
    "ENTRIES",
    "RunEntry",
    "SuiteSize",
    "compute_headline",
    "read_entry",
    "read_size",
    "store_headline",
]


class RunEntry(NamedTuple):
    """A run in a list: what it is of, how far it is, and the mean of its headline measure.

    `suite` is the id of the suite, `queries` how many it has. `headline` is None if the run is
    unfinished, if the mean is undefined, or if it is not stored.
    """

    id: str
    suite: str
    query_class: str
    queries: int
    system: str
    label: str
    state: RunState
    started: str
    batch: str
    selection: str
    commit: str
    measure: str
    headline: float | None

    @property
    def is_whole(self) -> bool:
        """Whether the whole suite was run, to the end."""
        return self.state is not RunState.RUNNING and not self.selection


class _Header(msgspec.Struct):
    """What a list reads of a stored header."""

    measures: tuple[str, ...]
    repeats: int = 1
    started: str = ""
    batch: str = ""
    selection: str = ""
    surroundings: dict[str, str] = {}


class _Suite(msgspec.Struct):
    query_class: str
    queries: list[msgspec.Raw]


class _Asked(msgspec.Struct):
    suite: _Suite


@dataclass(frozen=True, slots=True)
class SuiteSize:
    """The class of a suite, and how many queries it has."""

    query_class: str
    queries: int


_STATES = {str(state): state for state in RunState}
ENTRIES = select(
    runs.c.id,
    runs.c.label,
    runs.c.suite,
    runs.c.suite_hash,
    runs.c.system,
    runs.c.state,
    runs.c.header,
)
"""What is read of a run for a list, but for its headline, which an older store has not."""
_HEADER = msgspec.json.Decoder(_Header)
_ASKED = msgspec.json.Decoder(_Asked)
_FIGURES = msgspec.json.Decoder(tuple[float | None, ...])


def read_size(content: str) -> SuiteSize:
    """Read of a stored suite how large it is."""
    suite = _ASKED.decode(content).suite
    return SuiteSize(suite.query_class, len(suite.queries))


def read_entry(row: Any, size: SuiteSize) -> RunEntry:
    """Read a run for a list, a row of `ENTRIES`; raises ValueError for what was not written so."""
    run, label, suite, _, system, state, header, headline = row
    known = _HEADER.decode(header)
    if not known.measures:
        raise ValueError(f"run {run} has no measure")
    if headline is not None and not isinstance(headline, float):
        raise ValueError(f"run {run} has the headline {headline!r}")
    return RunEntry(
        run,
        suite,
        size.query_class,
        size.queries,
        system,
        label,
        _STATES[state],
        known.started,
        known.batch,
        known.selection,
        known.surroundings.get("commit", ""),
        known.measures[0],
        headline,
    )


def store_headline(connection: Connection, run: str, header: str) -> None:
    """Compute the headline of a finished run, and store it; it stays null if that is impossible.

    A measure of another package may not be installed here, and an older store may be damaged.
    """
    value = None
    with suppress(ValueError, TypeError, CranfieldError):
        value = compute_headline(connection, run, header)
    connection.execute(runs.update().where(runs.c.id == run).values(headline=value))


def compute_headline(connection: Connection, run: str, header: str) -> float | None:
    """Compute the mean of a run's first measure; None if it is undefined."""
    known = _HEADER.decode(header)
    query = select(answers.c.place, answers.c.figures).where(answers.c.run == run)
    rows = connection.execute(query.order_by(answers.c.place, answers.c.repeat))
    by_repeat = _by_repeat(rows, known.repeats)
    mean = mean_of_defined(parse_measure(known.measures[0]), by_repeat.mean(axis=0))
    return mean if isinstance(mean, float) else None


def _by_repeat(rows: Iterable[Any], repeats: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return a row for each repetition; a query that lacks one is undefined, and left out."""
    values: dict[int, list[float]] = {}
    for place, figures in rows:
        value = _FIGURES.decode(figures)[0]
        values.setdefault(place, []).append(nan if value is None else value)
    whole = [each for each in values.values() if len(each) == repeats]
    # Contiguous, so means are added in the same order as those of all measures.
    return np.ascontiguousarray(np.array(whole).reshape(-1, repeats).T)
