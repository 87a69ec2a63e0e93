"""A measure as a value: `nDCG(gain=exp)@10` parses, prints, hashes and compares equal."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import MeasureError
from cranfield.measures.columns import MeasureColumn
from cranfield.measures.families import FAMILIES, Family, Setting
from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cranfield.measures.columns import GradedColumns
    from cranfield.model import Grades, Value

__all__ = ["Measure", "parse_deciding", "parse_measure"]

NO_HITS_EXPECTED = Undefined("the query expects no hits")

_SPELLING = re.compile(
    r"(?P<name>[A-Za-z]\w*)(?:\((?P<settings>[^()]*)\))?(?:@(?P<cutoff>[\w.+-]+))?"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its parameters and cutoff settled.

    Make one with `parse_measure`. Settings that equal their default are left out, so that
    `P(rel=1)@5` and `P@5` are one measure.
    """

    name: str
    settings: tuple[tuple[str, Setting], ...] = ()
    cutoff: float | None = None
    family: Family = field(init=False, repr=False, compare=False)
    """The definition this measure is an instance of."""

    _all_settings: Mapping[str, Setting] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Looked at for every query: found once.
        family = FAMILIES.get(self.name)
        defaults = {key: parameter.default for key, parameter in family.parameters.items()}
        object.__setattr__(self, "family", family)
        object.__setattr__(self, "_all_settings", {**defaults, **dict(self.settings)})

    def __str__(self) -> str:
        shown = dict(self.settings)
        for key, parameter in self.family.parameters.items():
            if parameter.always_shown:
                shown.setdefault(key, parameter.default)
        inside = ", ".join(f"{key}={value}" for key, value in sorted(shown.items()))
        after = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({inside}){after}" if inside else f"{self.name}{after}"

    def __call__(self, grades: Grades) -> Value:
        """Measure one graded ranking."""
        if self.family.needs_hits and not grades.expects_hits:
            return NO_HITS_EXPECTED
        value = self.family.of_grades(grades, self)
        if grades.hole_grade is not None and self.family.is_quality and None in grades.ranked:
            return self._require_judged(grades, value)
        return value

    def _require_judged(self, grades: Grades, value: Value) -> Value:
        """Return a value that is the same whatever the holes turn out to be, or none."""
        low, high = self.bounds(grades)
        if low == high:
            return value
        count = grades.count_holes(self.depth)
        among = f"of the first {self.depth} hits" if self.depth else "of its hits"
        verb = "is" if count == 1 else "are"
        return Undefined(f"{count} {among} {verb} not judged")

    def bounds(self, grades: Grades) -> tuple[Value, Value]:
        """Measure a ranking twice: all holes being irrelevant, and all having the highest grade.

        That is `hole_grade`, or the highest of the judgments.
        """
        known = (grades.hole_grade, *(grades.judgments or ()), *grades.ranked)
        highest = max((each for each in known if each is not None), default=1)
        filled = (grades.fill_holes(0), grades.fill_holes(max(highest, 1)))
        low, high = (self.family.of_grades(each, self) for each in filled)
        return low, high

    @property
    def depth(self) -> int | None:
        """The rank below which hits no longer matter, if there is one."""
        return self.cutoff if isinstance(self.cutoff, int) else None

    @property
    def is_check(self) -> bool:
        """Whether it is the outcome of a check, in its plain form: 1 if the check held."""
        return bool(self.family.check) and not self.settings

    @property
    def covers_checks(self) -> bool:
        """Whether every check of an answer counts in it."""
        return self.name == "Pass"

    @property
    def undecisive(self) -> str:
        """Why no verdict can be about it; empty if one can."""
        if self.family.is_geometric:
            return "is computed over all queries at once; a verdict needs a value per query"
        return "" if self.family.is_quality else "describes an answer and does not judge it"

    def setting(self, key: str) -> Setting:
        """Return the value of a parameter, its default if it was left out."""
        return self._all_settings[key]

    def number(self, key: str) -> float:
        """Return a numeric parameter."""
        value = self.setting(key)
        if isinstance(value, str):
            raise MeasureError(f"{self}: {key} is not a number")
        return value

    def of_columns(self, columns: GradedColumns) -> MeasureColumn:
        """Measure many graded rankings; falls back to one by one for families without columns."""
        if self.family.of_columns is not None:
            return self.family.of_columns(columns, self)
        values = [self(columns.grades(query)) for query in range(len(columns))]
        undefined = {
            query: value.reason
            for query, value in enumerate(values)
            if isinstance(value, Undefined)
        }
        numbers = [np.nan if isinstance(value, Undefined) else value for value in values]
        return MeasureColumn(np.array(numbers, dtype=np.float64), undefined)

    def aggregate(self, column: MeasureColumn) -> Value:
        """Bring a column down to one figure: a sum, a geometric mean or a mean."""
        if self.family.is_count:
            return column.total()
        return column.geometric_mean() if self.family.is_geometric else column.mean()


def parse_deciding(texts: Iterable[str]) -> tuple[Measure, ...]:
    """Parse measures of which the first, the headline, is to decide a verdict."""
    measures = tuple(parse_measure(text) for text in texts)
    if measures and (reason := measures[0].undecisive):
        raise MeasureError(
            f"{measures[0]} {reason}, so it cannot be the headline; put another measure first"
        )
    return measures


@lru_cache(maxsize=1024)
def parse_measure(text: str) -> Measure:
    """Parse `name(setting=value, …)@cutoff`; the inverse of `str(measure)`."""
    spelling = _SPELLING.fullmatch(text.strip())
    if spelling is None:
        raise MeasureError(
            f"cannot read {text!r} as a measure; write a name, parameters in brackets and a "
            "cutoff after @, as in nDCG@10 or P(rel=2)@5"
        )
    family = FAMILIES.get(spelling["name"])
    given = _parse_settings(family, spelling["settings"] or "", text)
    settings = tuple(
        (key, value)
        for key, value in sorted(given.items())
        if value != family.parameters[key].default
    )
    return Measure(family.name, settings, _parse_cutoff(family, spelling["cutoff"], text))


def _parse_settings(family: Family, inside: str, text: str) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    for part in filter(None, (piece.strip() for piece in inside.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in family.parameters:
            known = ", ".join(family.parameters) or "none"
            hint = f"; {family.hint}" if family.hint else ""
            raise MeasureError(
                f"{text}: {family.name} has no parameter {key!r} (it has: {known}){hint}"
            )
        if not equals or key in settings:
            raise MeasureError(f"{text}: write {key} once, as {key}=VALUE")
        settings[key] = family.parameters[key].parse(value, where=f"{text}: {key}")
    return settings


def _parse_cutoff(family: Family, cutoff: str | None, text: str) -> float | None:
    if cutoff is None:
        if family.needs_cutoff:
            raise MeasureError(f"{text}: {family.name} needs a cutoff, as in {family.example}")
        return None
    if family.cutoff is None:
        raise MeasureError(f"{text}: {family.name} takes no cutoff; write {family.example}")
    return family.cutoff(cutoff, where=f"{text}: the cutoff")
