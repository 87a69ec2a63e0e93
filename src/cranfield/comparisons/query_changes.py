"""What became of each query: its ranks and values in both arms, and the one bucket it lands in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.errors import ComparisonError
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.comparisons.paired_runs import PairedRuns
    from cranfield.measures import Measure
    from cranfield.model import Query, Status
    from cranfield.runs import Outcomes

__all__ = ["Bucket", "QueryChange", "bucket_of", "find_changes"]


class Bucket(StrEnum):
    """How the rank of the first right hit changed from A to B."""

    ADDED = "added"
    """Not found in A, found in B."""

    FIXED = "fixed"
    """Found below rank 1 in A, at rank 1 in B."""

    IMPROVED = "improved"
    """Found in both, higher in B, or with a higher value."""

    UNCHANGED_FIRST = "unchanged at rank 1"
    UNCHANGED_BELOW = "unchanged below"
    DEGRADED = "degraded"
    """Found in both, lower in B, or with a lower value."""

    REMOVED = "removed from rank 1"
    """At rank 1 in A, found below in B."""

    LOST = "lost"
    """Found in A, not found in B."""

    NEVER = "never found"
    FAILED = "not answered"
    """An arm failed to answer: what it would have found is not known."""

    UNGRADED = "not graded"
    """The answer of an arm could not be graded: whether it is right is not known."""

    UNJUDGED = "not judged"
    """Hits that nobody judged decide: whether B is better or worse is not known."""

    @property
    def is_undecided(self) -> bool:
        """Whether it is not known what became of the query."""
        return self in (Bucket.FAILED, Bucket.UNGRADED, Bucket.UNJUDGED)

    @property
    def is_loss(self) -> bool:
        """Whether B is worse for the query."""
        return self in (Bucket.DEGRADED, Bucket.REMOVED, Bucket.LOST)

    @property
    def is_change(self) -> bool:
        """Whether B differs from A for the query."""
        return self.is_loss or self in (Bucket.ADDED, Bucket.FIXED, Bucket.IMPROVED)


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One query in both arms.

    `difference` is the headline measure in B minus that in A; 0 if either has no value or did not
    answer, or if judgments are missing. `failed` says that an arm did not answer, `changed` that
    its bucket is a change, or that the arms failed differently. `lost_checks` are the checks, as
    measures, that held better in A: whatever else became of the query, it is a loss.
    """

    query: Query
    rank_a: int | None
    rank_b: int | None
    status_a: Status
    status_b: Status
    values_a: Mapping[Measure, float | None]
    values_b: Mapping[Measure, float | None]
    headline: Measure
    difference: float
    bucket: Bucket
    failed: bool
    changed: bool
    lost_checks: tuple[Measure, ...] = ()


class _Arm:
    """One arm of the comparison, its figures as Python has them."""

    def __init__(self, measures: tuple[Measure, ...], outcomes: Outcomes) -> None:
        self.measures = measures
        self.outcomes = outcomes
        self._figures: list[list[float | None]] = outcomes.values.tolist()
        for place in np.flatnonzero(np.isnan(outcomes.values).any(axis=1)).tolist():
            self._figures[place] = outcomes.figures(place)

    def status(self, place: int) -> Status:
        """Return how a query was answered."""
        status = self.outcomes.statuses[place]
        if status is None:
            raise ComparisonError("a run without an answer to every query cannot be compared")
        return status

    def values(self, place: int) -> dict[Measure, float | None]:
        """Return the values of a query by measure, None if undefined."""
        return dict(zip(self.measures, self._figures[place], strict=True))


def find_changes(runs: PairedRuns) -> tuple[QueryChange, ...]:
    """Return every paired query, in the order of A."""
    a, b = _Arm(runs.a.measures, runs.outcomes_a), _Arm(runs.b.measures, runs.outcomes_b)
    rules = _Rules(
        runs.quality_measures[0],
        tuple(
            each
            for each in a.measures
            if (each.is_check or each.covers_checks) and each in b.measures
        ),
    )
    places = zip(runs.places_a, runs.places_b, _find_undecided(runs), strict=True)
    return tuple(
        _change((a, at_a), (b, at_b), rules, undecided) for at_a, at_b, undecided in places
    )


