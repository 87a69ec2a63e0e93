"""Which modules may an answer import? Those of the target's packages and of their dependencies."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import metadata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["TargetPackages", "find_packages", "list_versions"]

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
        return f"{requirement!r} is no requirement; write it as httpx or httpx>=0.28"
    try:
        version = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        return f"the package {wanted.name} of the target is not installed here"
    if wanted.specifier and not wanted.specifier.contains(version, prereleases=True):
        return f"the target is {requirement}, and {wanted.name} {version} is installed here"
    return ""
