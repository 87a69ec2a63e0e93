"""Suites as they are written down: each format recognises its own, and all come out alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.registry import Registry
from cranfield.suites.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cranfield.model import Suite

__all__ = ["FORMATS", "SuiteFormat", "SuiteSource", "read_source"]


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


@dataclass(frozen=True, slots=True)
class SuiteFormat:
    """A way to write suites down: how it is recognised, and how it is read."""

    name: str
    summary: str
    recognises: Callable[[Path], bool]
    read: Callable[[Path], SuiteSource]


FORMATS: Registry[SuiteFormat] = Registry("suite format", SuiteFormat, group="cranfield.suites")


def read_source(path: Path) -> SuiteSource:
    """Read a suite in whatever format it is written."""
    if not path.exists():
        raise InputError("does not exist; give a suite file or folder", file=str(path))
    for name in FORMATS.names():
        form = FORMATS.get(name)
        if form.recognises(path):
            return form.read(path)
    known = "; ".join(FORMATS.get(name).summary for name in FORMATS.names())
    raise InputError(f"is no suite that we can read; there are: {known}", file=str(path))
