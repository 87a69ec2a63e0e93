"""Queries that a comparison cannot decide: not answered, or dependent on unjudged hits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.statistics import Verdict, VerdictKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cranfield.model import Query, Status

__all__ = [
    "MOST_FAILED",
    "MOST_OPEN",
    "NOTHING_IS_RIGHT",
    "ArmFailures",
    "OpenQueries",
    "find_failures",
    "find_open_queries",
    "refuse_open",
    "refuse_verdict",
]

MOST_FAILED = 0.1
"""If an arm failed to answer a larger share of the queries, there is no verdict."""


@dataclass(frozen=True, slots=True)
class ArmFailures:
    """The queries of a comparison that one arm did not answer, counted by status."""

    name: str
    queries: int
    statuses: Mapping[Status, int]
    ids: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many queries failed."""
        return len(self.ids)

    @property
    def is_too_many(self) -> bool:
        """Whether so many failed that the rest says nothing about the whole."""
        return self.count > MOST_FAILED * self.queries

    def __str__(self) -> str:
        return f"{self.count} of {self.queries} queries failed in {self.name}"


def find_failures(
    name: str, queries: Sequence[Query], statuses: Sequence[Status | None]
) -> ArmFailures:
    """Count what an arm did not answer."""
    failed = [
        (query.id, status)
        for query, status in zip(queries, statuses, strict=True)
        if status is not None and status.is_failure
    ]
    counts = Counter(status for _, status in failed)
    ids = tuple(query_id for query_id, _ in failed)
    return ArmFailures(name, len(queries), dict(sorted(counts.items())), ids)


def refuse_verdict(failures: Iterable[ArmFailures]) -> Verdict | None:
    """Return the verdict if too many queries failed in an arm; None if the others may decide."""
    found = [str(each) for each in failures if each.is_too_many]
    return Verdict(VerdictKind.CANNOT_TELL, reason=", ".join(found)) if found else None


MOST_OPEN = MOST_FAILED
"""If a larger share of the queries depends on unjudged hits, there is no verdict."""

NOTHING_IS_RIGHT = Verdict(
    VerdictKind.CANNOT_TELL,
    reason="nothing says what is right: judge hits with `cranfield judge`, or write into the "
    "suite what to expect",
)
"""The verdict on a list of queries without right answers, whatever their measures say."""


@dataclass(frozen=True, slots=True)
class OpenQueries:
    """The answered queries of a comparison whose value depends on unjudged hits."""

    queries: int
    ids: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many queries are open."""
        return len(self.ids)

    @property
    def is_too_many(self) -> bool:
        """Whether so many are open that the rest says nothing about the whole."""
        return self.count > MOST_OPEN * self.queries

    def __str__(self) -> str:
        depend = "depends" if self.count == 1 else "depend"
        return f"{self.count} of {self.queries} queries {depend} on unjudged hits"


def find_open_queries(queries: Sequence[Query], is_open: NDArray[np.bool_]) -> OpenQueries:
    """Name the queries that are open."""
    pairs = zip(queries, is_open.tolist(), strict=True)
    return OpenQueries(len(queries), tuple(query.id for query, each in pairs if each))


def refuse_open(found: OpenQueries, advice: str) -> Verdict | None:
    """Return the verdict if too many queries are open; None if the others may decide.

    `advice` says what judges the hits that decide.
    """
    if not found.is_too_many:
        return None
    remedy = f'judge them with {advice}, or set holes = "irrelevant" in [judging]'
    return Verdict(VerdictKind.CANNOT_TELL, reason=f"{found}; {remedy}")
