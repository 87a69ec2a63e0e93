"""What became of each query from A to B: one rule for every report, gate and page.

A query is judged by what its suite expects of it: the value of the headline measure, and its checks
(a route, flags, `Pass`), each an expectation of its own. It got **worse** if the headline's value
or a check is lower in B, **improved** if none is lower and one is higher, and is **the same**
otherwise. A value that either arm lacks says nothing. The rank of the first right hit is a detail:
it only names the kind of change, the bucket. A query whose hit moved from rank 1 to 2 is the same
if its value is.

With repetitions, `QueryChange.beyond_noise` says whether it changed by more than the arms differ
from themselves (`significance`). Reports count every change; the rules of a gate count those
beyond noise. With one repetition each, these are the same queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.comparisons.certainty import (
    Direction,
    can_detect_drop,
    chance_of_drop,
    classify_change,
)
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.comparisons.paired_runs import PairedRuns
    from cranfield.measures import Measure
    from cranfield.model import Query, Status
    from cranfield.runs.records import Outcomes

__all__ = [
    "Bucket",
    "MeasureChange",
    "QueryChange",
    "bucket_of",
    "count_directions",
    "find_changes",
    "take_answered",
]


class Bucket(StrEnum):
    """What became of a query: where its value went, and in which way by its first right hit."""

    ADDED = "added"
    """Improved: not found in A, found in B."""

    FIXED = "fixed"
    """Improved: found below rank 1 in A, at rank 1 in B."""

    IMPROVED = "improved"
    """Improved in any other way."""

    UNCHANGED_FIRST = "unchanged at rank 1"
    """The same, at rank 1 in both."""

    UNCHANGED_BELOW = "unchanged below"
    """The same, found at least once, and not at rank 1 in both."""

    DEGRADED = "degraded"
    """Worse in any other way than the next two."""

    REMOVED = "removed from rank 1"
    """Worse: at rank 1 in A, found below in B."""

    LOST = "lost"
    """Worse: found in A, not found in B."""

    NEVER = "never found"
    """The same: neither arm found a right hit."""

    FAILED = "not answered"
    """An arm failed to answer: what it would have found is not known."""

    UNGRADED = "not graded"
    """The answer of an arm could not be graded: whether it is right is not known."""

    UNJUDGED = "not judged"
    """Unjudged hits decide: whether B is better or worse is not known."""

    @property
    def is_undecided(self) -> bool:
        """Whether it is not known what became of the query."""
        return self in (Bucket.FAILED, Bucket.UNGRADED, Bucket.UNJUDGED)

    @property
    def is_loss(self) -> bool:
        """Whether B is worse for the query."""
        return self in (Bucket.DEGRADED, Bucket.REMOVED, Bucket.LOST)

    @property
    def is_gain(self) -> bool:
        """Whether B improved the query."""
        return self in (Bucket.ADDED, Bucket.FIXED, Bucket.IMPROVED)

    @property
    def is_change(self) -> bool:
        """Whether B differs from A for the query."""
        return self.is_loss or self.is_gain

    @property
    def direction(self) -> Direction | None:
        """Where the query went; None if it is not known."""
        if self.is_undecided:
            return None
        if self.is_change:
            return Direction.WORSE if self.is_loss else Direction.IMPROVED
        return Direction.SAME


@dataclass(frozen=True, slots=True)
class MeasureChange:
    """One query by one of the measures it is judged by; `a` and `b` are means over repetitions.

    `direction` says whether it changed by more than noise; a value that B lacks counts as zero
    there. `is_lower` is whether the mean dropped, by noise or not. `is_undetectable` is whether the
    query has something to lose, but no loss could be detected, however deep.
    """

    measure: Measure
    a: float | None
    b: float | None
    repetitions_a: tuple[float, ...]
    repetitions_b: tuple[float, ...]
    direction: Direction
    is_lower: bool
    is_undetectable: bool

    @property
    def chance(self) -> float:
        """The chance of values this low if nothing had changed."""
        return chance_of_drop(self.repetitions_a, self.repetitions_b)


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One query in both arms.

    `difference` is the headline measure in B minus that in A; 0 if either has no value or did not
    answer, or if judgments are missing. `failed` says that an arm did not answer, `changed` that
    its bucket is a change, or that the arms failed differently. `lost_checks` are the checks, as
    measures, that held better in A: whatever else became of the query, it is a loss.

    `judged` is the query by each measure it is judged by, over the repetitions that were answered;
    the first decides: the first that got worse by more than noise, or else the first that improved.
    It is empty if there is nothing to compare.
    """

    query: Query
    rank_a: int | None
    rank_b: int | None
    status_a: Status | None
    status_b: Status | None
    values_a: Mapping[Measure, float | None]
    values_b: Mapping[Measure, float | None]
    headline: Measure
    difference: float
    bucket: Bucket
    failed: bool
    changed: bool
    lost_checks: tuple[Measure, ...] = ()
    judged: tuple[MeasureChange, ...] = ()

    @property
    def direction(self) -> Direction | None:
        """Where the query went, by noise or not; None if it is not known."""
        return self.bucket.direction

    @property
    def deciding(self) -> MeasureChange | None:
        """The measure that says where the query went by more than noise; None without any."""
        return self.judged[0] if self.judged else None

    @property
    def beyond_noise(self) -> Direction | None:
        """Where the query went by more than noise; None if there is nothing to compare."""
        return self.judged[0].direction if self.judged else None

    @property
    def is_repeated(self) -> bool:
        """Whether either arm asked it more than once, so noise could be seen."""
        return any(
            len(each.repetitions_a) > 1 or len(each.repetitions_b) > 1 for each in self.judged
        )


