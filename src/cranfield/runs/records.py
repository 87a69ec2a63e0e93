"""A run as it is recorded: its header, and one answer for each query and repetition."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec reads annotations at run time
from dataclasses import dataclass, field
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.defaults import HITS
from cranfield.model import Response, Suite  # noqa: TC001 - msgspec reads annotations at run time
from cranfield.relevance import is_without_judgments, leaves_holes_out
from cranfield.systems import FileFingerprint  # noqa: TC001 - likewise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cranfield.model import Query, Status

__all__ = ["Answer", "AskedSuite", "Outcomes", "RunHeader", "RunState", "TruthSource"]


class RunState(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    """It is under way, or was stopped and can be resumed."""

    COMPLETE = "complete"
    CHANGED = "changed"
    """Complete, but the system's files are not what they were before."""


@dataclass(frozen=True, slots=True)
class AskedSuite:
    """The queries that are run, and the hash of each as it was written.

    Expectations on the system's own database are resolved here already.
    """

    suite: Suite
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TruthSource:
    """A database that named right answers: of a system, or of the suite if `system` is empty."""

    system: str
    database: str
    sha256: str

    def __str__(self) -> str:
        owner = f"the system {self.system}" if self.system else "the suite"
        return f"{self.database} of {owner} ({self.sha256[:12]})"


@dataclass(frozen=True, slots=True)
class RunHeader:
    """One suite run on one system.

    `measures` are the columns of all values. `files` are fingerprints of the system's
    files, `surroundings` facts about the machine. Runs of one command share a `batch`. If only a
    part of the suite was run, `selection` names it. `changes` are files that changed during the
    run, `notices` demands of queries and rules that the answers may not have met for another reason
    than their quality. `truth` are the databases that were asked for right answers, if any was.
    """

    id: str
    asked: AskedSuite
    system: str
    spec: Mapping[str, Any]
    measures: tuple[str, ...]
    limit: int = HITS
    repeats: int = 1
    label: str = ""
    files: Mapping[str, FileFingerprint] = field(default_factory=dict)
    surroundings: Mapping[str, str] = field(default_factory=dict)
    state: RunState = RunState.RUNNING
    started: str = ""
    finished: str = ""
    changes: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    batch: str = ""
    selection: str = ""
    truth: tuple[TruthSource, ...] = ()

    @property
    def suite(self) -> Suite:
        """The suite that was run."""
        return self.asked.suite

    @property
    def warnings(self) -> tuple[str, ...]:
        """What casts doubt on the figures, whatever they are."""
        return (*self.changes, *self.notices)

    @property
    def name(self) -> str:
        """The name of the run in reports: its label, or its system without one."""
        return self.label or self.system


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with its measured values.

    `values` are in the order of the header's measures, None if undefined; `reasons` says why, by
    column.
    `first_rank` is the rank of the first right hit. `place` is the query's place in the suite.
    """

    place: int
    repeat: int
    response: Response
    values: tuple[float | None, ...]
    reasons: Mapping[int, str]
    first_rank: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcome of every query of a run, without the hits: columns in the order of the suite.

    `values` has a row for each query and a column for each measure, NaN if undefined, as means
    over the repetitions; `by_repeat` has the values of each repetition, and `failed` whether it
    failed. Statuses and ranks are those of the first repetition, but a query that failed in any
    repetition counts as failed.
    """

    queries: tuple[Query, ...]
    hashes: tuple[str, ...]
    values: NDArray[np.float64]
    by_repeat: NDArray[np.float64]
    failed: NDArray[np.bool_]
    reasons: Mapping[tuple[int, int], str]
    statuses: tuple[Status | None, ...]
    first_ranks: tuple[int | None, ...]
    seconds: NDArray[np.float64]
    missing: int
    """The number of answers that are still missing."""

    @property
    def is_unanswered(self) -> bool:
        """Whether no repetition of any query was answered."""
        return all(
            status is None or bool(self.failed[:, place].all())
            for place, status in enumerate(self.statuses)
        )

    @property
    def ungraded(self) -> Mapping[int, str]:
        """The places of answered queries that no measure has a value of, with the reason.

        A query that was not graded in one of its repetitions has no mean over them. One that waits
        for judgments is not among them (`find_open`).
        """
        without = [at for at, row in enumerate(self.values.tolist()) if all(map(isnan, row))]
        places = {
            place
            for place in without
            if self._is_answered(place) and not leaves_holes_out(self.queries[place])
        }
        if not places:
            return {}
        reasons = dict.fromkeys(sorted(places), "no measure has a value")
        for (place, _), reason in reversed([*self.reasons.items()]):
            if place in places:
                reasons[place] = reason
        return reasons

    def find_open(self, column: int) -> list[int]:
        """Return the places of answered queries whose value depends on unjudged hits.

        `column` is that of the measure. A query of which nobody has judged anything is open
        whatever was answered: nothing is known to be right.
        """
        return [
            place
            for place, query in enumerate(self.queries)
            if leaves_holes_out(query)
            and self._is_answered(place)
            and (is_without_judgments(query) or isnan(self.values[place, column]))
        ]

    def _is_answered(self, place: int) -> bool:
        status = self.statuses[place]
        return status is not None and not status.is_failure

    def figures(self, place: int) -> list[float | None]:
        """Return one query's values, None if undefined."""
        return [None if isnan(value) else value for value in self.values[place].tolist()]
