"""Are the names of an answer there, in this version, and current?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import AnswerCheck
from cranfield.agents.findings import AnswerFinding, CheckOutcome, conclude, nothing_known
from cranfield.agents.python import resolve_targets
from cranfield.agents.references import ReferenceState
from cranfield.agents.swift import resolve_swift

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cranfield.agents.answer_checks import Submission
    from cranfield.agents.findings import CheckResult
    from cranfield.agents.references import NameReference, ResolvedAnswer
    from cranfield.agents.tasks import TaskTarget

__all__ = ["AVAILABLE", "DEPRECATED", "EXISTS"]


def _existence(each: NameReference) -> tuple[CheckOutcome, str]:
    if each.state is ReferenceState.MISSING:
        return CheckOutcome.FAIL, each.reason
    if each.state is ReferenceState.UNKNOWN:
        return CheckOutcome.UNKNOWN, each.reason
    return CheckOutcome.PASS, ""


def _availability(each: NameReference) -> tuple[CheckOutcome, str] | None:
    if each.state is ReferenceState.MISSING:
        return None  # it is in no version, which `exists` says
    if each.state is ReferenceState.OTHER_VERSION:
        return CheckOutcome.FAIL, each.reason
    return _existence(each)


def _currency(each: NameReference) -> tuple[CheckOutcome, str] | None:
    if each.state in (ReferenceState.MISSING, ReferenceState.OTHER_VERSION):
        return None  # what is not there cannot be deprecated
    if each.deprecated:
        return CheckOutcome.FAIL, f"{each.symbol} is deprecated: {each.deprecated}"
    return _existence(each)


def _check(
    name: str, decide: Callable[[NameReference], tuple[CheckOutcome, str] | None]
) -> Callable[[Sequence[Submission]], list[CheckResult]]:
    def run(submissions: Sequence[Submission]) -> list[CheckResult]:
        return [_result(name, decide, each) for each in _resolve(submissions)]

    return run


def _result(
    name: str,
    decide: Callable[[NameReference], tuple[CheckOutcome, str] | None],
    resolved: ResolvedAnswer,
) -> CheckResult:
    if resolved.problem:
        return nothing_known(name, resolved.problem)
    decided = [(each, decide(each)) for each in resolved.references]
    passed = sum(outcome[0] is CheckOutcome.PASS for _, outcome in decided if outcome)
    findings = [
        AnswerFinding(name, outcome[0], outcome[1], each.line, each.column, each.symbol)
        for each, outcome in decided
        if outcome and outcome[0] is not CheckOutcome.PASS
    ]
    return conclude(name, findings, passed)


def _resolve(submissions: Sequence[Submission]) -> Iterator[ResolvedAnswer]:
    """Resolve the names of answers, all answers of one target together."""
    by_target: dict[TaskTarget, list[str]] = {}
    for each in submissions:
        by_target.setdefault(each.task.target, []).append(each.answer)
    resolved = {
        target: iter(found)
        for target, found in resolve_targets(
            {target: tuple(answers) for target, answers in by_target.items() if target.python}
        ).items()
    }
    for target, answers in by_target.items():
        if not target.python:
            resolved[target] = iter([resolve_swift(each, target) for each in answers])
    return (next(resolved[each.task.target]) for each in submissions)


_BOTH = ("python", "swift")
EXISTS = AnswerCheck(
    "exists",
    "every module, attribute, method and keyword argument exists",
    _BOTH,
    _check("exists", _existence),
)
AVAILABLE = AnswerCheck(
    "available",
    "all of it is there in the version of the target",
    _BOTH,
    _check("available", _availability),
)
DEPRECATED = AnswerCheck(
    "deprecated",
    "nothing is deprecated that has a current alternative",
    _BOTH,
    _check("deprecated", _currency),
)
