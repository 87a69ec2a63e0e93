"""What casts doubt on a run: fields that no hit had, and grades that no hit could reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.model import Response
from cranfield.relevance import needs_database, read_expectation
from cranfield_shared.names import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Hit, Query
    from cranfield.relevance import Expectation

__all__ = [
    "find_unreachable",
    "find_unseen_fields",
]

_MOST_QUERIES = 3
_MOST_FIELDS = 12


def find_unseen_fields(
    queries: Sequence[Query],
    expectation: Callable[[int], Expectation],
    responses: Iterable[Response],
) -> list[str]:
    """Report each field that a rule of a query reads and no hit has, with near names.

    `expectation` returns what the query at a place expects. Nothing is known if there is no hit.
    Responses are read until every field was seen.
    """
    readers = _find_readers(queries, expectation)
    if not readers:
        return []
    seen: set[str] = set()
    for response in responses:
        for hit in response.hits:
            seen |= _fields_of(hit)
        if all(not seen.isdisjoint(names) for names in readers):
            return []
    return [
        _describe(names, queries, seen)
        for names, queries in readers.items()
        if seen and seen.isdisjoint(names)
    ]


def _find_readers(
    queries: Sequence[Query], expectation: Callable[[int], Expectation]
) -> dict[tuple[str, ...], list[str]]:
    """Return the ids of the queries that read each field, by the names that it may have."""
    readers: dict[tuple[str, ...], list[str]] = {}
    for place, query in enumerate(queries):
        for names in dict.fromkeys(expectation(place).fields):
            readers.setdefault(names, []).append(query.id)
    return readers


def _fields_of(hit: Hit) -> set[str]:
    own = {"id": True, "score": hit.score is not None, "text": bool(hit.text)}
    return {*hit.fields, *(name for name, is_there in own.items() if is_there)}


def _describe(names: tuple[str, ...], queries: list[str], seen: set[str]) -> str:
    more = len(queries) - _MOST_QUERIES
    shown = ", ".join(queries[:_MOST_QUERIES]) + (f" and {more} more" if more > 0 else "")
    near = near_names(names[0], seen)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    had = sorted(seen)
    rest = f" and {len(had) - _MOST_FIELDS} more" if len(had) > _MOST_FIELDS else ""
    return (
        f"no hit has the field {' or '.join(names)}, which the expectation of {shown} reads, so "
        f"that cannot be checked{hint}; hits have {', '.join(had[:_MOST_FIELDS])}{rest}"
    )


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
