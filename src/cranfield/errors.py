"""Exceptions of cranfield, as one tree.

    CranfieldError
    ├── ComparisonError          runs that cannot be compared, and what differs
    ├── ExpectationError         an expectation that its rule cannot read
    │   └── PatternTimeoutError  a pattern that reached the time limit of a search
    ├── InputError               a file that cannot be read; has the file and the line
    ├── MeasureError             a measure's name, parameter or cutoff
    ├── SandboxRefusedError      a sandbox that cannot be built here; nothing was run
    ├── StatisticsError          data for which a test or an interval is undefined
    ├── StoreError               a store that cannot be used, or has no such run
    │   ├── DamagedStoreError    a store that does not hold what was written into it
    │   ├── ReadOnlyStoreError   a store that can be read, and not written
    │   └── StoreAwayError       a store whose database server cannot be reached
    ├── SystemUnusableError      a system that cannot be started, reached or trusted
    │   └── LostWorkersError     work that no worker of a cluster survived
    ├── UnjudgedError            a suite that judgments are to grade, and has none
    └── UnknownNameError         an unknown name; suggests near ones

Catch `CranfieldError` for everything that a user can fix. Each message says what is wrong, where,
and what to do. The command line prints the message alone; a traceback means a bug in cranfield.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield_shared.registry import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ComparisonError",
    "CranfieldError",
    "DamagedStoreError",
    "ExpectationError",
    "InputError",
    "LostWorkersError",
    "MeasureError",
    "PatternTimeoutError",
    "ReadOnlyStoreError",
    "SandboxRefusedError",
    "StatisticsError",
    "StoreAwayError",
    "StoreError",
    "SystemUnusableError",
    "UnjudgedError",
    "UnknownNameError",
]


_MOST_LISTED = 30
"""The number of mistakes of one file that a message lists."""


class CranfieldError(Exception):
    """A mistake that the user can fix; the message says how."""


class ComparisonError(CranfieldError):
    """Runs that cannot be compared, because they do not measure the same thing."""


class ExpectationError(CranfieldError):
    """An expectation that its rule cannot read."""


class PatternTimeoutError(ExpectationError):
    """A search that reached its time limit: the pattern backtracks catastrophically."""


class InputError(CranfieldError):
    """A file that cannot be read, or does not hold what it should.

    The message starts with `file:line:`, which editors and terminals can jump to. `parts` are the
    single mistakes of a file that has several; `key` is the unknown key that one is about.
    """

    def __init__(self, message: str, *, file: str, line: int | None = None, key: str = "") -> None:
        self.file = file
        self.line = line
        self.key = key
        self.message = message
        self.parts: tuple[InputError, ...] = (self,)
        place = file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {message}")

    @classmethod
    def join(cls, problems: Iterable[InputError]) -> InputError:
        """Make one error of all mistakes of a file, in the order of their lines."""
        parts = [part for problem in problems for part in problem.parts]
        parts.sort(key=lambda part: part.line or 0)
        if len(parts) == 1:
            return parts[0]
        lines = [str(part) for part in parts[:_MOST_LISTED]]
        if len(parts) > _MOST_LISTED:
            lines.append(f"… and {len(parts) - _MOST_LISTED} more")
        listed = "".join(f"\n  {line}" for line in lines)
        joined = cls(f"{len(parts)} mistakes:{listed}", file=parts[0].file)
        joined.parts = tuple(parts)
        return joined


class MeasureError(CranfieldError):
    """A measure that cannot be parsed or built."""


class SandboxRefusedError(CranfieldError):
    """A sandbox that cannot be built here; nothing was run."""


class StatisticsError(CranfieldError):
    """Data for which a statistic is undefined."""


class StoreError(CranfieldError):
    """A store of runs that cannot be used, or lacks a run."""


class DamagedStoreError(StoreError):
    """A store that does not hold what was written into it; `reason` says what was found."""

    def __init__(self, name: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"{name} is damaged, and was left as it is: {reason}. `cranfield runs audit` says "
            f"which runs are whole; `cranfield runs import {name} --store NEW` copies those"
        )


class ReadOnlyStoreError(StoreError):
    """A store that can be read, and not written."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} cannot be written: it or its folder is read-only; its runs can be listed, "
            "shown and compared. Name another with --store"
        )


class StoreAwayError(StoreError):
    """A store whose database server cannot be reached.

    `transaction` is the number of the transaction that was being committed when it went away.
    """

    def __init__(self, name: str, reason: str, transaction: str | None = None) -> None:
        self.reason = reason
        self.transaction = transaction
        super().__init__(
            f"the database server of {name} cannot be reached: {reason}. Nothing that was stored "
            "is lost; start the server, or name another store with --store"
        )


class SystemUnusableError(CranfieldError):
    """A system that cannot be started, reached or trusted; no query was run."""


class LostWorkersError(SystemUnusableError):
    """Work that no worker of a cluster survived."""


class UnjudgedError(CranfieldError):
    """A suite that judgments are to grade, and that nobody has judged."""


class UnknownNameError(CranfieldError):
    """A name that is not registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        super().__init__(unknown_name(kind, name, known))
