"""From a response to its figures: graded by the query's rules, then measured; now, or again later.

Whatever was stored can be evaluated again: by other measures (`remeasure`), or by the same ones to
check that every stored figure follows from its response (`audit_run`).
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from cranfield.errors import ExpectationError
from cranfield.measures import parse_measure
from cranfield.model import Undefined
from cranfield.relevance import read_expectation
from cranfield.runs.records import Answer
from cranfield.suites import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Grades, Query, Response, Suite, Value
    from cranfield.relevance import Expectation
    from cranfield.runs.runner import Run

__all__ = ["Evaluator", "grade_response", "remeasure"]

_PASS = parse_measure("Pass")


class Evaluator:
    """Grades and measures responses to the queries of one suite; its rules are read once."""

    def __init__(self, suite: Suite, measures: Sequence[Measure]) -> None:
        self._measures = tuple(measures)
        self._expectations = [read_expectation(query) for query in suite.queries]
        self._right_grade = CLASSES.get(suite.query_class).right_grade

    def expectation(self, place: int) -> Expectation:
        """Return what the query at a place expects."""
        return self._expectations[place]

    def evaluate(self, place: int, repeat: int, response: Response) -> Answer:
        """Measure a response to the query at a place.

        If a rule or a measure cannot be applied, all values are undefined, with the reason.
        """
        try:
            grades = self._expectations[place].grade(response)
            values = [_measured(measure, grades) for measure in self._measures]
        except Exception as problem:  # noqa: BLE001 - rules of other packages may raise anything
            values = [_undefined(problem)] * len(self._measures)
            rank = None
        else:
            rank = _first_rank(grades, self._right_grade)
        return Answer(
            place,
            repeat,
            response,
            tuple(None if isinstance(value, Undefined) else value for value in values),
            {
                column: value.reason
                for column, value in enumerate(values)
                if isinstance(value, Undefined)
            },
            rank,
        )


def grade_response(expectation: Expectation, response: Response) -> Grades | Undefined:
    """Grade a response; undefined, with the reason, if a rule cannot be applied to it."""
    try:
        return expectation.grade(response)
    except Exception as problem:  # noqa: BLE001 - rules of other packages may raise anything
        return _undefined(problem)


def _measured(measure: Measure, grades: Grades) -> Value:
    """Measure an answer; a plug-in's value that is not a number is said to be none."""
    value = measure(grades)
    if isinstance(value, Undefined) or isfinite(value):
        return value
    return Undefined(f"{measure} came to {value}, which is no value")


def _undefined(problem: Exception) -> Undefined:
    return Undefined(str(problem) if isinstance(problem, ExpectationError) else repr(problem))


def _first_rank(grades: Grades, right_grade: int) -> int | None:
    """Return the rank of the first right hit.

    A query that expects no hits is at rank 1 if everything it expects held.
    """
    if not grades.expects_hits:
        return 1 if _PASS(grades) == 1.0 else None
    return next(
        (
            rank
            for rank, grade in enumerate(grades.ranked, start=1)
            if grade is not None and grade >= right_grade
        ),
        None,
    )


def remeasure(run: Run, measures: Sequence[Measure]) -> Iterator[tuple[Query, Answer]]:
    """Yield every query with its first answer, measured by other measures, in their order."""
    evaluator = Evaluator(run.header.suite, measures)
    for stored in run.store.answers(run.header.id):
        if stored.repeat == 0:
            query = run.header.suite.queries[stored.place]
            yield query, evaluator.evaluate(stored.place, stored.repeat, stored.response)
