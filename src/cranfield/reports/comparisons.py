"""The report of `cranfield compare`, and the formats it can take."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.comparisons import Comparison, QueryChange, SuiteComparison

__all__ = ["COMPARE_FORMATS", "CompareFormat", "CompareReport", "Show"]


class Show(StrEnum):
    """How much a text tells, from the least to the most.

    Reports in other forms are whole at any level, but for the queries that they list.
    """

    NONE = "none"
    """Nothing."""
    OVERVIEW = "overview"
    """A line a suite."""
    MEASURES = "measures"
    """Every suite with its verdict, its measures and how many queries changed, none by itself."""
    FAILED = "failed"
    """Besides, the queries that were not answered."""
    CHANGED = "changed"
    """Besides, the queries that changed."""
    ALL = "all"
    """Besides, all queries."""


@dataclass(frozen=True, slots=True)
class CompareReport:
    """A comparison, and which queries are listed."""

    comparison: Comparison
    show: Show = Show.CHANGED

    def shown(self, suite: SuiteComparison) -> list[QueryChange]:
        """Return the queries to list: what lost most first, what gained most last."""
        wanted: Callable[[QueryChange], bool] = {
            Show.CHANGED: lambda change: change.changed,
            Show.ALL: lambda _: True,
            Show.FAILED: lambda change: change.failed,
        }.get(self.show, lambda _: False)
        listed = [change for change in suite.changes if wanted(change)]
        if self.show is Show.ALL:
            return listed
        return sorted(listed, key=lambda change: change.difference)


@dataclass(frozen=True, slots=True)
class CompareFormat:
    """A way to write a report of a comparison."""

    name: str
    render: Callable[[CompareReport], str]


COMPARE_FORMATS: Registry[CompareFormat] = Registry(
    "format", CompareFormat, group="cranfield.compare_formats"
)
