"""The names of Python answers, resolved many at once in a process of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield.agents.answer_checks import ResolvedAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cranfield.agents.tasks import TaskTarget

__all__ = [
    "ResolveRequest",
    "TargetPackages",
    "ask_resolver",
    "find_packages",
    "forget_stubs",
    "list_versions",
    "resolve_answers",
    "resolve_targets",
]


@dataclass(frozen=True, slots=True)
class ResolveRequest:
    """What the resolver is asked: answers, a version of Python, and what it may know.

    - `roots` are the top-level modules of the target's packages; None allows all installed ones.
    - `absent` are packages of the target that are not installed here, each with the reason, and
      `absent_roots` their modules if those are known.
    - `cache` is a folder that keeps what was read of packages.
    """

    answers: tuple[str, ...]
    python: tuple[int, int]
    cache: str
    roots: tuple[str, ...] | None = ()
    absent: tuple[str, ...] = ()
    absent_roots: tuple[str, ...] = ()


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
        return _ask_separately(request, f"names were not resolved in {limit:.0f} seconds")
    except msgspec.DecodeError:
        return _ask_separately(request, "the process that resolves names ended early")
    return found


def _ask_separately(request: ResolveRequest, problem: str) -> tuple[ResolvedAnswer, ...]:
    """Ask for each answer alone, so one that mypy cannot digest costs no other."""
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


# Which modules may an answer import? Those of the packages of its target, and what they need.

_NAME = re.compile(r"^\s*([A-Za-z0-9][\w.-]*)")


class TargetPackages(NamedTuple):
    """The modules of packages that are installed as asked, and the packages that are not."""

    roots: tuple[str, ...]
    absent: tuple[str, ...]
    absent_roots: tuple[str, ...]


@lru_cache(maxsize=64)
def find_packages(requirements: tuple[str, ...]) -> TargetPackages:
    """Find the modules of packages (`httpx`, `numpy>=2`) and of all that they depend on."""
    by_package = _modules_by_package()
    reasons = {each: _reason(each) for each in requirements}
    absent = tuple(reason for reason in reasons.values() if reason)
    absent_roots = _roots([each for each, reason in reasons.items() if reason], by_package)
    usable = [_folded(each) for each, reason in reasons.items() if not reason]
    roots = _roots(_with_dependencies(usable), by_package)
    return TargetPackages(tuple(sorted(roots)), absent, tuple(sorted(absent_roots - roots)))


def list_versions(requirements: Iterable[str]) -> dict[str, str]:
    """List packages and all that they depend on, with the versions that are installed."""
    found: dict[str, str] = {}
    for package in sorted(_with_dependencies([_folded(each) for each in requirements])):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "absent"
    return found


def _roots(packages: list[str], by_package: dict[str, set[str]]) -> set[str]:
    return {root for each in packages for root in by_package.get(_folded(each), {_guess(each)})}


def _guess(requirement: str) -> str:
    return _folded(requirement).replace("-", "_")


def _folded(requirement: str) -> str:
    found = _NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", found[1]).lower() if found else requirement


@lru_cache(maxsize=1)
def _modules_by_package() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module, packages in metadata.packages_distributions().items():
        for package in packages:
            found.setdefault(_folded(package), set()).add(module)
    return found


def _with_dependencies(packages: list[str]) -> list[str]:
    seen: list[str] = []
    waiting = list(packages)
    while waiting:
        package = waiting.pop()
        if package in seen:
            continue
        seen.append(package)
        try:
            needed = metadata.requires(package) or []
        except metadata.PackageNotFoundError:
            continue
        waiting += [_folded(each) for each in needed if "extra ==" not in each]
    return seen


def _reason(requirement: str) -> str:
    """Say why a package cannot be looked at; empty if it can."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        wanted = Requirement(requirement)
    except InvalidRequirement:
        return f"{requirement!r} is not a requirement; write it as httpx or httpx>=0.28"
    try:
        version = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        return f"the package {wanted.name} of the target is not installed here"
    if wanted.specifier and not wanted.specifier.contains(version, prereleases=True):
        return f"the target is {requirement}, and {wanted.name} {version} is installed here"
    return ""
