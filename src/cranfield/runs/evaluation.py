"""From a response to its figures: graded by the query's rules, then measured; now, or again later.

Whatever was stored can be evaluated again: by other measures (`remeasure`), or by the same ones to
check that every stored figure follows from its response (`audit_run`).
"""

from __future__ import annotations

from dataclasses import dataclass
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
    from cranfield.model import Grades, Query, Response, Suite
    from cranfield.relevance import Expectation
    from cranfield.runs.runner import Run

__all__ = ["AuditFinding", "Evaluator", "audit_run", "remeasure"]

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

        If a rule cannot be applied, all values are undefined, with the reason.
        """
        try:
            grades = self._expectations[place].grade(response)
        except Exception as problem:  # noqa: BLE001 - rules of other packages may raise anything
            reason = str(problem) if isinstance(problem, ExpectationError) else repr(problem)
            values: list[float | Undefined] = [Undefined(reason)] * len(self._measures)
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


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A stored figure that does not follow from its stored response."""

    run: str
    query: str
    repeat: int
    figure: str
    stored: str
    computed: str


def audit_run(run: Run) -> list[AuditFinding]:
    """Grade and measure every stored response again, and report what differs."""
    evaluator = Evaluator(run.header.suite, run.measures)
    findings = [
        AuditFinding(run.header.id, "–", 0, what, stored, computed)
        for what, stored, computed in run.store.inconsistencies(run.header)
    ]
    for stored in run.store.answers(run.header.id):
        computed = evaluator.evaluate(stored.place, stored.repeat, stored.response)
        findings += _differences(run, stored, computed)
    return findings


def _differences(run: Run, stored: Answer, computed: Answer) -> list[AuditFinding]:
    if stored == computed:
        return []
    query = run.header.suite.queries[stored.place].id
    figures = [
        ("first rank", stored.first_rank, computed.first_rank),
        *zip(run.header.measures, _shown(stored), _shown(computed), strict=True),
    ]
    return [
        AuditFinding(run.header.id, query, stored.repeat, name, str(before), str(now))
        for name, before, now in figures
        if before != now
    ]


def _shown(answer: Answer) -> list[float | str]:
    return [
        answer.reasons.get(place, "undefined") if value is None else value
        for place, value in enumerate(answer.values)
    ]
