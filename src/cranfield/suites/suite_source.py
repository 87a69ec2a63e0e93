"""A suite as read from its file, and findings that point into it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.model import Suite

__all__ = ["Finding", "Severity", "SuiteSource"]


class Severity(StrEnum):
    """How much a finding matters: an error stops a run, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about a suite, and where it stands as far as that can be told.

    `file` is what the line is a line of: the suite, or one of the files in a suite that is a
    folder, or its ledger. A check fills it in.
    """

    severity: Severity
    message: str
    query_id: str = ""
    line: int | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class SuiteSource:
    """A suite as read, and where each query stands in its file, as far as that can be told.

    `path` is the file that the lines are lines of. `findings` is what the format noticed while
    reading and could live with, such as keys that it does not know.
    """

    suite: Suite
    path: Path
    lines: tuple[int | None, ...] = ()
    findings: tuple[Finding, ...] = ()

    def line_of(self, place: int) -> int | None:
        """Return the line of a query by its place in the suite."""
        return self.lines[place] if place < len(self.lines) else None

    def finding(self, severity: Severity, message: str, place: int | None = None) -> Finding:
        """Make a finding that points at a query by its place in the suite, or at no query."""
        if place is None:
            return Finding(severity, message)
        return Finding(severity, message, self.suite.queries[place].id, self.line_of(place))

    def error(self, message: str, place: int | None = None) -> Finding:
        """Make a finding that stops a run."""
        return self.finding(Severity.ERROR, message, place)

    def warning(self, message: str, place: int | None = None) -> Finding:
        """Make a finding that should be looked at."""
        return self.finding(Severity.WARNING, message, place)

    def note(self, message: str, place: int | None = None) -> Finding:
        """Make a finding that is good to know."""
        return self.finding(Severity.NOTE, message, place)
