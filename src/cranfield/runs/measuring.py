"""From a response to its figures: grade it by the query's rules, then measure the grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import ExpectationError
from cranfield.measures import parse_measure
from cranfield.model import Undefined
from cranfield.relevance import read_expectation
from cranfield.runs.records import Answer
from cranfield.suites import CLASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures import Measure
    from cranfield.model import Grades, Response, Suite
    from cranfield.relevance import Expectation

__all__ = ["Measuring"]

_PASS = parse_measure("Pass")


class Measuring:
    """Grades and measures the responses to one suite, whose rules are read once."""

    def __init__(self, suite: Suite, measures: Sequence[Measure]) -> None:
        self._measures = tuple(measures)
        self._expectations = [read_expectation(query) for query in suite.queries]
        self._right_grade = CLASSES.get(suite.query_class).right_grade

    def expectation(self, place: int) -> Expectation:
        """Return what the query at a place expects."""
        return self._expectations[place]

    def answer(self, place: int, repeat: int, response: Response) -> Answer:
        """Measure a response to the query at a place.

        A rule that cannot be applied leaves everything undefined, with the reason.
        """
        try:
            grades = self._expectations[place].grade(response)
        except Exception as problem:  # noqa: BLE001 - rules of other packages may raise anything
            told = str(problem) if isinstance(problem, ExpectationError) else repr(problem)
            values: list[float | Undefined] = [Undefined(told)] * len(self._measures)
            rank = None
        else:
            values = [measure(grades) for measure in self._measures]
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


def _first_rank(grades: Grades, right_grade: int) -> int | None:
    """Return the rank of the first right hit.

    A query that expects no hits is at rank 1 where all that it expects held.
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
