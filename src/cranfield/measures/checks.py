"""Measures of what else is expected of an answer: Pass, Route, Preference, TopSource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.measures.families import REL, Family, Parameter, one_of, register_family
from cranfield.model import Undefined

if TYPE_CHECKING:
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__: list[str] = []


def passed(grades: Grades, measure: Measure) -> Value:
    """1 if all that was expected of the answer held, else 0.

    That is a relevant hit by the query's pass rank, if hits are expected, and every check.
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


register_family(
    Family(
        name="Pass",
        summary="whether all that the query expects of the answer held",
        example="Pass",
        of_grades=passed,
        parameters={"rel": REL},
        needs_hits=False,
    )
)


def route(grades: Grades, measure: Measure) -> Value:  # noqa: ARG001 - one signature for all
    """1 if the query was sent where it was expected to go, else 0."""
    return _check(grades, "route", "the query expects no route")


register_family(
    Family(
        name="Route",
        summary="whether the query was sent where it should go",
        example="Route",
        of_grades=route,
        needs_hits=False,
    )
)


def preference(grades: Grades, measure: Measure) -> Value:
    """1 if the preferred hit ranks above the other one, else 0.

    A missing hit ranks below every other; if both are missing, nothing was preferred. With
    `present=both`, only queries that returned both count.
    """
    name = "prefers.both" if measure.setting("present") == "both" else "prefers"
    return _check(grades, name, "the query prefers no hit to another")


register_family(
    Family(
        name="Preference",
        summary="whether the preferred hit ranks above the other",
        example="Preference(present=both)",
        of_grades=preference,
        parameters={"present": Parameter(one_of("any", "both"), "any")},
        needs_hits=False,
    )
)


def top_source(grades: Grades, measure: Measure) -> Value:
    """1 if the first hit comes from the source of highest authority that has a match, else 0.

    With `of=listed`, from the first source that the query lists, returned or not.
    """
    name = "sources.listed" if measure.setting("of") == "listed" else "sources"
    return _check(grades, name, "the query lists no sources")


register_family(
    Family(
        name="TopSource",
        summary="whether the first hit comes from the best source that has a match",
        example="TopSource",
        of_grades=top_source,
        parameters={"of": Parameter(one_of("returned", "listed"), "returned")},
        needs_hits=False,
    )
)


def _check(grades: Grades, name: str, reason: str) -> Value:
    return grades.checks.get(name, Undefined(reason))
