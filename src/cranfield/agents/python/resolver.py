"""Resolve the names of answers, many at once, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cranfield.agents.python.resolve_request import ResolveRequest
from cranfield.agents.python.target_packages import find_packages
from cranfield.agents.references import ResolvedAnswer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.agents.tasks import TaskTarget

__all__ = ["ask_resolver", "forget_stubs", "resolve_answers", "resolve_targets"]

_OLDEST_KNOWN = (3, 10)
_SECONDS_AT_LEAST = 300.0
_SECONDS_EACH = 5.0


@lru_cache(maxsize=32)
def resolve_answers(answers: tuple[str, ...], target: TaskTarget) -> tuple[ResolvedAnswer, ...]:
    """Resolve the names of answers to tasks of one target, in their order.

    The first call for a target reads the stubs of what the answers import, which takes seconds;
    later ones find that in a folder that is kept as long as this process.
    """
    major, minor = (int(part) for part in target.python.split("."))
    if (major, minor) < _OLDEST_KNOWN:
        reason = f"nothing is known of Python {target.python}; the oldest version is 3.10"
        return (ResolvedAnswer(problem=reason),) * len(answers)
    packages = find_packages(target.packages)
    request = ResolveRequest(
        answers=answers,
        python=(major, minor),
        cache=str(_cache_folder() / "types"),
        roots=packages.roots,
        absent=packages.absent,
        absent_roots=packages.absent_roots,
    )
    return ask_resolver(request)


def resolve_targets(
    answers: Mapping[TaskTarget, tuple[str, ...]],
) -> dict[TaskTarget, tuple[ResolvedAnswer, ...]]:
    """Resolve the names of answers to tasks of several targets, several versions at once.

    Targets of one version wait for each other: what was read of its stubs is kept in one folder.
    """
    versions: dict[str, list[TaskTarget]] = {}
    for target in answers:
        versions.setdefault(target.python, []).append(target)
    _cache_folder()  # made once, before threads ask for it

    def resolve(version: str) -> list[tuple[TaskTarget, tuple[ResolvedAnswer, ...]]]:
        return [(target, resolve_answers(answers[target], target)) for target in versions[version]]

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return dict(pair for pairs in pool.map(resolve, versions) for pair in pairs)


def forget_stubs() -> None:
    """Remove the folder of what was read of stubs, before this process ends."""
    _temporary_folder().cleanup()
    _temporary_folder.cache_clear()


def ask_resolver(request: ResolveRequest) -> tuple[ResolvedAnswer, ...]:
    """Send a request to a new process and wait for what it found."""
    count = len(request.answers)
    try:
        import mypy
    except ImportError:
        problem = "names need mypy: pip install 'cranfield[agents]'"
        return (ResolvedAnswer(problem=problem),) * count
    del mypy
    command = [sys.executable, "-P", "-m", "cranfield.agents.python.resolver_process"]
    limit = _SECONDS_AT_LEAST + _SECONDS_EACH * count
    try:
        finished = subprocess.run(  # noqa: S603 - our own module
            command,
            input=msgspec.json.encode(request),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_cache_folder() / "empty",
            timeout=limit,
            check=False,
        )
        found = msgspec.json.decode(finished.stdout, type=tuple[ResolvedAnswer, ...])
    except subprocess.TimeoutExpired:
        return _apart(request, f"names were not resolved in {limit:.0f} seconds")
    except msgspec.DecodeError:
        return _apart(request, "the process that resolves names ended early")
    return found


def _apart(request: ResolveRequest, problem: str) -> tuple[ResolvedAnswer, ...]:
    """Ask for each answer alone, so that one that mypy cannot digest costs no other."""
    if len(request.answers) == 1:
        return (ResolvedAnswer(problem=problem),)
    return tuple(ask_resolver(replace(request, answers=(each,)))[0] for each in request.answers)


def _cache_folder() -> Path:
    return Path(_temporary_folder().name)


@lru_cache(maxsize=1)
def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Make the folder that is removed when this process ends."""
    folder = tempfile.TemporaryDirectory(prefix="cranfield-names-")
    (Path(folder.name) / "empty").mkdir()
    return folder
