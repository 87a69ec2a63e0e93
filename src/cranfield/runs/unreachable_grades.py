"""Measures that count grades from a threshold on, of queries without a target so relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.model import Response
from cranfield.relevance import needs_database, read_expectation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures import Measure
    from cranfield.model import Query

__all__ = ["find_unreachable"]

_THRESHOLD = "rel"


def find_unreachable(measures: Sequence[Measure], queries: Sequence[Query]) -> list[str]:
    """Doubt each measure of hits with a grade that no target of the queries has.

    Nothing is said if the grades of a query's targets are unknown.
    """
    strict = {
        measure: int(measure.number(_THRESHOLD))
        for measure in measures
        if _THRESHOLD in measure.family.parameters and measure.number(_THRESHOLD) > 1
    }
    if not strict:
        return []
    highest = _highest_grade(queries)
    if highest is None:
        return []
    return [
        f"{measure} is 0 for every query: no target has grade {grade} or more, the highest is "
        f"{highest}"
        for measure, grade in strict.items()
        if grade > highest
    ]


def _highest_grade(queries: Sequence[Query]) -> int | None:
    """Return the highest grade of all targets; None if it is not known for a query."""
    highest = 0
    for query in queries:
        if any(map(needs_database, query.expect)):
            return None
        grades = read_expectation(query).grade(Response.of(()))
        if grades.expects_hits and grades.judgments is None:
            return None
        highest = max(highest, *(grades.judgments or (0,)), grades.hole_grade or 0)
    return highest
