"""The report of `cranfield run`, and the formats it can take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.gates import GatedRun
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cranfield.gates import GateResult
    from cranfield.model import Query
    from cranfield.runs import Answer

__all__ = ["RUN_FORMATS", "ReportedRun", "RunFormat", "RunReport"]


class ReportedRun(GatedRun):
    """A run with what a report shows of it; it is held to its thresholds and to no baseline."""

    @property
    def gate(self) -> GateResult:
        """What the suite's thresholds say."""
        return self.thresholds

    def answers(self) -> Iterator[tuple[Query, Answer]]:
        """Yield every query with its answer of the first repetition."""
        queries = self.run.header.suite.queries
        for answer in self.run.store.answers(self.run.header.id):
            if answer.repeat == 0:
                yield queries[answer.place], answer


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run a suite and system."""

    runs: Sequence[ReportedRun]
    per_query: bool = False


@dataclass(frozen=True, slots=True)
class RunFormat:
    """A way to write a report of runs; `summary` is shown where the report goes to a file."""

    name: str
    render: Callable[[RunReport], str]
    summary: Callable[[RunReport], str] | None = None


RUN_FORMATS: Registry[RunFormat] = Registry("format", RunFormat, group="cranfield.run_formats")
