"""Measures of what was expected beside the hits: the route, a preference, a pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.model import Undefined

if TYPE_CHECKING:
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__ = ["passed", "preference", "route", "top_source"]


def route(grades: Grades, measure: Measure) -> Value:  # noqa: ARG001 - one signature for all
    """1 if the query was sent where it was expected to go, else 0."""
    return _check(grades, "route", "the query expects no route")


def preference(grades: Grades, measure: Measure) -> Value:
    """1 if the preferred hit stands above the other one, else 0.

    A missing hit stands below every other; with neither there, nothing was preferred. With
    `present=both`, only queries that returned both count.
    """
    name = "prefers.both" if measure.setting("present") == "both" else "prefers"
    return _check(grades, name, "the query prefers no hit to another")


def top_source(grades: Grades, measure: Measure) -> Value:
    """1 if the first hit comes from the source of highest authority that has a match, else 0.

    With `of=listed`, from the first source that the query lists, returned or not.
    """
    name = "sources.listed" if measure.setting("of") == "listed" else "sources"
    return _check(grades, name, "the query lists no sources")


def passed(grades: Grades, measure: Measure) -> Value:
    """1 if all that was expected of the answer held, else 0.

    That is a relevant hit by the query's pass rank, where hits are expected, and every check.
    """
    rel = measure.number("rel")
    if grades.expects_hits:
        first = grades.ranked[: grades.pass_rank]
        if not any(grade is not None and grade >= rel for grade in first):
            return 0.0
    elif not grades.checks:
        return Undefined("the query expects nothing")
    # A finer view of one expectation has a dotted name and does not count twice.
    held = [value for name, value in grades.checks.items() if "." not in name]
    return float(all(isinstance(value, Undefined) or value > 0 for value in held))


def _check(grades: Grades, name: str, reason: str) -> Value:
    return grades.checks.get(name, Undefined(reason))
