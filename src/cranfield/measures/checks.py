"""Measures of what else is expected of an answer: Pass, and one for each kind of check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.measures.families import REL, Family, Parameter, any_word, one_of, register_family
from cranfield.model import Undefined

if TYPE_CHECKING:
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__: list[str] = []

_EVERY = "every"


def passed(grades: Grades, measure: Measure) -> Value:
    """1 if all that was expected of the answer held, else 0.

    That is a relevant hit by the query's pass rank, if hits are expected, and every check. If a
    check could not be made and nothing else failed, nobody knows.
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
    if any(not isinstance(value, Undefined) and value <= 0 for value in held):
        return 0.0
    unknown = [value for value in held if isinstance(value, Undefined)]
    return unknown[0] if unknown else 1.0


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


def _register_check(name: str, check: str, summary: str, reason: str) -> None:
    """Register the measure of a check: 1 if it held, else 0; undefined if nothing was expected."""
    register_family(
        Family(
            name=name,
            summary=summary,
            example=name,
            of_grades=lambda grades, _: _check(grades, check, reason),
            needs_hits=False,
            check=check,
        )
    )


_register_check(
    "Route", "route", "whether the query was sent where it should go", "the query expects no route"
)


def flags(grades: Grades, measure: Measure) -> Value:
    """1 if every expected flag was raised, else 0.

    With `of=NAME`, whether that one was, over the queries that expect it.
    """
    flag = measure.setting("of")
    if flag == _EVERY:
        return _check(grades, "flags", "the query expects no flags")
    return _check(grades, f"flags.{flag}", f"the query does not expect the flag {flag}")


register_family(
    Family(
        name="Flags",
        summary="whether every expected flag was raised",
        example="Flags(of=safety)",
        of_grades=flags,
        parameters={"of": Parameter(any_word, _EVERY)},
        needs_hits=False,
        check="flags",
    )
)
_register_check(
    "NoResult",
    "nothing",
    "whether a query that should find nothing found nothing",
    "the query does not expect an empty answer",
)
_register_check(
    "AnyResult",
    "anything",
    "whether a query that should find anything did",
    "the query does not ask for just any result",
)
_register_check(
    "Exclusion",
    "excludes",
    "whether no excluded hit ranks above the first right one",
    "the query excludes nothing",
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
        check="prefers",
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
        check="sources",
    )
)


def _check(grades: Grades, name: str, reason: str) -> Value:
    return grades.checks.get(name, Undefined(reason))
