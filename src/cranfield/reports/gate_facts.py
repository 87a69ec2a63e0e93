"""What every form of a gate's report tells alike: groups, changes, thresholds, latencies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield.errors import CranfieldError
from cranfield.gates import ChangeKind
from cranfield.relevance import RULES, RuleContext
from cranfield.reports.run_text import shorten
from cranfield.tables import show_difference, show_milliseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates import Change, GatedRun
    from cranfield.model import Query
    from cranfield.runs import Answer

__all__ = [
    "PASSING",
    "GroupChange",
    "choose_answer",
    "compared_line",
    "deciding_measure",
    "group_changes",
    "latency_facts",
    "latency_line",
    "name_queries",
    "show_change",
    "show_expected",
    "show_got",
    "stale_lines",
]

PASSING = 1 - 1e-9
"""Passed in every repetition."""
_MOSTLY = 0.5
"""Passed in more than half of the repetitions."""
_MOST_NAMED = 20
_MOST_HITS = 3
_WIDTH = 160


@dataclass(frozen=True, slots=True)
class GroupChange:
    """Some queries before and after: how many passed where passing is measured, else the mean.

    A query passed, on either side, that did so in more than half of its repetitions, however many
    there were.
    `queries` are those that have a value on both sides; without a baseline, `before` is None.
    """

    name: str
    queries: int
    before: float | None
    after: float | None
    is_passing: bool
    regressed: int
    improved: int

    def show(self, value: float | None) -> str:
        """Show one side."""
        if value is None:
            return "–"
        return f"{value:.0f}/{self.queries}" if self.is_passing else f"{value:.4f}"

    @property
    def difference(self) -> str:
        """After minus before."""
        if self.before is None or self.after is None:
            return "–"
        moved = self.after - self.before
        return f"{moved:+.0f}" if self.is_passing else show_difference(moved)


class _Pair(NamedTuple):
    category: str
    before: float | None
    after: float | None
    kind: ChangeKind


def deciding_measure(gated: GatedRun) -> str:
    """Name the measure that queries are held to: passing where it is measured."""
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
    told = ", ".join(shorten(each, _WIDTH) for each in named[:_MOST_HITS])
    return f"{told} and {more} more" if more > 0 else told


def choose_answer(answers: Sequence[Answer]) -> Answer | None:
    """Choose the repetition to tell of: the first that failed, or else the first."""
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
    route = f" (route {shorten(response.route)})" if response.route else ""
    return (hits or "no result") + route


def show_change(change: Change) -> str:
    """Show how a query's value and rank moved."""
    sides = [
        ("–" if value is None else f"{value:.4f}", "–" if rank is None else str(rank))
        for value, rank in (
            (change.before, change.rank_before),
            (change.after, change.rank_after),
        )
    ]
    (value_before, rank_before), (value_after, rank_after) = sides
    return f"{change.measure} {value_before} → {value_after}, rank {rank_before} → {rank_after}"


def stale_lines(gated: GatedRun) -> list[str]:
    """Say what changed since the baseline was accepted, and who is not compared."""
    regressions = gated.regressions
    if regressions is None:
        return []
    lines = [f"the baseline is stale: {each}" for each in regressions.stale]
    if regressions.left_out:
        lines.append(f"not compared: {name_queries(regressions.left_out)}")
    if not regressions.changes:
        lines.append("no query or no measure is still the same: nothing could be compared")
    return lines


def compared_line(gated: GatedRun) -> str:
    """Say what was held to what."""
    header = gated.run.header
    asked = f"{len(gated.outcomes.queries)} queries of the class {header.suite.query_class}"
    if gated.baseline is None:
        return f"{header.name}, {asked}; there is no baseline, so nothing was compared"
    accepted = gated.baseline.accepted
    told = [f"run {accepted.run}", f"accepted {accepted.date} by {accepted.author}"]
    told += [f"commit {accepted.commit}"] if accepted.commit else []
    is_other = gated.baseline.system != header.system
    told += [f"of another system, {gated.baseline.system}"] if is_other else []
    return f"{header.name} against the baseline {gated.baseline.name} ({', '.join(told)}), {asked}"


def latency_facts(gated: GatedRun) -> dict[str, dict[str, float | None]]:
    """Tell how long answers took, in seconds by percentile."""
    return {
        each.name: {"seconds": each.seconds, "before": each.before, "at_most": each.at_most}
        for each in gated.latencies
    }


def latency_line(gated: GatedRun) -> str:
    """Tell how long answers took; empty if unknown."""
    told = [
        f"{each.name} {show_milliseconds(each.seconds)}"
        + ("" if each.before is None else f" (baseline {show_milliseconds(each.before)})")
        for each in gated.latencies
    ]
    return f"time of an answer, not judged: {', '.join(told)}" if told else ""


def name_queries(queries: Sequence[str]) -> str:
    """Name queries, the first of many."""
    more = len(queries) - _MOST_NAMED
    told = ", ".join(queries[:_MOST_NAMED])
    return f"{told} and {more} more" if more > 0 else told