def count_directions(changes: Iterable[QueryChange]) -> dict[Direction, int]:
    """Count the queries by where they went; those of which it is not known are in none."""
    found = [change.direction for change in changes]
    order = (Direction.IMPROVED, Direction.WORSE, Direction.SAME)
    return {direction: found.count(direction) for direction in order}


class _Arm:
    """One arm of the comparison, its figures as Python has them."""

    def __init__(self, measures: tuple[Measure, ...], outcomes: Outcomes) -> None:
        self.measures = measures
        self.outcomes = outcomes
        self._figures: list[list[float | None]] = outcomes.values.tolist()
        for place in np.flatnonzero(np.isnan(outcomes.values).any(axis=1)).tolist():
            self._figures[place] = outcomes.figures(place)

    def values(self, place: int) -> dict[Measure, float | None]:
        """Return the values of a query by measure, None if undefined."""
        return dict(zip(self.measures, self._figures[place], strict=True))

    def repetitions(self, place: int) -> dict[Measure, NDArray[np.float64]]:
        """Return the values of each answered repetition by measure; empty if none was answered."""
        rows = take_answered(self.outcomes, place)
        if not len(rows):
            return {}
        return {measure: rows[:, column] for column, measure in enumerate(self.measures)}


def take_answered(outcomes: Outcomes, place: int) -> NDArray[np.float64]:
    """Return a row of values for each repetition of a query that was answered.

    A failed repetition says nothing about quality: in A, its zero would be taken for noise and
    hide losses; in B, it would be taken for a loss. Likewise one that could not be graded.
    """
    rows: NDArray[np.float64] = outcomes.by_repeat[~outcomes.failed[:, place], place]
    return rows[~np.isnan(rows).all(axis=1)]


def find_changes(
    runs: PairedRuns, known: Mapping[int, QueryChange] | None = None
) -> tuple[QueryChange, ...]:
    """Return every paired query, in the order of A.

    `known` are changes that were found already, by the place of the query in B.
    """
    known = known or {}
    a, b = _Arm(runs.a.measures, runs.outcomes_a), _Arm(runs.b.measures, runs.outcomes_b)
    headline = runs.quality_measures[0]
    both = [each for each in a.measures if each in b.measures]
    rules = _Rules(headline, tuple(each for each in both if each.is_check or each.covers_checks))
    is_open = runs.find_open(headline).tolist()
    places = zip(runs.places_a, runs.places_b, _find_undecided(runs), is_open, strict=True)
    found = []
    for at_a, at_b, undecided, waits in places:
        change = known.get(at_b)
        if change is None:
            judged = () if waits else _judge((a, at_a), (b, at_b), rules.judging)
            change = _change((a, at_a), (b, at_b), rules, undecided, judged)
        found.append(change)
    return tuple(found)


