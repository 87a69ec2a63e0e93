"""What a rule is, and the registry of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from cranfield.errors import ExpectationError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cranfield.model import Grades, Hit, Response, Value

__all__ = ["RULES", "Rule", "RuleContext", "RuleKind", "Target", "read_as"]

Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True)
class Target:
    """One judged answer and its name for readers; a grade of 0 means judged and not relevant."""

    name: str
    grade: int = 1


@dataclass(frozen=True, slots=True)
class RuleContext:
    """What a rule may read in addition to the query: the suite's folder, the system's database."""

    folder: Path | None = None
    database: Path | None = None


class Rule:
    """What makes an answer right. A rule names targets and says which of them a hit meets.

    A rule may also check the answer as a whole, after the hits are graded; a query whose rules
    have no targets expects no hits. `targets_are_all` is False if further right answers may
    exist, so that recall is undefined.
    """

    targets: tuple[Target, ...] = ()
    targets_are_all: bool = True

    def meets(self, hit: Hit) -> tuple[int, ...]:  # noqa: ARG002 - for rules to override
        """Return the positions of the targets that a hit meets."""
        return ()

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Return what else was expected, by name: 1 if it held, 0 if not."""
        return {}


@dataclass(frozen=True, slots=True)
class RuleKind:
    """A rule as it is written in a suite: its name, and how its expectation is read.

    A rule that queries the system's own database has `resolve`, which stores the result in the
    expectation, so that a stored run can be graded again without the database.
    """

    name: str
    summary: str
    example: str
    read: Callable[[Any, RuleContext], Rule]
    resolve: Callable[[Any, RuleContext], Any] | None = None


RULES: Registry[RuleKind] = Registry("rule", RuleKind, group="cranfield.rules")


def read_as(value: Any, shape: type[Shape], rule: str) -> Shape:
    """Convert a rule's expectation to a type; an error names the place that does not fit."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as problem:
        example = RULES.get(rule).example
        raise ExpectationError(
            f"{rule}: {_in_words(str(problem))}; write it as in: {example}"
        ) from None


def _in_words(problem: str) -> str:
    message, _, place = problem.partition(" - at `$")
    where = place.rstrip("`").lstrip(".")
    return f"{where}: {message[0].lower()}{message[1:]}" if where else message.lower()
