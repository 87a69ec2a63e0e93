"""Run the tests of a task, inside the sandbox: a script of its own, standard library only."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any


def main() -> None:
    """Run every `test_*` function and report each; the report is signed with the nonce."""
    roots, report, nonce = sys.argv[1], int(sys.argv[2]), os.read(0, 200).decode()
    write, leave = os.write, os._exit
    sys.path.insert(0, str(Path(__file__).parent))
    sys.meta_path.insert(0, Target({*roots.split(","), "answer", "task_tests"}))
    results = [dict(zip(("name", "line", "reason"), each, strict=True)) for each in run_all()]
    write(report, json.dumps({"nonce": nonce, "results": results}).encode())
    leave(0)


class Target:
    """A finder that hides what is installed and is not of the target."""

    def __init__(self, roots: set[str]) -> None:
        self.roots = roots | sys.stdlib_module_names

    def find_spec(self, name: str, *_: object) -> None:
        """Refuse a module of another package; all others are left to the finders that follow."""
        if name.partition(".")[0] not in self.roots:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def run_all() -> list[tuple[str, int | None, str]]:
    """Return name, line of the answer and reason of every test; no reason if it passed."""
    try:
        tests = importlib.import_module("task_tests")
    except BaseException as problem:  # noqa: BLE001 - whatever an answer raises is its failure
        return [("import", *explain(problem))]
    found = {name: each for name, each in vars(tests).items() if name.startswith("test_")}
    return [(name, *run_one(each)) for name, each in found.items() if callable(each)]


def run_one(test: Any) -> tuple[int | None, str]:
    """Run one test."""
    try:
        outcome = test()
        if inspect.iscoroutine(outcome):
            asyncio.run(outcome)
    except BaseException as problem:  # noqa: BLE001 - likewise
        return explain(problem)
    return None, ""


def explain(problem: BaseException) -> tuple[int | None, str]:
    """Return the line of the answer that raised, and the last line of the traceback."""
    frames = traceback.extract_tb(problem.__traceback__)
    lines = [each.lineno for each in frames if each.filename.endswith("/answer.py")]
    shown = "".join(traceback.format_exception_only(problem)).strip().splitlines()
    reason = shown[-1][:500] if shown else type(problem).__name__
    if reason == "AssertionError":
        own = [each.line for each in frames if each.filename.endswith("/task_tests.py")]
        reason = f"this does not hold: {own[-1]}" if own else reason
    return (lines[-1] if lines else None), reason


if __name__ == "__main__":
    main()
