"""Does an answer parse, and does it compile?"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import AnswerCheck
from cranfield.agents.findings import (
    AnswerFinding,
    CheckOutcome,
    CheckResult,
    conclude,
    nothing_known,
)
from cranfield.agents.swift import find_errors, parse_swift, place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.agents.answer_checks import Submission

__all__ = ["COMPILES", "PARSES"]

_SECONDS = 120
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
                command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return nothing_known("compiles", f"swiftc did not end in {_SECONDS} seconds")
    failures = [
        AnswerFinding("compiles", CheckOutcome.FAIL, message, int(line), int(column))
        for line, column, message in _SWIFT_ERROR.findall(finished.stderr)
    ]
    if finished.returncode and not failures:
        return nothing_known("compiles", f"swiftc failed: {finished.stderr.strip()[:200]}")
    return conclude("compiles", failures, passed=not failures)


_PARSERS = {"python": _python_parses, "swift": _swift_parses}
_COMPILERS = {"python": _python_compiles, "swift": _swift_compiles}
_LANGUAGES = ("python", "swift")

PARSES = AnswerCheck(
    "parses", "the code parses", _LANGUAGES, _each(lambda one: _PARSERS[one.task.language](one))
)
COMPILES = AnswerCheck(
    "compiles",
    "the code compiles",
    _LANGUAGES,
    _each(lambda one: _COMPILERS[one.task.language](one)),
)
