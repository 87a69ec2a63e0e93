"""What decides the outcome of checks beside an answer and its task: what is installed here."""

from __future__ import annotations

import platform
import shutil
import subprocess
from importlib import metadata
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import CHECKS
from cranfield.agents.python import list_versions
from cranfield.agents.sandbox import find_interpreter, run_tests
from cranfield.errors import SandboxRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.agents.sandbox import Interpreter
    from cranfield.agents.tasks import TaskTarget

__all__ = ["list_tools"]

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
