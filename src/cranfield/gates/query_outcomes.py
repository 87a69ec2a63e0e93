"""What became of single queries and of groups of them: passed, regressed, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from cranfield.gates.significance import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.gates.regressions import Change, Regressions
    from cranfield.runs import Outcomes

__all__ = ["GroupChange", "QueryOutcome", "choose_measure", "group_changes", "judge_queries"]

_PASSING = 1 - 1e-9
"""Passed in every repetition."""
_MOSTLY = 0.5
"""Passed in more than half of the repetitions."""


class QueryOutcome(StrEnum):
    """How a gate judges a query: the first of these that holds."""

    NOT_ASKED = "not asked"
    NOT_ANSWERED = "not answered"
    REGRESSED = "regressed"
    UNDEFINED = "undefined"
    WRONG = "not right"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class GroupChange:
    """Some queries before and after: how many passed if passing is measured, else the mean.

    A query passed, on either side, that did so in more than half of its repetitions, however many
    there were. `queries` are those that have a value on both sides; without a baseline, `before`
    is None.
    """

    name: str
    queries: int
    before: float | None
    after: float | None
    is_passing: bool
    regressed: int
    improved: int

    @property
    def difference(self) -> float | None:
        """After minus before."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


class _Pair(NamedTuple):
    category: str
    before: float | None
    after: float | None
    kind: ChangeKind


def choose_measure(measures: Sequence[str], regressions: Regressions | None) -> str:
    """Choose the measure that queries are held to: passing if it is measured.

    If queries are compared by different measures, it is that of the first.
    """
    changes = regressions.changes if regressions else ()
    if changes and changes[0].measure in measures:
        return changes[0].measure
    return "Pass" if "Pass" in measures else measures[0]


def judge_queries(
    outcomes: Outcomes, column: int, regressions: Regressions | None, *, is_passing: bool
) -> tuple[QueryOutcome, ...]:
    """Judge every query by the measure in a column."""
    known = regressions.changes if regressions else ()
    changes = {change.query.id: change for change in known}
    return tuple(
        _judge(outcomes, place, column, changes, is_passing=is_passing)
        for place in range(len(outcomes.queries))
    )


def _judge(
    outcomes: Outcomes, place: int, column: int, changes: Mapping[str, Change], *, is_passing: bool
) -> QueryOutcome:
    status = outcomes.statuses[place]
    if status is None:
        return QueryOutcome.NOT_ASKED
    if status.is_failure:
        return QueryOutcome.NOT_ANSWERED
    change = changes.get(outcomes.queries[place].id)
    if change and change.kind is ChangeKind.REGRESSED:
        return QueryOutcome.REGRESSED
    figures = outcomes.values[place].tolist()
    if all(map(isnan, figures)):
        return QueryOutcome.UNDEFINED
    figure = figures[column]
    if isnan(figure):  # its class does not say, so that anything right is enough
        is_right = outcomes.first_ranks[place] is not None
    else:
        is_right = figure >= _PASSING if is_passing else figure > 0
    return QueryOutcome.PASSED if is_right else QueryOutcome.WRONG


def group_changes(
    outcomes: Outcomes, column: int, regressions: Regressions | None, *, is_passing: bool
) -> tuple[GroupChange, ...]:
    """Set before and after side by side, for all queries that are compared and each category."""
    pairs = _pairs(outcomes, column, regressions)
    categories = dict.fromkeys(pair.category for pair in pairs if pair.category)
    groups = {"all": pairs}
    groups |= {name: [pair for pair in pairs if pair.category == name] for name in categories}
    return tuple(
        _group(name, some, is_passing=is_passing, has_baseline=regressions is not None)
        for name, some in groups.items()
    )


def _pairs(outcomes: Outcomes, column: int, regressions: Regressions | None) -> list[_Pair]:
    if regressions is not None:
        return [
            _Pair(each.query.category, each.before, each.after, each.kind)
            for each in regressions.changes
        ]
    return [
        _Pair(query.category, None, outcomes.figures(place)[column], ChangeKind.SAME)
        for place, query in enumerate(outcomes.queries)
    ]


def _group(
    name: str, pairs: Sequence[_Pair], *, is_passing: bool, has_baseline: bool
) -> GroupChange:
    defined = [
        pair
        for pair in pairs
        if pair.after is not None and (pair.before is not None or not has_baseline)
    ]
    kinds = [pair.kind for pair in pairs]
    return GroupChange(
        name=name,
        queries=len(defined),
        before=_sum_up([pair.before for pair in defined], is_passing=is_passing),
        after=_sum_up([pair.after for pair in defined], is_passing=is_passing),
        is_passing=is_passing,
        regressed=kinds.count(ChangeKind.REGRESSED),
        improved=kinds.count(ChangeKind.IMPROVED),
    )


def _sum_up(values: Sequence[float | None], *, is_passing: bool) -> float | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    if is_passing:
        return float(sum(value > _MOSTLY for value in known))
    return sum(known) / len(known)
