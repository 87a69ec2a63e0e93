"""Does an answer pass the tests of its task?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import AnswerCheck
from cranfield.agents.findings import nothing_known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.agents.answer_checks import Submission
    from cranfield.agents.findings import CheckResult

__all__ = ["TESTS"]


def _run(submissions: Sequence[Submission]) -> list[CheckResult]:
    return [nothing_known("tests", "tests are not run") for _ in submissions]


TESTS = AnswerCheck(
    "tests",
    "the tests of the task pass, in a sandbox",
    ("python",),
    _run,
    applies=lambda task: bool(task.tests),
)
