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

from typing import TYPE_CHECKING

from cranfield_shared import unknown_name

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
        super().__init__(unknown_name(kind, name, known))
