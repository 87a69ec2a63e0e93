"""What a measure's definition consists of, and the registry of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from cranfield.errors import MeasureError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cranfield.measures.columns import GradedColumns, MeasureColumn
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

    OfGrades: TypeAlias = Callable[[Grades, Measure], Value]
    OfColumns: TypeAlias = Callable[[GradedColumns, Measure], MeasureColumn]

__all__ = [
    "FAMILIES",
    "REL",
    "Family",
    "Parameter",
    "Setting",
    "any_word",
    "grade",
    "multiple",
    "one_of",
    "proper_fraction",
    "recall_level",
    "register_family",
    "register_geometric",
    "register_ranked",
    "register_uncut",
    "whole_number",
]

Setting: TypeAlias = int | float | str


class SettingParser(Protocol):
    """Turns the text of a setting into its value, or raises MeasureError naming `where`."""

    def __call__(self, text: str, *, where: str) -> Setting: ...


class CutoffParser(Protocol):
    """Turns the text after @ into a cutoff, or raises MeasureError naming `where`."""

    def __call__(self, text: str, *, where: str) -> int | float: ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of a family: how it is read, and what it is when left out."""

    parse: SettingParser
    default: Setting
    always_shown: bool = False


@dataclass(frozen=True, slots=True)
class Family:
    """The definition of a measure, apart from its parameters and cutoff.

    `of_grades` is the definition on one graded ranking. `of_columns` is the same, vectorised over
    many queries; a family without it is computed query by query. Both must agree to the last bit.
    A count is summed over queries; a geometric measure is averaged geometrically; a measure that
    describes the data and not its quality is not compared. A monotone measure never falls when a
    better hit moves up, which makes its bounds over the orders of tied hits computable. A bounded
    one is never above 1. A measure that needs hits is undefined for a query that expects none.
    `check` names the check of an answer that the measure is the outcome of, if it is one.
    """

    name: str
    summary: str
    example: str
    of_grades: OfGrades
    of_columns: OfColumns | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    cutoff: CutoffParser | None = None
    needs_cutoff: bool = False
    is_count: bool = False
    is_geometric: bool = False
    is_quality: bool = True
    is_monotone: bool = False
    is_bounded: bool = True
    needs_hits: bool = True
    check: str = ""
    hint: str = ""


FAMILIES: Registry[Family] = Registry("measure", Family, group="cranfield.measures")


def whole_number(text: str, *, where: str) -> int:
    """Read a whole number from 1 to a billion."""
    return _whole(text, 10**9, where)


def grade(text: str, *, where: str) -> int:
    """Read a grade from 1 to 127, the highest that judgments may have."""
    return _whole(text, 127, where)


def proper_fraction(text: str, *, where: str) -> float:
    """Read a number strictly between 0 and 1."""
    value = _number(text, where=where)
    if not 0 < value < 1:
        raise MeasureError(f"{where} must lie between 0 and 1, not {text!r}")
    return value


def recall_level(text: str, *, where: str) -> float:
    """Read a number from 0 to 1, both allowed."""
    value = _number(text, where=where)
    if not 0 <= value <= 1:
        raise MeasureError(f"{where} is a recall level from 0 to 1, not {text!r}")
    return value


def multiple(text: str, *, where: str) -> float:
    """Read a finite number above 0."""
    value = _number(text, where=where)
    if not 0 < value < float("inf"):
        raise MeasureError(f"{where} must be a number above 0, not {text!r}")
    return value


def one_of(*choices: str) -> SettingParser:
    """Make a parser that accepts only these words."""

    def parse(text: str, *, where: str) -> str:
        if text not in choices:
            raise MeasureError(f"{where} must be {' or '.join(choices)}, not {text!r}")
        return text

    return parse


def any_word(text: str, *, where: str) -> str:
    """Accept any name; an empty one is refused."""
    if not text:
        raise MeasureError(f"{where} is empty; write a name after =")
    return text


REL = Parameter(grade, 1)
"""The lowest grade that counts as relevant."""


def register_family(family: Family, *, aliases: tuple[str, ...] = ()) -> None:
    """Register a measure under its name."""
    FAMILIES.register(family.name, family, aliases=aliases)


def register_ranked(
    name: str,
    summary: str,
    of_grades: OfGrades,
    of_columns: OfColumns,
    *,
    aliases: tuple[str, ...] = (),
    needs_cutoff: bool = False,
) -> None:
    """Register a monotone measure with a relevance threshold and a rank cutoff."""
    family = Family(
        name=name,
        summary=summary,
        example=f"{name}@10",
        of_grades=of_grades,
        of_columns=of_columns,
        parameters={"rel": REL},
        cutoff=whole_number,
        needs_cutoff=needs_cutoff,
        is_monotone=True,
    )
    register_family(family, aliases=aliases)


def register_uncut(  # noqa: PLR0913 - the fields of a family
    name: str,
    summary: str,
    of_grades: OfGrades,
    of_columns: OfColumns,
    *,
    aliases: tuple[str, ...] = (),
    is_count: bool = False,
    is_monotone: bool = True,
) -> None:
    """Register a measure with a relevance threshold and no cutoff."""
    family = Family(
        name=name,
        summary=summary,
        example=name,
        of_grades=of_grades,
        of_columns=of_columns,
        parameters={"rel": REL},
        is_count=is_count,
        is_quality=not is_count,
        is_monotone=is_monotone,
        is_bounded=not is_count,
    )
    register_family(family, aliases=aliases)


def register_geometric(name: str, summary: str, of_grades: OfGrades, of_columns: OfColumns) -> None:
    """Register the geometric mean of a monotone measure; paired tests are of arithmetic means."""
    family = Family(
        name=name,
        summary=summary,
        example=name,
        of_grades=of_grades,
        of_columns=of_columns,
        parameters={"rel": REL},
        is_geometric=True,
        is_quality=False,
        is_monotone=True,
    )
    register_family(family)


def _whole(text: str, highest: int, where: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(highest))
    if not is_number or not 1 <= int(text) <= highest:
        raise MeasureError(
            f"{where} must be a whole number of at least 1 and at most {highest}, not {text[:40]!r}"
        )
    return int(text)


def _number(text: str, *, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise MeasureError(f"{where} must be a number, not {text!r}") from None
