"""Are the names of an answer there, in this version, and current?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import AnswerCheck
from cranfield.agents.findings import nothing_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.agents.answer_checks import Submission
    from cranfield.agents.findings import CheckResult

__all__ = ["AVAILABLE", "DEPRECATED", "EXISTS"]


def _unresolved(check: str) -> Callable[[Sequence[Submission]], list[CheckResult]]:
    return lambda submissions: [nothing_known(check, "names are not resolved") for _ in submissions]


_BOTH = ("python", "swift")
EXISTS = AnswerCheck(
    "exists",
    "every module, attribute, method and keyword argument exists",
    _BOTH,
    _unresolved("exists"),
)
AVAILABLE = AnswerCheck(
    "available", "all of it is there in the version of the target", _BOTH, _unresolved("available")
)
DEPRECATED = AnswerCheck(
    "deprecated",
    "nothing is deprecated that has a current alternative",
    _BOTH,
    _unresolved("deprecated"),
)
