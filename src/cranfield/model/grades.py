"""Graded rankings and measured values: all that measures ever see and return."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Grades", "Missing", "TieRule", "Undefined", "Value"]


@dataclass(frozen=True, slots=True)
class Undefined:
    """The absence of a value, with the reason; it is neither a number nor true or false."""

    reason: str

    def __str__(self) -> str:
        return f"undefined: {self.reason}"

    def __bool__(self) -> bool:
        raise TypeError(f"an undefined value is neither true nor false ({self.reason})")


Value: TypeAlias = float | Undefined
"""A measured value: a number, or no number and the reason why."""


@dataclass(frozen=True, slots=True)
class Grades:
    """The graded ranking of one query.

    ranked
        The grade of each hit in rank order. 0 is judged and not relevant, `None` is a hole (nobody
        judged it), a negative grade was in the judging pool but not judged.
    judgments
        The grades of everything that was judged for the query, retrieved or not; `None` if it is
        unknown how many right answers exist (a predicate).
    targets
        Which target each hit met, `None` for none. Without it, every hit is a target of its own.
        A second hit of one target earns nothing in measures bounded by the number of targets.
    checks
        What else was expected of the answer, by name: 1 if it held, 0 if not.
    pass_rank
        The rank by which a relevant hit has to appear for the query to pass.
    expects_hits
        Whether any hit was expected at all; a query that only checks the route has no precision.
    hole_grade
        The highest grade that a hole may turn out to have, if a value that depends on it is to be
        undefined; `None` if holes count as not relevant.
    """

    ranked: tuple[int | None, ...]
    judgments: tuple[int, ...] | None = None
    targets: tuple[int | None, ...] | None = None
    checks: Mapping[str, Value] = field(default_factory=dict)
    pass_rank: int = 3
    expects_hits: bool = True
    hole_grade: int | None = None

    def __post_init__(self) -> None:
        if self.targets is not None and len(self.targets) != len(self.ranked):
            raise ValueError(
                f"targets has {len(self.targets)} entries for {len(self.ranked)} hits; "
                "give one target (or None) for each hit"
            )

    @property
    def earned(self) -> tuple[int | None, ...]:
        """The grades with every repeated target set to 0."""
        if self.targets is None:
            return self.ranked
        met: set[int] = set()
        earned: list[int | None] = []
        for grade, target in zip(self.ranked, self.targets, strict=True):
            repeated = target is not None and target in met
            earned.append(0 if repeated else grade)
            if target is not None:
                met.add(target)
        return tuple(earned)

    def count_holes(self, depth: int | None = None) -> int:
        """Count the hits that nobody judged, down to a rank."""
        return self.ranked[:depth].count(None)

    def fill_holes(self, grade: int) -> Grades:
        """Return the ranking as it would be if every hole had this grade, each for itself."""
        if None not in self.ranked:
            return replace(self, hole_grade=None)
        count = self.ranked.count(None)
        targets = self.targets
        if targets is not None:
            numbers = iter(range(-1, -1 - count, -1))
            pairs = zip(self.ranked, targets, strict=True)
            targets = tuple(next(numbers) if given is None else target for given, target in pairs)
        judgments = self.judgments
        return replace(
            self,
            ranked=tuple(grade if given is None else given for given in self.ranked),
            judgments=None if judgments is None else (*judgments, *[grade] * count),
            targets=targets,
            hole_grade=None,
        )


class Missing(StrEnum):
    """How judged queries without results in a run are scored."""

    ZERO = "zero"
    SKIP = "skip"
    ERROR = "error"


class TieRule(StrEnum):
    """How hits with equal scores are ordered."""

    DOCUMENT = "document"
    """By document id, highest first, as trec_eval does."""

    GIVEN = "given"
    """By the file's rank column, then by line."""
