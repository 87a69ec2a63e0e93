"""How sure the change of a query is: can it be told at all, and does it exceed noise?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from cranfield.statistics import TIE_TOLERANCE, Verdict, VerdictKind, rank_sum_p_less

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cranfield.model import Query, Status

__all__ = [
    "MOST_FAILED",
    "MOST_OPEN",
    "NOTHING_IS_RIGHT",
    "SIGNIFICANCE_LEVEL",
    "ArmFailures",
    "Direction",
    "OpenQueries",
    "can_detect_drop",
    "chance_of_drop",
    "classify_change",
    "find_failures",
    "find_open_queries",
    "refuse_open",
    "refuse_verdict",
    "repeats_needed",
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


SIGNIFICANCE_LEVEL = 0.01
"""The level of the test alone; the other two rules add to it if repetitions are few."""
_MOST_REPEATS = 100
_MOST_TESTED = 250
"""Of more repetitions, so many are tested, taken at equal steps from the lowest to the highest."""
_HALF = 2

Repetitions: TypeAlias = tuple[float, ...]


class Direction(StrEnum):
    """Where a query went from A to B."""

    WORSE = "worse"
    IMPROVED = "improved"
    SAME = "the same"


def classify_change(before: Repetitions, after: Repetitions) -> Direction:
    """Classify a query by its values in A and in B."""
    before, after = tuple(sorted(before)), tuple(sorted(after))
    if _has_dropped(before, after):
        return Direction.WORSE
    if _has_dropped(_negate(before), _negate(after)):
        return Direction.IMPROVED
    return Direction.SAME


def chance_of_drop(before: Repetitions, after: Repetitions) -> float:
    """Return the chance of values this low if nothing had changed: the p-value of the test."""
    return _test(tuple(sorted(before)), tuple(sorted(after)))


def can_detect_drop(before: Repetitions, repeats: int) -> bool:
    """Return whether a loss could be detected at all: if every repetition scored zero.

    If A scored zero itself, there is nothing to lose and nothing to detect.
    """
    return _has_dropped(tuple(sorted(before)), (0.0,) * repeats)


def repeats_needed(before: Repetitions) -> int | None:
    """Find how many repetitions would make a loss detectable; None if too many."""
    counts = range(1, _MOST_REPEATS)
    return next((count for count in counts if can_detect_drop(before, count)), None)


@lru_cache(maxsize=20_000)
def _has_dropped(before: Repetitions, after: Repetitions) -> bool:
    """Return whether sorted repetitions are lower than others, by the rules of this module."""
    lower = sum(value < before[0] - TIE_TOLERANCE for value in after)
    is_steady = before[-1] - before[0] <= TIE_TOLERANCE
    if lower == len(after) or (is_steady and _HALF * lower >= len(after)):
        return True
    # Nothing to test if nothing is lower than the best value of A.
    return after[0] < before[-1] - TIE_TOLERANCE and _test(before, after) < SIGNIFICANCE_LEVEL


@lru_cache(maxsize=20_000)
def _test(before: Repetitions, after: Repetitions) -> float:
    return rank_sum_p_less(_thin(before), _thin(after))


def _thin(values: Repetitions) -> Repetitions:
    if len(values) <= _MOST_TESTED:
        return values
    return tuple(values[len(values) * step // _MOST_TESTED] for step in range(_MOST_TESTED))


def _negate(values: Repetitions) -> Repetitions:
    return tuple(-value for value in reversed(values))
