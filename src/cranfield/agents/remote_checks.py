"""Answers checked by the workers of a cluster, with the results that this machine would give.

What is installed decides what exists: a worker with other versions is refused.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import check_answers
from cranfield.agents.checking_tools import list_tools
from cranfield.agents.python import forget_stubs
from cranfield.errors import SystemUnusableError
from cranfield.systems import fingerprint_files, refuse_other_build

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cranfield.agents.answer_checks import Submission
    from cranfield.agents.findings import CheckResult
    from cranfield.agents.tasks import TaskTarget
    from cranfield.executors import StartWorkers
    from cranfield.systems import FileFingerprint

__all__ = ["check_remotely"]

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
    workers = start(partial(_Checker, targets, tested, list_tools(targets, tested), files))
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


class _Checker:
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
