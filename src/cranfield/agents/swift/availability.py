"""Is a Swift symbol there on the target's platform, and current?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cranfield.agents.swift.swift_syntax import child, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from cranfield.agents.swift.swift_symbols import SwiftSymbol
    from cranfield.agents.tasks import TaskTarget

__all__ = ["AvailabilityVerdict", "judge_availability", "read_guards"]

_GUARD = re.compile(r"(\w+)\s+(\d+)(?:\.(\d+))?")
_PLATFORM = re.compile(r"^\s*(\w+)\s+v?(\d+)(?:\.(\d+))?")
_BODIES = {
    "class_declaration",
    "function_declaration",
    "property_declaration",
    "protocol_declaration",
}


class AvailabilityVerdict(NamedTuple):
    """Why a symbol is not there, and why it is not current; empty if it is."""

    reason: str = ""
    deprecated: str = ""


def judge_availability(
    symbol: SwiftSymbol, target: TaskTarget, guards: Mapping[str, tuple[int, int]]
) -> AvailabilityVerdict:
    """Compare what a symbol says of a platform with the target; a guard in the code raises it."""
    versions = _target_versions(target)
    reason = deprecated = ""
    for each in symbol.availability:
        version = versions.get(each.platform.casefold())
        if each.platform == "*":
            version = (0, 0)
        if version is None:
            continue
        reached = max(version, guards.get(each.platform.casefold(), version))
        if each.introduced and each.introduced > reached:
            reason = f"it was added in {each.platform} {_dotted(each.introduced)}"
        if each.obsoleted is not None and each.obsoleted <= version:
            reason = f"it is not available on {each.platform}: {each.message}".rstrip(": ")
        if each.deprecated is not None and each.deprecated <= version:
            deprecated = each.message or f"since {each.platform} {_dotted(each.deprecated)}"
    return AvailabilityVerdict(reason, deprecated)


def read_guards(node: Node) -> dict[str, tuple[int, int]]:
    """Read the versions that `if #available` and `@available` around a node ask for."""
    found: dict[str, tuple[int, int]] = {}
    around: Node | None = node
    while around is not None:
        for written in _conditions(around, node):
            for platform, major, minor in _GUARD.findall(written):
                version = int(major), int(minor or 0)
                found[platform.casefold()] = max(version, found.get(platform.casefold(), version))
        around = around.parent
    return found


def _conditions(around: Node, node: Node) -> Iterator[str]:
    if around.type == "if_statement" and not _is_in_else(around, node):
        yield text(child(around, "availability_condition"))
    if around.type in _BODIES:
        modifiers = text(child(around, "modifiers"))
        if "@available" in modifiers:
            yield modifiers
    if around.type == "statements":
        for each in around.children:
            if each.type == "guard_statement" and each.end_byte <= node.start_byte:
                yield text(child(each, "availability_condition"))


def _is_in_else(around: Node, node: Node) -> bool:
    word = child(around, "else")
    return word is not None and node.start_byte > word.start_byte


def _target_versions(target: TaskTarget) -> dict[str, tuple[int, int]]:
    found = _PLATFORM.match(target.platform)
    versions = {found[1].casefold(): (int(found[2]), int(found[3] or 0))} if found else {}
    major, _, minor = target.swift.partition(".")
    return {**versions, "swift": (int(major), int(minor or 0))}


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"
