"""What a gate's report says of groups of queries and of single ones, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield.errors import CranfieldError
from cranfield.formats import name_queries, shorten, show_rank, show_value
from cranfield.gates import ChangeKind
from cranfield.relevance import RULES, RuleContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates import Change, GatedRun
    from cranfield.model import Query
    from cranfield.runs import Answer

__all__ = [
    "GroupChange",
    "choose_answer",
    "deciding_measure",
    "group_changes",
    "show_change",
    "show_expected",
    "show_got",
    "stale_lines",
]

_MOSTLY = 0.5
"""Passed in more than half of the repetitions."""
_MOST_HITS = 3
_WIDTH = 160
_ROUTE_WIDTH = 44


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


def deciding_measure(gated: GatedRun) -> str:
    """Name the measure that queries are held to: passing if it is measured."""
    measures = gated.run.header.measures
    changes = gated.regressions.changes if gated.regressions else ()
    if changes and changes[0].measure in measures:
        return changes[0].measure
    return "Pass" if "Pass" in measures else measures[0]


def group_changes(gated: GatedRun) -> list[GroupChange]:
    """Set before and after side by side, for all queries that are compared and each category."""
    pairs = _pairs(gated)
    is_passing = deciding_measure(gated) == "Pass"
    has_baseline = gated.regressions is not None
    categories = dict.fromkeys(pair.category for pair in pairs if pair.category)
    groups = {"all": pairs}
    groups |= {name: [pair for pair in pairs if pair.category == name] for name in categories}
    return [
        _group(name, some, is_passing=is_passing, has_baseline=has_baseline)
        for name, some in groups.items()
    ]


def _pairs(gated: GatedRun) -> list[_Pair]:
    if gated.regressions is not None:
        return [
            _Pair(each.query.category, each.before, each.after, each.kind)
            for each in gated.regressions.changes
        ]
    column = gated.run.header.measures.index(deciding_measure(gated))
    return [
        _Pair(query.category, None, gated.outcomes.figures(place)[column], ChangeKind.SAME)
        for place, query in enumerate(gated.outcomes.queries)
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


def show_expected(query: Query) -> str:
    """Say in a line what a query expects: its targets by name, other rules as they are written."""
    return "; ".join(_rule(name, value) for name, value in query.expect.items())


def _rule(name: str, value: object) -> str:
    try:
        targets = RULES.get(name).read(value, RuleContext()).targets
    except CranfieldError:
        targets = ()
    named = [target.name for target in targets if target.grade > 0]
    if not named:
        return shorten(f"{name} {msgspec.json.encode(value, enc_hook=str).decode()}", _WIDTH)
    more = len(named) - _MOST_HITS
    shown = ", ".join(shorten(each, _WIDTH) for each in named[:_MOST_HITS])
    return f"{shown} and {more} more" if more > 0 else shown


def choose_answer(answers: Sequence[Answer]) -> Answer | None:
    """Choose the repetition to report: the first that failed, or else the first."""
    failed = [each for each in answers if each.response.status.is_failure]
    return next(iter([*failed, *answers]), None)


def show_got(answer: Answer | None) -> str:
    """Say in a line what came back: the first hits, or why there are none."""
    if answer is None:
        return "it has not been asked yet"
    response = answer.response
    if response.status.is_failure:
        return shorten(f"{response.status}: {response.message}", _WIDTH)
    hits = ", ".join(shorten(hit.id, _WIDTH) for hit in response.hits[:_MOST_HITS])
    route = f" (route {shorten(response.route, _ROUTE_WIDTH)})" if response.route else ""
    return (hits or "no result") + route


def show_change(change: Change) -> str:
    """Say how a query's value and rank moved."""
    values = f"{show_value(change.before)} → {show_value(change.after)}"
    ranks = f"{show_rank(change.rank_before)} → {show_rank(change.rank_after)}"
    return f"{change.measure} {values}, rank {ranks}"


def stale_lines(gated: GatedRun) -> list[str]:
    """Say what changed since the baseline was accepted, and which queries are not compared."""
    regressions = gated.regressions
    if regressions is None:
        return []
    lines = [f"the baseline is stale: {each}" for each in regressions.stale]
    if regressions.left_out:
        lines.append(f"not compared: {name_queries(regressions.left_out)}")
    if not regressions.changes:
        lines.append("no query or no measure is still the same: nothing could be compared")
    return lines
