"""Does an answer pass the tests of its task?"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import AnswerCheck
from cranfield.agents.findings import AnswerFinding, CheckOutcome, conclude, nothing_known
from cranfield.agents.sandbox import find_interpreter, run_tests
from cranfield.errors import SandboxRefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.agents.answer_checks import Submission
    from cranfield.agents.findings import CheckResult

__all__ = ["TESTS"]

_MOST_AT_ONCE = 8


def _run(submissions: Sequence[Submission]) -> list[CheckResult]:
    """Run the tests of several answers at once: each has a sandbox of its own."""
    with ThreadPoolExecutor(min(_MOST_AT_ONCE, os.cpu_count() or 1)) as pool:
        return list(pool.map(_run_one, submissions))


def _run_one(submission: Submission) -> CheckResult:
    interpreter = find_interpreter(submission.task.target)
    if isinstance(interpreter, str):
        return nothing_known("tests", interpreter)
    files = {"answer.py": submission.answer, "task_tests.py": submission.task.tests}
    try:
        report = run_tests(files, interpreter)
    except SandboxRefusedError as problem:
        return nothing_known("tests", str(problem))
    if report.problem:
        failure = AnswerFinding("tests", CheckOutcome.FAIL, report.problem)
        return conclude("tests", [failure], passed=0)
    failures = [
        AnswerFinding("tests", CheckOutcome.FAIL, f"{each.name}: {each.reason}", each.line)
        for each in report.outcomes
        if each.reason
    ]
    return conclude("tests", failures, passed=len(report.outcomes) - len(failures))


TESTS = AnswerCheck(
    "tests",
    "the tests of the task pass, in a sandbox",
    ("python",),
    _run,
    applies=lambda task: bool(task.tests),
)
