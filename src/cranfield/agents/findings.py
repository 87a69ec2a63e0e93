"""What a check says about an answer: pass, fail or unknown, each with its place and reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["AnswerFinding", "CheckOutcome", "CheckResult", "conclude", "nothing_known"]


class CheckOutcome(StrEnum):
    """How a check ended."""

    PASS = "pass"  # noqa: S105 - an outcome, no password
    FAIL = "fail"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AnswerFinding:
    """One thing that is wrong with an answer, or that could not be resolved.

    `line` and `column` count from 1, and are None if the finding is about the whole answer.
    `symbol` is the full name that it is about (`json.loads`, `Path.reed_text`), if there is one.
    """

    check: str
    outcome: CheckOutcome
    reason: str
    line: int | None = None
    column: int | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check on one answer, and everything that it found.

    `resolved` counts the things that the check could decide about (names, tests), right and wrong
    ones; `unknown` counts those that it could not. A check passes if nothing is wrong among what it
    resolved, and is unknown if it resolved nothing: `findings` has the reasons.
    """

    check: str
    outcome: CheckOutcome
    findings: tuple[AnswerFinding, ...] = ()
    resolved: int = 0
    unknown: int = 0

    @property
    def failures(self) -> tuple[AnswerFinding, ...]:
        """The findings that fail the check."""
        return tuple(each for each in self.findings if each.outcome is CheckOutcome.FAIL)


def conclude(check: str, findings: Iterable[AnswerFinding], passed: int) -> CheckResult:
    """Make the result of a check from what it found and the number of things that were right."""
    kept = tuple(sorted(findings, key=lambda each: (each.line or 0, each.column or 0)))
    failed = sum(each.outcome is CheckOutcome.FAIL for each in kept)
    unknown = sum(each.outcome is CheckOutcome.UNKNOWN for each in kept)
    outcome = CheckOutcome.PASS
    if failed:
        outcome = CheckOutcome.FAIL
    elif unknown and not passed:
        outcome = CheckOutcome.UNKNOWN
    return CheckResult(check, outcome, kept, passed + failed, unknown)


def nothing_known(check: str, reason: str) -> CheckResult:
    """Make the result of a check that could not look at an answer at all."""
    return conclude(check, [AnswerFinding(check, CheckOutcome.UNKNOWN, reason)], passed=0)
