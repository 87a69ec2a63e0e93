"""Answers checked by the workers of a cluster, with the results that this machine would give.

What is installed decides what exists: a worker with other versions is refused.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import CHECKS, check_answers
from cranfield.agents.python.resolver import forget_stubs, list_versions
from cranfield.agents.sandbox.sandbox import find_interpreter, run_tests
from cranfield.errors import SandboxRefusedError, SystemUnusableError
from cranfield.systems import fingerprint_files, refuse_other_build

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from cranfield.agents.answer_checks import CheckResult, Submission
    from cranfield.agents.sandbox.sandbox import Interpreter
    from cranfield.agents.tasks import TaskTarget
    from cranfield.executors import StartWorkers
    from cranfield.systems import FileFingerprint

__all__ = [
    "check_remotely",
    "list_tools",
]

_MOST_TOGETHER = 20
"""Answers that a worker checks at a time; a lost worker's are checked again."""


def check_remotely(
    start: StartWorkers, submissions: Sequence[Submission]
) -> list[tuple[CheckResult, ...]]:
    """Check many answers as `check_answers` does, in the workers that `start` starts."""
    parts = _split(submissions)
    if not parts:
        return []
    targets = tuple(dict.fromkeys(each.task.target for each in submissions))
    tested = tuple(dict.fromkeys(each.task.target for each in submissions if each.task.tests))
    files = fingerprint_files(_list_symbols(targets))
    workers = start(partial(_CheckingWorker, targets, tested, list_tools(targets, tested), files))
    try:
        with ThreadPoolExecutor(min(workers.count, len(parts))) as threads:
            chosen = ([submissions[number] for number in part] for part in parts)
            checked = list(threads.map(lambda each: workers.call("check", each), chosen))
    finally:
        workers.close()
    numbers = [number for part in parts for number in part]
    results = [result for part in checked for result in part]
    return [result for _, result in sorted(zip(numbers, results, strict=True))]


def _split(submissions: Sequence[Submission]) -> list[list[int]]:
    """Put answers to tasks of one target together: what is known of it is read once."""
    by_target: dict[TaskTarget, list[int]] = {}
    for number, each in enumerate(submissions):
        by_target.setdefault(each.task.target, []).append(number)
    return [
        numbers[first : first + _MOST_TOGETHER]
        for numbers in by_target.values()
        for first in range(0, len(numbers), _MOST_TOGETHER)
    ]


class _CheckingWorker:
    """The checks of a worker, if it has what the machine has that asks it."""

    def __init__(
        self,
        targets: Sequence[TaskTarget],
        tested: Sequence[TaskTarget],
        tools: Mapping[str, str],
        files: Mapping[str, FileFingerprint],
    ) -> None:
        refuse_other_build("the symbol graphs", files, _list_symbols(targets))
        own = list_tools(targets, tested)
        others = [
            f"{name}: {own.get(name)} there, {tools.get(name)} here"
            for name in dict.fromkeys([*tools, *own])
            if own.get(name) != tools.get(name)
        ]
        if others:
            raise SystemUnusableError(
                "a cluster worker has other versions and would judge answers differently: "
                f"{'; '.join(others)}; install the same versions there"
            )

    def check(self, submissions: Sequence[Submission]) -> list[tuple[CheckResult, ...]]:
        """Check some answers."""
        return check_answers(submissions)

    def close(self) -> None:
        """Remove what was kept of the targets."""
        forget_stubs()


def _list_symbols(targets: Sequence[TaskTarget]) -> list[Path]:
    return sorted({each.symbols for each in targets if each.symbols and each.symbols.exists()})


# What decides the outcome of a check beside the answer and its task: what is installed.

_LIBRARIES = ("cranfield", "mypy", "tree-sitter", "tree-sitter-swift")
_NOTHING = {"answer.py": "", "task_tests.py": "def test_nothing(): pass"}
_ABSENT = "absent"


def list_tools(targets: Iterable[TaskTarget], tested: Iterable[TaskTarget]) -> dict[str, str]:
    """List by name what checks use here, with versions; `tested` are targets of tasks with tests.

    Two machines that list the same check an answer alike.
    """
    listed = {
        "Python": platform.python_version(),
        "checks": ", ".join(CHECKS.names()),
        **{name: _find_version(name) for name in _LIBRARIES},
        **list_versions({package for target in targets for package in target.packages}),
    }
    if any(target.swift for target in targets):
        listed["swiftc"] = _find_compiler()
    sandboxes: dict[str, Interpreter] = {}
    for target in tested:
        found = find_interpreter(target)
        if isinstance(found, str):
            listed[" ".join(("tests of Python", target.python, *target.packages))] = found
        else:
            sandboxes[target.python] = found
    for version, interpreter in sandboxes.items():
        listed[f"sandbox of Python {version}"] = _try_sandbox(interpreter)
    return listed


def _find_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return _ABSENT


def _find_compiler() -> str:
    program = shutil.which("swiftc")
    if program is None:
        return _ABSENT
    finished = subprocess.run(  # noqa: S603 - the compiler that checks answers
        [program, "--version"], capture_output=True, text=True, timeout=60, check=False
    )
    return finished.stdout.strip()


def _try_sandbox(interpreter: Interpreter) -> str:
    try:
        return run_tests(_NOTHING, interpreter).problem or "run"
    except SandboxRefusedError as problem:
        return str(problem)
