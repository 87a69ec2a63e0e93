"""Measures of the checks that a suite's queries make, so that whatever is expected counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.measures import FAMILIES, parse_measure
from cranfield.relevance import checks_of
from cranfield.suites.classes import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.measures import Measure
    from cranfield.model import Suite

__all__ = ["uncounted_checks"]


def uncounted_checks(suite: Suite, measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return the measures that count what a suite's queries check and given measures do not see.

    `Pass` counts every check. A check without a measure of its own, as that of a plug-in, is
    counted by `Pass`, for hits of the grade that the class calls right.
    """
    given = tuple(measures)
    if any(measure.covers_checks for measure in given):
        return ()
    checks = dict.fromkeys(check for query in suite.asked for check in checks_of(query))
    seen = {measure.family.check for measure in given if measure.is_check}
    known = {family.check: family.name for family in FAMILIES.values() if family.check}
    own = [known[check] for check in checks if check in known and check not in seen]
    others = [_passing(suite)] if any(check not in known for check in checks) else []
    return tuple(parse_measure(text) for text in (*own, *others))


def _passing(suite: Suite) -> str:
    grade = CLASSES.get(suite.query_class).right_grade
    return "Pass" if grade == 1 else f"Pass(rel={grade})"