def _find_undecided(runs: PairedRuns) -> list[Bucket | None]:
    """Return the buckets of the pairs that nothing can be said of, None for all others."""
    known = zip(*runs.statuses, runs.ungraded.tolist(), runs.not_judged.tolist(), strict=True)
    return [
        Bucket.FAILED
        if any(status is not None and status.is_failure for status in statuses)
        else Bucket.UNGRADED
        if is_ungraded
        else Bucket.UNJUDGED
        if is_not_judged
        else None
        for *statuses, is_ungraded, is_not_judged in known
    ]


class _Rules(NamedTuple):
    """The measures that decide what became of a query."""

    headline: Measure
    checks: tuple[Measure, ...]


def _change(
    first: tuple[_Arm, int], second: tuple[_Arm, int], rules: _Rules, undecided: Bucket | None
) -> QueryChange:
    (arm_a, at_a), (arm_b, at_b) = first, second
    status_a, status_b = arm_a.status(at_a), arm_b.status(at_b)
    rank_a, rank_b = arm_a.outcomes.first_ranks[at_a], arm_b.outcomes.first_ranks[at_b]
    values_a, values_b = arm_a.values(at_a), arm_b.values(at_b)
    a, b = values_a.get(rules.headline), values_b.get(rules.headline)
    difference = 0.0 if undecided or a is None or b is None else b - a
    checks = {} if undecided else _check_differences(values_a, values_b, rules.checks)
    bucket = undecided or bucket_of(rank_a, rank_b, difference, tuple(checks.values()))
    failed = bucket is Bucket.FAILED
    return QueryChange(
        query=arm_a.outcomes.queries[at_a],
        rank_a=rank_a,
        rank_b=rank_b,
        status_a=status_a,
        status_b=status_b,
        values_a=values_a,
        values_b=values_b,
        headline=rules.headline,
        difference=difference,
        bucket=bucket,
        failed=failed,
        changed=bucket.is_change or (failed and status_a != status_b),
        lost_checks=tuple(check for check, gain in checks.items() if gain < -TIE_TOLERANCE),
    )


def _check_differences(
    values_a: Mapping[Measure, float | None],
    values_b: Mapping[Measure, float | None],
    checks: tuple[Measure, ...],
) -> dict[Measure, float]:
    """Return the gain of each check that both arms have a value of."""
    return {
        measure: b - a
        for measure in checks
        if (a := values_a[measure]) is not None and (b := values_b[measure]) is not None
    }


def bucket_of(
    rank_a: int | None,
    rank_b: int | None,
    difference: float = 0.0,
    checks: tuple[float, ...] = (),
) -> Bucket:
    """Return the bucket of a query by the rank of its first right hit, None if not found.

    `difference` is the gain in the class's headline measure. If it changed and the rank did not,
    or changed in the opposite direction, the query is improved or degraded as the measure says.
    `checks` are the gains of what else is expected: a check that was lost is a loss, whatever was
    gained; one that was gained is an improvement if nothing else changed.
    """
    bucket = _by_difference(rank_a, rank_b, difference)
    if min(checks, default=0.0) < -TIE_TOLERANCE and not bucket.is_loss:
        return Bucket.DEGRADED
    if max(checks, default=0.0) > TIE_TOLERANCE and not bucket.is_change:
        return Bucket.IMPROVED
    return bucket


def _by_difference(rank_a: int | None, rank_b: int | None, difference: float) -> Bucket:
    bucket = _by_rank(rank_a, rank_b)
    if difference > TIE_TOLERANCE and (bucket.is_loss or not bucket.is_change):
        return Bucket.IMPROVED
    if difference < -TIE_TOLERANCE and not bucket.is_loss:
        return Bucket.DEGRADED
    return bucket


def _by_rank(rank_a: int | None, rank_b: int | None) -> Bucket:
    if rank_a is None:
        return Bucket.NEVER if rank_b is None else Bucket.ADDED
    if rank_b is None:
        return Bucket.LOST
    if rank_a == rank_b:
        return Bucket.UNCHANGED_FIRST if rank_a == 1 else Bucket.UNCHANGED_BELOW
    if rank_a == 1:
        return Bucket.REMOVED
    if rank_b == 1:
        return Bucket.FIXED
    return Bucket.IMPROVED if rank_b < rank_a else Bucket.DEGRADED
