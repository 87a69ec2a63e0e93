"""Answers of agents: as they are recorded, the code in them, and what is right and wrong in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import msgspec

from cranfield.agents.answer_checks import (
    AnswerFinding,
    CheckOutcome,
    CheckResult,
    Submission,
    check_answers,
    checks_of_names,
    is_right,
)
from cranfield.errors import CranfieldError, InputError
from cranfield_shared.registry import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from cranfield.agents.tasks import Task

__all__ = [
    "ANSWERED",
    "AgentAnswer",
    "AgentEvaluation",
    "AgentSearch",
    "AnswerState",
    "CheckedAnswer",
    "evaluate_answers",
    "extract_code",
    "order_arms",
    "read_recordings",
    "write_recordings",
]

_LARGEST = 500_000_000
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class AnswerState(StrEnum):
    """How an agent came to its end."""

    ANSWERED = "answered"
    LIMIT = "limit"
    """It ran out of turns, time or tokens: what it wrote by then counts."""
    REFUSED = "refused"
    """The model declined."""
    ERROR = "error"
    """The model or the search could not be reached: this says nothing about either arm."""


class AgentSearch(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A search that an agent made, and the ids of the hits that it was shown, best first."""

    query: str
    hits: tuple[str, ...] = ()


class AgentAnswer(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an agent answered to a task in one arm.

    `read` are the ids of documents that it opened or was shown in full. `tokens` are those of the
    whole conversation.
    """

    task: _Name
    arm: _Name
    answer: str
    repeat: Annotated[int, msgspec.Meta(ge=0)] = 0
    state: AnswerState = AnswerState.ANSWERED
    message: str = ""
    model: str = ""
    searches: tuple[AgentSearch, ...] = ()
    read: tuple[str, ...] = ()
    seconds: float | None = None
    tokens: int | None = None


def read_recordings(path: Path) -> tuple[AgentAnswer, ...]:
    """Read recorded answers; raises one InputError with every line that does not fit."""
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"is larger than {_LARGEST:,} bytes", file=str(path))
        lines = path.read_bytes().split(b"\n")
    except OSError as problem:
        raise InputError(f"cannot be read: {problem}", file=str(path)) from None
    decoder = msgspec.json.Decoder(AgentAnswer)
    answers: dict[tuple[str, str, int], AgentAnswer] = {}
    problems: list[InputError] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            answer = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            problems.append(InputError(str(problem), file=str(path), line=number))
            continue
        key = (answer.task, answer.arm, answer.repeat)
        if key in answers:
            message = (
                f"answers {answer.task!r} in {answer.arm!r} again; number repetitions with `repeat`"
            )
            problems.append(InputError(message, file=str(path), line=number))
        answers[key] = answer
    if problems:
        raise InputError.join(problems)
    if not answers:
        raise InputError("has no answer; write one JSON object a line", file=str(path))
    return tuple(answers.values())


def write_recordings(answers: Iterable[AgentAnswer]) -> bytes:
    """Write answers so `read_recordings` reads the same."""
    return b"".join(msgspec.json.encode(each) + b"\n" for each in answers)


# Code in what a model wrote.

_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<label>[\w+#.-]*)[^\n]*\n"
    r"(?P<code>.*?)(?:^(?P=mark)[ \t]*$|\Z)",
    re.M | re.S,
)
_LABELS = {"python": {"python", "py", "python3", ""}, "swift": {"swift", ""}}


def extract_code(text: str, language: str) -> str:
    """Return the last fenced block of a language, without its fences.

    A block without a label counts. A text without such a block is taken as code, unless it has
    blocks of other languages only: then there is no code, and the result is empty.
    """
    blocks = list(_FENCE.finditer(text))
    labels = _LABELS.get(language, {language, ""})
    codes = [each["code"] for each in blocks if each["label"].lower() in labels]
    if codes:
        return codes[-1]
    return "" if blocks else text


# Answers with the outcome of every check.

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

    @property
    def names(self) -> CheckResult | None:
        """What the first check of names found, which looks at all of them; None if none did."""
        wanted = checks_of_names()[:1]
        return next((each for each in self.results if each.check in wanted), None)

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
