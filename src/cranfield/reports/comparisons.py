"""The report of `cranfield compare`, and the formats it can take."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.compare import Comparison, QueryChange, SuiteComparison

__all__ = ["COMPARE_FORMATS", "CompareFormat", "CompareReport", "Show"]


class Show(StrEnum):
    """Which queries a report lists one by one; an overview has a line a suite and nothing else."""

    CHANGED = "changed"
    ALL = "all"
    FAILED = "failed"
    NONE = "none"
    OVERVIEW = "overview"


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
            Show.NONE: lambda _: False,
            Show.OVERVIEW: lambda _: False,
        }[self.show]
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