def _find_undecided(runs: PairedRuns) -> list[Bucket | None]:
    """Return the buckets of the pairs that nothing can be said of, None for all others."""
    known = zip(*runs.statuses, runs.ungraded.tolist(), runs.not_judged.tolist(), strict=True)
    return [
        Bucket.FAILED
        if any(status is None or status.is_failure for status in statuses)
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

    @property
    def judging(self) -> tuple[Measure, ...]:
        """All of them; `Pass` first, as it has all that is expected, then the headline."""
        covering = [each for each in self.checks if each.covers_checks]
        return tuple(dict.fromkeys((*covering, self.headline, *self.checks)))


def _judge(
    first: tuple[_Arm, int], second: tuple[_Arm, int], measures: Sequence[Measure]
) -> tuple[MeasureChange, ...]:
    """Compare the repetitions of one query by each measure that A has a value of."""
    (arm_a, at_a), (arm_b, at_b) = first, second
    before, after = arm_a.repetitions(at_a), arm_b.repetitions(at_b)
    if not (before and after):
        return ()
    # A mean over all repetitions is known exactly; one over some of them has to be taken again.
    is_whole = not arm_a.outcomes.failed[:, at_a].any()
    known = arm_a.values(at_a) if is_whole else {}
    changes = []
    for measure in measures:
        old, new = before[measure], after[measure]
        old, defined = old[~np.isnan(old)], new[~np.isnan(new)]
        if len(old):
            mean = known.get(measure)
            mean = float(old.mean()) if mean is None else mean
            changes.append(_compare_by(measure, mean, old, defined, len(new)))
    order = list(Direction)
    # Python's sort is stable: of several that say the same, the first measure decides.
    return tuple(sorted(changes, key=lambda each: order.index(each.direction)))


def _compare_by(
    measure: Measure,
    mean: float,
    old: NDArray[np.float64],
    defined: NDArray[np.float64],
    repeats: int,
) -> MeasureChange:
    before = tuple(old.tolist())
    after = tuple(defined.tolist()) or (0.0,) * repeats
    mean_after = float(defined.mean()) if len(defined) else None
    return MeasureChange(
        measure=measure,
        a=mean,
        b=mean_after,
        repetitions_a=before,
        repetitions_b=after,
        direction=classify_change(before, after),
        is_lower=(mean_after or 0.0) < mean - TIE_TOLERANCE,
        is_undetectable=max(before) > TIE_TOLERANCE and not can_detect_drop(before, len(after)),
    )


def _change(
    first: tuple[_Arm, int],
    second: tuple[_Arm, int],
    rules: _Rules,
    undecided: Bucket | None,
    judged: tuple[MeasureChange, ...],
) -> QueryChange:
    (arm_a, at_a), (arm_b, at_b) = first, second
    status_a, status_b = arm_a.outcomes.statuses[at_a], arm_b.outcomes.statuses[at_b]
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
        judged=judged,
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
    """Return the bucket of a query: where its values went, then in which way by its first rank.

    `difference` is the gain in the class's headline measure, `checks` are the gains of what else is
    expected: anything that was lost is a loss, whatever else was gained. The ranks are those of the
    first right hit, None if it was not found.
    """
    gains = (difference, *checks)
    if min(gains) < -TIE_TOLERANCE:
        if rank_a is not None and rank_b is None:
            return Bucket.LOST
        return Bucket.REMOVED if rank_a == 1 and rank_b != 1 else Bucket.DEGRADED
    if max(gains) > TIE_TOLERANCE:
        if rank_a is None and rank_b is not None:
            return Bucket.ADDED
        return Bucket.FIXED if rank_b == 1 and rank_a != 1 else Bucket.IMPROVED
    if rank_a is None and rank_b is None:
        return Bucket.NEVER
    return Bucket.UNCHANGED_FIRST if rank_a == rank_b == 1 else Bucket.UNCHANGED_BELOW
