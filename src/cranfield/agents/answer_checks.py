"""The checks of answers, by name, and what each says: pass, fail or unknown, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cranfield.agents.tasks import Task

__all__ = [
    "CHECKS",
    "AnswerCheck",
    "AnswerFinding",
    "CheckOutcome",
    "CheckResult",
    "NameReference",
    "ReferenceState",
    "ResolvedAnswer",
    "Submission",
    "applicable_checks",
    "check_answer",
    "check_answers",
    "checks_of_names",
    "conclude",
    "is_right",
    "nothing_known",
]


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


# What a check of names looks at.


class ReferenceState(StrEnum):
    """What is known of a name."""

    FOUND = "found"
    MISSING = "missing"
    OTHER_VERSION = "other version"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NameReference:
    """One use of a module, name, attribute or keyword argument; `line` and `column` count from 1.

    `deprecated` is the message of a mark of deprecation, and empty if there is none.
    """

    kind: str
    symbol: str
    line: int
    column: int
    state: ReferenceState
    reason: str = ""
    deprecated: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedAnswer:
    """The references of one answer, or the reason why there are none."""

    references: tuple[NameReference, ...] = ()
    problem: str = ""


# The checks, and how they are run.


class Submission(NamedTuple):
    """An answer (code alone) to a task."""

    answer: str
    task: Task


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """A check: `run` looks at many answers at once and returns one result for each, in order.

    Many at once, because what is known of a target is read once for all answers. The findings of a
    check that `is_about_names` are wrong names, which a search could have prevented.
    """

    name: str
    summary: str
    languages: tuple[str, ...]
    run: Callable[[Sequence[Submission]], Sequence[CheckResult]]
    applies: Callable[[Task], bool] = lambda _: True
    is_about_names: bool = False


CHECKS: Registry[AnswerCheck] = Registry("check", AnswerCheck, group="cranfield.answer_checks")

_BUILT_IN = {
    "parses": "PARSES",
    "compiles": "COMPILES",
    "exists": "EXISTS",
    "available": "AVAILABLE",
    "deprecated": "DEPRECATED",
    "tests": "TESTS",
}
for _name, _attribute in _BUILT_IN.items():
    CHECKS.register_reference(_name, f"cranfield.agents.built_in_checks:{_attribute}")


def applicable_checks(task: Task) -> list[AnswerCheck]:
    """List the checks that look at answers to a task, built-ins in their order, then plug-ins."""
    checks = map(CHECKS.get, _in_order())
    return [each for each in checks if task.language in each.languages and each.applies(task)]


def checks_of_names() -> list[str]:
    """List the checks that are about names; the first of them looks at every name."""
    return [name for name in _in_order() if CHECKS.get(name).is_about_names]


def _in_order() -> list[str]:
    """List the names of checks: built-ins in their order, then those of plug-ins."""
    return [*_BUILT_IN, *(name for name in CHECKS.names() if name not in _BUILT_IN)]


def check_answers(submissions: Sequence[Submission]) -> list[tuple[CheckResult, ...]]:
    """Check many answers; each has a result of every check that applies to its task, in order."""
    found: list[dict[str, CheckResult]] = [{} for _ in submissions]
    wanted = [applicable_checks(each.task) for each in submissions]
    checks = {check.name: check for each in wanted for check in each}
    for check in checks.values():
        chosen = [number for number, each in enumerate(wanted) if check in each]
        results = check.run([submissions[number] for number in chosen])
        for number, result in zip(chosen, results, strict=True):
            found[number][check.name] = result
    return [
        tuple(results[check.name] for check in each)
        for results, each in zip(found, wanted, strict=True)
    ]


def check_answer(answer: str, task: Task) -> tuple[CheckResult, ...]:
    """Check one answer to a task."""
    return check_answers([Submission(answer, task)])[0]


def is_right(results: Sequence[CheckResult]) -> bool | None:
    """Return whether an answer passes all checks together; None if no check could look at it.

    A check that is unknown neither passes nor fails an answer.
    """
    outcomes = {each.outcome for each in results} - {CheckOutcome.UNKNOWN}
    return None if not outcomes else CheckOutcome.FAIL not in outcomes
