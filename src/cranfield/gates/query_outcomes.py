"""What a gate says of single queries and of groups of them: passed, worse, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING

from cranfield.comparisons import Direction
from cranfield.measures import parse_measure

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cranfield.comparisons import MeasureChange, QueryChange
    from cranfield.runs.records import Outcomes
    from cranfield.runs.runner import Run

__all__ = ["GroupChange", "QueryOutcome", "group_changes", "judge_queries"]

_PASSING = 1 - 1e-9
"""Passed in every repetition."""
_MOSTLY = 0.5
"""Passed in more than half of the repetitions."""


class QueryOutcome(StrEnum):
    """How a gate judges a query: the first of these that holds."""

    NOT_ASKED = "not asked"
    NOT_ANSWERED = "not answered"
    WORSE = "worse"
    """Got worse by more than noise."""

    UNDEFINED = "not graded"
    NOT_JUDGED = "not judged"
    WRONG = "not right"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class GroupChange:
    """Some queries before and after by one measure: how many passed if it is `Pass`, else the mean.

    A query passed, on either side, that did so in more than half of its repetitions, however many
    there were. `queries` are those that have a value on both sides.
    """

    measure: str
    name: str
    queries: int
    before: float | None
    after: float | None
    is_passing: bool
    worse: int
    improved: int

    @property
    def difference(self) -> float | None:
        """After minus before."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


def _held_to(measures: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """Return the measures that a query is held to, of those it has a value of.

    `Pass` has all that is expected and decides alone if it is measured. Otherwise it is the first
    measure and every check: a query that only expects a route has no precision.
    """
    both = [name for name in measures if name in known]
    passing = [name for name in both if parse_measure(name).covers_checks]
    checks = [name for name in both if parse_measure(name).is_check]
    return tuple(passing[:1] or dict.fromkeys((*both[:1], *checks)))


def judge_queries(
    run: Run, outcomes: Outcomes, compared: Sequence[QueryChange], not_judged: Collection[str]
) -> tuple[tuple[QueryOutcome, ...], tuple[tuple[str, ...], ...]]:
    """Judge every query, and name the measures by which it is not right.

    `compared` are those that the baseline has too. The queries whose ids are `not_judged` depend
    on unjudged hits.
    """
    changes = {change.query.id: change for change in compared}
    waiting = frozenset(not_judged)
    unmet = tuple(
        () if query.id in waiting else _find_unmet(run, outcomes, place)
        for place, query in enumerate(outcomes.queries)
    )
    judged = (
        QueryOutcome.NOT_JUDGED
        if outcomes.queries[place].id in waiting
        else _judge(outcomes, place, changes, missed)
        for place, missed in enumerate(unmet)
    )
    return tuple(judged), unmet


def _judge(
    outcomes: Outcomes, place: int, changes: Mapping[str, QueryChange], unmet: Sequence[str]
) -> QueryOutcome:
    status = outcomes.statuses[place]
    if status is None:
        return QueryOutcome.NOT_ASKED
    if status.is_failure:
        return QueryOutcome.NOT_ANSWERED
    change = changes.get(outcomes.queries[place].id)
    if change and change.beyond_noise is Direction.WORSE:
        return QueryOutcome.WORSE
    if all(map(isnan, outcomes.values[place].tolist())):
        return QueryOutcome.UNDEFINED
    return QueryOutcome.WRONG if unmet else QueryOutcome.PASSED


def _find_unmet(run: Run, outcomes: Outcomes, place: int) -> tuple[str, ...]:
    """Name the measures that a query is held to and that say it is not right.

    What passes or is checked has to hold in every repetition; of anything else, some is enough.
    """
    pairs = zip(run.measures, outcomes.values[place].tolist(), strict=True)
    figures = {str(measure): (measure, value) for measure, value in pairs if not isnan(value)}
    missed = []
    for name in _held_to(run.header.measures, figures):
        measure, value = figures[name]
        is_strict = measure.is_check or measure.covers_checks
        if not (value >= _PASSING if is_strict else value > 0):
            missed.append(name)
    return tuple(missed)


def group_changes(
    measures: Sequence[str], compared: Sequence[QueryChange]
) -> tuple[GroupChange, ...]:
    """Set before and after side by side: by each measure, all queries it judges, and categories."""
    groups: list[GroupChange] = []
    for measure in measures:
        some: dict[str, list[MeasureChange]] = {"": []}
        for change in compared:
            for by in change.judged:
                if str(by.measure) == measure:
                    some[""].append(by)
                    if change.query.category:
                        some.setdefault(change.query.category, []).append(by)
        groups += [_group(measure, name or "all", each) for name, each in some.items() if each]
    return tuple(groups)


def _group(measure: str, name: str, changes: Sequence[MeasureChange]) -> GroupChange:
    defined = [each for each in changes if each.a is not None and each.b is not None]
    directions = [each.direction for each in changes]
    is_passing = parse_measure(measure).covers_checks
    return GroupChange(
        measure=measure,
        name=name,
        queries=len(defined),
        before=_sum_up([each.a for each in defined], is_passing=is_passing),
        after=_sum_up([each.b for each in defined], is_passing=is_passing),
        is_passing=is_passing,
        worse=directions.count(Direction.WORSE),
        improved=directions.count(Direction.IMPROVED),
    )


def _sum_up(values: Sequence[float | None], *, is_passing: bool) -> float | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    if is_passing:
        return float(sum(value > _MOSTLY for value in known))
    return sum(known) / len(known)
