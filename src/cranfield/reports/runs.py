"""The report of `cranfield run`, and the formats it can take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cranfield.gates import apply_gate
from cranfield.registry import Registry
from cranfield.runs import summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cranfield.gates import GateResult
    from cranfield.model import Query
    from cranfield.runs import Answer, Outcomes, Run, Summary

__all__ = ["RUN_FORMATS", "ReportedRun", "RunFormat", "RunReport"]


@dataclass(frozen=True)
class ReportedRun:
    """A run with what a report shows of it, each worked out once."""

    run: Run

    @cached_property
    def outcomes(self) -> Outcomes:
        """What became of every query."""
        return self.run.outcomes()

    @cached_property
    def summary(self) -> Summary:
        """The means."""
        return summarise(self.run, self.outcomes)

    @cached_property
    def gate(self) -> GateResult:
        """What the suite's thresholds say."""
        return apply_gate(self.run.header.suite, self.summary)

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
