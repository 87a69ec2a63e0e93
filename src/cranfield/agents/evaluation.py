"""Answers of agents, checked: what is right and wrong in each, task by task and arm by arm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import Submission, check_answers, is_right
from cranfield.agents.answers import extract_code
from cranfield.agents.findings import AnswerFinding, CheckOutcome, CheckResult
from cranfield.agents.recordings import AnswerState
from cranfield.errors import CranfieldError
from cranfield_shared.names import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cranfield.agents.recordings import AgentAnswer
    from cranfield.agents.tasks import Task

__all__ = ["ANSWERED", "AgentEvaluation", "CheckedAnswer", "evaluate_answers", "order_arms"]

ANSWERED = "answered"
"""The check that comes before all others: there is code to look at."""


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer with the outcome of every check; `code` is what was checked."""

    answer: AgentAnswer
    task: Task
    code: str
    results: tuple[CheckResult, ...]

    @property
    def is_right(self) -> bool | None:
        """Whether it passes all checks together; None if none could look at it."""
        return is_right(self.results)

    @property
    def failures(self) -> tuple[AnswerFinding, ...]:
        """Everything that is wrong with it."""
        return tuple(finding for each in self.results for finding in each.failures)

    def outcome(self, check: str) -> CheckOutcome | None:
        """Return how a check ended; None if it does not apply to the task."""
        return next((each.outcome for each in self.results if each.check == check), None)


@dataclass(frozen=True)
class AgentEvaluation:
    """All checked answers. `broken` were left out: the model or the search could not be reached.

    `order` has the arms that come first, in their order.
    """

    tasks: tuple[Task, ...]
    checked: tuple[CheckedAnswer, ...]
    broken: tuple[AgentAnswer, ...] = ()
    order: tuple[str, ...] = ()

    @cached_property
    def arms(self) -> tuple[str, ...]:
        """The arms in the order of the recordings, unless another is chosen."""
        answers = (*(each.answer for each in self.checked), *self.broken)
        return tuple(dict.fromkeys((*self.order, *(each.arm for each in answers))))

    @cached_property
    def checks(self) -> tuple[str, ...]:
        """The checks that looked at any answer, in their order."""
        return tuple(dict.fromkeys(each.check for one in self.checked for each in one.results))

    def of(self, arm: str, task: str) -> list[CheckedAnswer]:
        """Return the answers of an arm to a task, by repetition."""
        found = [
            each for each in self.checked if (each.answer.arm, each.answer.task) == (arm, task)
        ]
        return sorted(found, key=lambda each: each.answer.repeat)


def evaluate_answers(
    tasks: Sequence[Task],
    answers: Iterable[AgentAnswer],
    check: Callable[[Sequence[Submission]], Iterable[tuple[CheckResult, ...]]] = check_answers,
) -> AgentEvaluation:
    """Check answers to tasks; raises CranfieldError for a task that is not among them."""
    by_id = {task.id: task for task in tasks}
    given = list(answers)
    for each in given:
        if each.task not in by_id:
            raise CranfieldError(unknown_name("task", each.task, by_id))
    kept = [each for each in given if each.state is not AnswerState.ERROR]
    codes = [extract_code(each.answer, by_id[each.task].language) for each in kept]
    submissions = [
        Submission(code, by_id[each.task])
        for each, code in zip(kept, codes, strict=True)
        if code.strip()
    ]
    results = iter(check(submissions))
    checked = tuple(
        CheckedAnswer(
            each, by_id[each.task], code, (_answered(each, code), *_next_if(results, code))
        )
        for each, code in zip(kept, codes, strict=True)
    )
    broken = tuple(each for each in given if each.state is AnswerState.ERROR)
    order = tuple(dict.fromkeys(each.arm for each in given))
    return AgentEvaluation(tuple(tasks), checked, broken, order)


def order_arms(evaluation: AgentEvaluation, first: str | None) -> AgentEvaluation:
    """Return the evaluation with an arm first, the one that all others are compared with."""
    if first is None:
        return evaluation
    if first not in evaluation.arms:
        raise CranfieldError(unknown_name("arm", first, evaluation.arms))
    checked = sorted(evaluation.checked, key=lambda each: each.answer.arm != first)
    return replace(evaluation, checked=tuple(checked), order=(first, *evaluation.arms))


def _next_if(results: Iterable[tuple[CheckResult, ...]], code: str) -> tuple[CheckResult, ...]:
    return next(iter(results)) if code.strip() else ()


def _answered(answer: AgentAnswer, code: str) -> CheckResult:
    if code.strip():
        return CheckResult(ANSWERED, CheckOutcome.PASS, resolved=1)
    reason = {
        AnswerState.LIMIT: "no code by the time its turns, time or tokens were used up",
        AnswerState.REFUSED: "the model declined",
    }.get(answer.state, "there is no code in the answer")
    finding = AnswerFinding(ANSWERED, CheckOutcome.FAIL, reason)
    return CheckResult(ANSWERED, CheckOutcome.FAIL, (finding,), resolved=1)
