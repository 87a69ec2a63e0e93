"""Holes of a run: unjudged hits, and how far they leave each mean open."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from cranfield.model import Undefined
from cranfield.runs.grading import Evaluator, grade_response

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures import Measure
    from cranfield.model import Grades, Query, Suite
    from cranfield.runs.records import Outcomes
    from cranfield.runs.runner import Run

__all__ = ["HoleBounds", "assume_irrelevant", "find_holes"]

_JUDGED = "judged"


@dataclass(frozen=True, slots=True)
class HoleBounds:
    """What a mean may come to: all holes being irrelevant, or all having the highest grade.

    `holes` of the `hits` that the measure looks at were judged by nobody; it looks at the first
    `depth`. Both means are over all queries that were answered; a query without any relevant hit
    counts as 0. They are None if the measure has no value for any query.
    """

    measure: Measure
    depth: int
    holes: int
    hits: int
    low: float | None
    high: float | None

    @property
    def share(self) -> float:
        """The share of the unjudged hits: unjudged@k."""
        return self.holes / self.hits if self.hits else 0.0


def find_holes(run: Run) -> tuple[HoleBounds, ...]:
    """Return the bounds of every mean of a run whose hits are judged; empty without any hole.

    Where a suite states what is right by itself, by a pattern or a table, there are no holes.
    """
    suite = run.header.suite
    if not any(_is_judged(suite, query) for query in suite.queries):
        return ()
    evaluator = Evaluator(suite, ())
    graded = [
        grade_response(evaluator.expectation(answer.place), answer.response)
        for answer in run.store.answers(run.header.id)
        if answer.repeat == 0
        and not answer.response.status.is_failure
        and _is_judged(suite, suite.queries[answer.place])
    ]
    measures = [each for each in run.measures if each.family.is_quality and not each.is_check]
    known = [each for each in graded if not isinstance(each, Undefined)]
    found = [_bound(measure, known, run.header.limit) for measure in measures]
    return tuple(each for each in found if each.holes)


def assume_irrelevant(run: Run, outcomes: Outcomes) -> Outcomes:
    """Return outcomes in which unjudged hits are irrelevant: the least that they can be.

    Only values that depend on such hits differ; without any, it is the same outcomes.
    """
    places = {place for column in _judged_columns(run) for place in outcomes.find_open(column)}
    if not places:
        return outcomes
    evaluator = Evaluator(run.header.suite, ())
    lowest: dict[int, list[list[float]]] = defaultdict(list)
    for answer in run.store.answers(run.header.id):
        if answer.place in places:
            grades = evaluator.expectation(answer.place).grade(answer.response)
            lowest[answer.place].append([_lowest(measure, grades) for measure in run.measures])
    values = outcomes.values.copy()
    for place, rows in lowest.items():
        for column in _judged_columns(run):
            if np.isnan(values[place, column]):
                values[place, column] = np.mean([row[column] for row in rows])
    return replace(outcomes, values=values)


def _judged_columns(run: Run) -> list[int]:
    """Return the columns of the measures that judgments decide."""
    return [
        column
        for column, measure in enumerate(run.measures)
        if measure.family.is_quality and not measure.is_check
    ]


def _lowest(measure: Measure, grades: Grades) -> float:
    """Return the least that a measure can be, NaN if it has no value whatever is judged."""
    low, high = measure.bounds(grades)
    if isinstance(low, Undefined):
        return nan if isinstance(high, Undefined) else 0.0
    return low


def _is_judged(suite: Suite, query: Query) -> bool:
    return suite.query_class == _JUDGED or _JUDGED in query.expect


def _bound(measure: Measure, graded: Sequence[Grades], limit: int) -> HoleBounds:
    depth = measure.depth or limit
    bounds = [measure.bounds(grades) for grades in graded]
    known = [pair for pair in bounds if not all(isinstance(each, Undefined) for each in pair)]
    lows, highs = (
        [0.0 if isinstance(pair[side], Undefined) else pair[side] for pair in known]
        for side in (0, 1)
    )
    return HoleBounds(
        measure,
        depth,
        sum(grades.count_holes(depth) for grades in graded),
        sum(len(grades.ranked[:depth]) for grades in graded),
        sum(lows) / len(known) if known else None,  # type: ignore[arg-type]  # undefined ones are 0
        sum(highs) / len(known) if known else None,  # type: ignore[arg-type]
    )
