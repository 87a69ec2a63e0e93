"""What is known of Swift modules: their types, members and functions, and what is not known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cranfield.agents.swift.swift_syntax import child, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from cranfield.agents.tasks import TaskTarget

__all__ = [
    "Availability",
    "AvailabilityVerdict",
    "SwiftModules",
    "SwiftSymbol",
    "judge_availability",
    "read_guards",
]

_LABELS = re.compile(r"\((.*)\)$")


@dataclass(frozen=True, slots=True)
class Availability:
    """When a symbol is there on one platform (`macOS`, `Swift`, `*`), as pairs of numbers."""

    platform: str
    introduced: tuple[int, int] | None = None
    deprecated: tuple[int, int] | None = None
    obsoleted: tuple[int, int] | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class SwiftSymbol:
    """A declaration: its dotted path, its labels if it is called, and the type of its value.

    `closure` is the number of parameters of its last closure, if that is known.
    """

    path: tuple[str, ...]
    kind: str
    result: str = ""
    availability: tuple[Availability, ...] = ()
    closure: int | None = None

    @property
    def name(self) -> str:
        """The last part of the path without its labels."""
        return self.path[-1].partition("(")[0]

    @property
    def full_name(self) -> str:
        """The dotted path without labels."""
        return ".".join((*self.path[:-1], self.name))

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The labels of the arguments; None if it is not called."""
        found = _LABELS.search(self.path[-1])
        return tuple(found[1].split(":")[:-1]) if found else None


@dataclass(frozen=True, slots=True)
class SwiftModules:
    """All symbols of some modules: types by name, their members, and their bases.

    Of the modules in `partial` only some symbols are known, and of the types in `open_types` only
    some members; `listed_in_full` are members and functions of those (`View.onChange`) with all
    their overloads. `absent` are names that do not exist.
    """

    names: frozenset[str]
    types: Mapping[str, SwiftSymbol]
    functions: Mapping[str, tuple[SwiftSymbol, ...]]
    members: Mapping[str, Mapping[str, tuple[SwiftSymbol, ...]]]
    bases: Mapping[str, tuple[str, ...]]
    partial: frozenset[str] = frozenset()
    open_types: frozenset[str] = frozenset()
    listed_in_full: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def find_members(self, type_name: str, name: str) -> tuple[SwiftSymbol, ...]:
        """Find members of a type by name, its own ones first, then those of its bases."""
        for each in self.with_bases(type_name):
            found = self.members.get(each, {}).get(name)
            if found:
                return found
        return ()

    def with_bases(self, type_name: str) -> list[str]:
        """List a type and everything it inherits from or conforms to."""
        found: list[str] = []
        waiting = [type_name]
        while waiting:
            each = waiting.pop(0)
            if each not in found:
                found.append(each)
                waiting += self.bases.get(each, ())
        return found

    def member_names(self, type_name: str) -> list[str]:
        """List the names of all members of a type."""
        return sorted(
            {name for each in self.with_bases(type_name) for name in self.members.get(each, ())}
        )

    def is_absent(self, type_name: str, name: str) -> bool:
        """Return whether a member is known not to exist, on a type or on what it inherits from."""
        return any(f"{each}.{name}" in self.absent for each in self.with_bases(type_name))

    def has_all_overloads(self, symbols: Iterable[SwiftSymbol]) -> bool:
        """Return whether the overloads of a name are all that there are."""
        return all(
            each.full_name in self.listed_in_full
            or (
                ".".join(each.path[:-1]) not in self.open_types
                if len(each.path) > 1
                else not self.partial
            )
            for each in symbols
        )


# Is a symbol there on the platform of a target, and is it current?

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
