"""What can go wrong, as one tree.

    CranfieldError
    ├── ComparisonError       runs that cannot be set side by side, and what differs
    ├── ExpectationError      what a query expects, in a form that its rule cannot use
    ├── InputError            a file a person gave us; knows the file and the line
    ├── MeasureError          a measure's name, parameter or cutoff
    ├── StatisticsError       data that a test or an interval cannot be computed from
    ├── StoreError            a store that cannot be used, or has no such run
    ├── SystemUnusableError   a system that cannot be asked anything
    └── UnknownNameError      a name that no registered thing has; suggests near ones

Every message says what was wrong, what was got and what to do. The command line prints
the message alone; a traceback means a defect in cranfield.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ComparisonError",
    "CranfieldError",
    "ExpectationError",
    "InputError",
    "MeasureError",
    "StatisticsError",
    "StoreError",
    "SystemUnusableError",
    "UnknownNameError",
]


class CranfieldError(Exception):
    """A mistake that its maker can mend; the message says how."""


class ComparisonError(CranfieldError):
    """Runs that do not measure the same thing."""


class ExpectationError(CranfieldError):
    """An expectation that its rule cannot use."""


class InputError(CranfieldError):
    """A file that cannot be read as what it should be.

    The place comes first, in the form that editors and terminals can jump to: `file:line: …`.
    """

    def __init__(self, message: str, *, file: str, line: int | None = None) -> None:
        self.file = file
        self.line = line
        place = file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {message}")


class MeasureError(CranfieldError):
    """A measure that cannot be parsed or built."""


class StatisticsError(CranfieldError):
    """Data that the asked statistic is not defined on."""


class StoreError(CranfieldError):
    """A store of runs that cannot be used as asked."""


class SystemUnusableError(CranfieldError):
    """A system that cannot be started, reached or trusted; no query was asked."""


class UnknownNameError(CranfieldError):
    """A name that is not registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        known = sorted(known, key=str.casefold)
        near = near_names(name, known)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
        super().__init__(f"unknown {kind} {name!r}: {hint}")


def near_names(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names closest to `name`, ignoring case, best first."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), by_folded, n=most, cutoff=0.5)
    return [by_folded[folded] for folded in close]
