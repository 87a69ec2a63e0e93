"""The bundled checks: syntax, names, and the tests of a task."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import (
    AnswerCheck,
    AnswerFinding,
    CheckOutcome,
    CheckResult,
    ReferenceState,
    conclude,
    nothing_known,
)
from cranfield.agents.python.resolver import resolve_targets
from cranfield.agents.sandbox.sandbox import find_interpreter, run_tests
from cranfield.agents.swift.swift_names import resolve_swift
from cranfield.agents.swift.swift_syntax import find_errors, parse_swift, place
from cranfield.errors import SandboxRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cranfield.agents.answer_checks import NameReference, ResolvedAnswer, Submission
    from cranfield.agents.tasks import TaskTarget

__all__ = [
    "AVAILABLE",
    "COMPILES",
    "DEPRECATED",
    "EXISTS",
    "PARSES",
    "TESTS",
]

_LANGUAGES = ("python", "swift")

# Does an answer parse, and does it compile?

_COMPILER_SECONDS = 120
_SWIFT_ERROR = re.compile(r"^[^:\n]*:(\d+):(\d+): error: (.*)$", re.M)


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


def _swift_parses(submission: Submission) -> CheckResult:
    root = parse_swift(submission.answer)
    if root is None:
        return nothing_known(
            "parses", "Swift needs tree-sitter-swift: pip install 'cranfield[agents]'"
        )
    failures = [
        AnswerFinding(
            "parses", CheckOutcome.FAIL, "the code does not follow the grammar", *place(each)
        )
        for each in find_errors(root)[:1]
    ]
    return conclude("parses", failures, passed=not failures)


def _swift_compiles(submission: Submission) -> CheckResult:
    """Let swiftc check the types of an answer; nothing of it is run."""
    compiler = shutil.which("swiftc")
    if compiler is None:
        return nothing_known("compiles", "swiftc is not installed")
    with tempfile.TemporaryDirectory(prefix="cranfield-swift-") as folder:
        file = Path(folder, "answer.swift")
        file.write_text(submission.answer)
        command = [
            compiler,
            "-typecheck",
            "-swift-version",
            submission.task.target.swift.partition(".")[0],
            file.name,
        ]
        try:
            finished = subprocess.run(  # noqa: S603 - the compiler, on a file of ours
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=_COMPILER_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return nothing_known("compiles", f"swiftc did not end in {_COMPILER_SECONDS} seconds")
    failures = [
        AnswerFinding("compiles", CheckOutcome.FAIL, message, int(line), int(column))
        for line, column, message in _SWIFT_ERROR.findall(finished.stderr)
    ]
    if finished.returncode and not failures:
        return nothing_known("compiles", f"swiftc failed: {finished.stderr.strip()[:200]}")
    return conclude("compiles", failures, passed=not failures)


_PARSERS = {"python": _python_parses, "swift": _swift_parses}
_COMPILERS = {"python": _python_compiles, "swift": _swift_compiles}

PARSES = AnswerCheck(
    "parses", "the code parses", _LANGUAGES, _each(lambda one: _PARSERS[one.task.language](one))
)
COMPILES = AnswerCheck(
    "compiles",
    "the code compiles",
    _LANGUAGES,
    _each(lambda one: _COMPILERS[one.task.language](one)),
)


# Are the names of an answer there, in this version, and current?


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


def _check_names(
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


EXISTS = AnswerCheck(
    "exists",
    "every module, attribute, method and keyword argument exists",
    _LANGUAGES,
    _check_names("exists", _existence),
    is_about_names=True,
)
AVAILABLE = AnswerCheck(
    "available",
    "all of it is there in the version of the target",
    _LANGUAGES,
    _check_names("available", _availability),
    is_about_names=True,
)
DEPRECATED = AnswerCheck(
    "deprecated",
    "nothing is deprecated that has a current alternative",
    _LANGUAGES,
    _check_names("deprecated", _currency),
    is_about_names=True,
)


# Does an answer pass the tests of its task?

_MOST_AT_ONCE = 8


def _run_tests(submissions: Sequence[Submission]) -> list[CheckResult]:
    """Run the tests of several answers at once: each has a sandbox of its own."""
    with ThreadPoolExecutor(min(_MOST_AT_ONCE, os.cpu_count() or 1)) as pool:
        return list(pool.map(_run_tests_of, submissions))


def _run_tests_of(submission: Submission) -> CheckResult:
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
    _run_tests,
    applies=lambda task: bool(task.tests),
)
