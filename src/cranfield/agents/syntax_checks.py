"""Does an answer parse, and does it compile?"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import AnswerCheck
from cranfield.agents.findings import (
    AnswerFinding,
    CheckOutcome,
    CheckResult,
    conclude,
    nothing_known,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.agents.answer_checks import Submission

__all__ = ["COMPILES", "PARSES"]


def _each(
    run: Callable[[Submission], CheckResult],
) -> Callable[[Sequence[Submission]], list[CheckResult]]:
    return lambda submissions: [run(each) for each in submissions]


def _python_parses(submission: Submission) -> CheckResult:
    return _attempt("parses", lambda: ast.parse(submission.answer))


def _python_compiles(submission: Submission) -> CheckResult:
    return _attempt("compiles", lambda: compile(submission.answer, "answer.py", "exec"))


def _attempt(check: str, action: Callable[[], object]) -> CheckResult:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            action()
    except SyntaxError as problem:
        failure = AnswerFinding(
            check, CheckOutcome.FAIL, problem.msg, problem.lineno, problem.offset
        )
        return conclude(check, [failure], passed=0)
    except (ValueError, RecursionError, MemoryError) as problem:
        failure = AnswerFinding(check, CheckOutcome.FAIL, str(problem) or "nested too deeply")
        return conclude(check, [failure], passed=0)
    return conclude(check, [], passed=1)


def _parse(submission: Submission) -> CheckResult:
    if submission.task.language == "python":
        return _python_parses(submission)
    return nothing_known("parses", "Swift is not parsed yet")


def _compile(submission: Submission) -> CheckResult:
    if submission.task.language == "python":
        return _python_compiles(submission)
    return nothing_known("compiles", "swiftc is not installed")


PARSES = AnswerCheck("parses", "the code parses", ("python", "swift"), _each(_parse))
COMPILES = AnswerCheck("compiles", "the code compiles", ("python", "swift"), _each(_compile))
