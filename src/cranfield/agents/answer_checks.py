"""The checks of answers, by name: built-ins and those of plug-ins alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cranfield.agents.findings import CheckOutcome
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.agents.findings import CheckResult
    from cranfield.agents.tasks import Task

__all__ = [
    "CHECKS",
    "AnswerCheck",
    "Submission",
    "applicable_checks",
    "check_answer",
    "check_answers",
    "is_right",
]


class Submission(NamedTuple):
    """An answer (code alone) to a task."""

    answer: str
    task: Task


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """A check: `run` looks at many answers at once and returns one result for each, in order.

    Many at once, because what is known of a target is read once for all answers.
    """

    name: str
    summary: str
    languages: tuple[str, ...]
    run: Callable[[Sequence[Submission]], Sequence[CheckResult]]
    applies: Callable[[Task], bool] = lambda _: True


CHECKS: Registry[AnswerCheck] = Registry("check", AnswerCheck, group="cranfield.answer_checks")

_BUILT_IN = {
    "parses": "syntax_checks:PARSES",
    "compiles": "syntax_checks:COMPILES",
    "exists": "name_checks:EXISTS",
    "available": "name_checks:AVAILABLE",
    "deprecated": "name_checks:DEPRECATED",
    "tests": "task_tests:TESTS",
}
for _name, _place in _BUILT_IN.items():
    CHECKS.register_reference(_name, f"cranfield.agents.{_place}")


def applicable_checks(task: Task) -> list[AnswerCheck]:
    """List the checks that look at answers to a task, built-ins in their order, then plug-ins."""
    names = [*_BUILT_IN, *(name for name in CHECKS.names() if name not in _BUILT_IN)]
    checks = map(CHECKS.get, names)
    return [each for each in checks if task.language in each.languages and each.applies(task)]


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
