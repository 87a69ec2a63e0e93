"""What Swift modules declare, read from symbol graphs (`swift symbolgraph-extract`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import InputError
from cranfield_shared import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["Availability", "SwiftModules", "SwiftSymbol", "load_symbol_graphs"]

_MOST_BYTES = 1 << 30
_TYPES = {"class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype"}
_MEMBER_OF = {"memberOf", "requirementOf", "optionalRequirementOf", "defaultImplementationOf"}
_BASE_OF = {"conformsTo", "inheritsFrom"}
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
    """A declaration: its dotted path, its labels if it is called, and the type of its value."""

    path: tuple[str, ...]
    kind: str
    result: str = ""
    availability: tuple[Availability, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the path without its labels."""
        return self.path[-1].partition("(")[0]

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The labels of the arguments; None if it is not called."""
        found = _LABELS.search(self.path[-1])
        return tuple(found[1].split(":")[:-1]) if found else None


@dataclass(frozen=True, slots=True)
class SwiftModules:
    """All symbols of some modules: types by name, their members, and their bases.

    A base that no loaded module declares stands among the `unknown_bases` of a type.
    """

    names: frozenset[str]
    types: Mapping[str, SwiftSymbol]
    functions: Mapping[str, tuple[SwiftSymbol, ...]]
    members: Mapping[str, Mapping[str, tuple[SwiftSymbol, ...]]]
    bases: Mapping[str, tuple[str, ...]]

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


@dataclass(slots=True)
class _Collection:
    """What is collected while graphs are read."""

    names: set[str] = field(default_factory=set)
    symbols: dict[str, SwiftSymbol] = field(default_factory=dict)
    relationships: list[dict[str, Any]] = field(default_factory=list)


@lru_cache(maxsize=8)
def load_symbol_graphs(folder: Path) -> SwiftModules:
    """Read all `*.symbols.json` of a folder and its folders."""
    collected = _Collection()
    files = sorted(folder.rglob("*.symbols.json")) if folder.is_dir() else []
    if not files:
        raise InputError("has no *.symbols.json; name a folder of symbol graphs", file=str(folder))
    for file in files:
        try:
            graph = msgspec.json.decode(read_limited(file, _MOST_BYTES))
            module = graph["module"]["name"]
            symbols = [(each["identifier"]["precise"], _symbol(each)) for each in graph["symbols"]]
        except (OSError, msgspec.DecodeError, KeyError, TypeError) as problem:
            raise InputError(f"is no symbol graph: {problem!r}", file=str(file)) from None
        collected.names.add(module)
        collected.symbols.update(symbols)
        collected.relationships += graph.get("relationships", [])
    return _modules(collected)


def _modules(collected: _Collection) -> SwiftModules:
    symbols = collected.symbols
    types = {".".join(each.path): each for each in symbols.values() if each.kind in _TYPES}
    functions: dict[str, tuple[SwiftSymbol, ...]] = {}
    members: dict[str, dict[str, tuple[SwiftSymbol, ...]]] = {}
    for each in symbols.values():
        place = (
            functions if len(each.path) == 1 else members.setdefault(".".join(each.path[:-1]), {})
        )
        if len(each.path) > 1 or each.kind not in _TYPES:
            place[each.name] = (*place.get(each.name, ()), each)
    bases: dict[str, tuple[str, ...]] = {}
    for source, target, kind in _links(collected):
        if kind in _BASE_OF:
            bases[source] = (*bases.get(source, ()), target)
    for each, owner in _extension_members(collected):
        held = members.setdefault(owner, {})
        if each not in held.get(each.name, ()):
            held[each.name] = (*held.get(each.name, ()), each)
    return SwiftModules(frozenset(collected.names), types, functions, members, bases)


def _links(collected: _Collection) -> Iterator[tuple[str, str, str]]:
    for each in collected.relationships:
        source = collected.symbols.get(each.get("source", ""))
        if source is not None:
            yield ".".join(source.path), _target_name(each, collected), each.get("kind", "")


def _extension_members(collected: _Collection) -> Iterator[tuple[SwiftSymbol, str]]:
    for each in collected.relationships:
        source = collected.symbols.get(each.get("source", ""))
        if source is not None and each.get("kind") in _MEMBER_OF:
            owner = _target_name(each, collected)
            target = collected.symbols.get(each.get("target", ""))
            if target is None or target.kind in _TYPES:
                yield source, owner


def _target_name(relationship: dict[str, Any], collected: _Collection) -> str:
    target = collected.symbols.get(relationship.get("target", ""))
    if target is not None:
        return ".".join(target.path)
    # A fallback is `Module.Type`: the module is left out, as in the paths of symbols.
    return str(relationship.get("targetFallback", "?")).partition(".")[2] or "?"


def _symbol(written: dict[str, Any]) -> SwiftSymbol:
    kind = written["kind"]["identifier"]
    return SwiftSymbol(
        path=tuple(written["pathComponents"]),
        kind=kind.partition(".")[2] or kind,
        result=_result(written),
        availability=tuple(_availability(each) for each in written.get("availability", ())),
    )


def _result(written: dict[str, Any]) -> str:
    """Return the name of the one type that a call returns or a property has; empty if not one."""
    signature = written.get("functionSignature")
    if signature is not None:
        fragments = signature.get("returns", ())
    else:
        fragments = _after_colon(written.get("declarationFragments", ()))
    names = [each["spelling"] for each in fragments if each["kind"] == "typeIdentifier"]
    others = "".join(each["spelling"] for each in fragments if each["kind"] != "typeIdentifier")
    return names[0] if len(names) == 1 and others.strip() in ("", "{ get }", "{ get set }") else ""


def _after_colon(fragments: Any) -> list[dict[str, Any]]:
    for number, each in enumerate(fragments):
        if each["kind"] == "text" and each["spelling"].strip().startswith(":"):
            return list(fragments[number + 1 :])
    return []


def _availability(written: dict[str, Any]) -> Availability:
    always = (0, 0)
    message = written.get("message", "")
    if written.get("renamed"):
        message = f"{message} use {written['renamed']}".strip()
    return Availability(
        platform=written.get("domain", "*"),
        introduced=_version(written.get("introduced")),
        deprecated=always
        if written.get("isUnconditionallyDeprecated")
        else _version(written.get("deprecated")),
        obsoleted=always
        if written.get("isUnconditionallyUnavailable")
        else _version(written.get("obsoleted")),
        message=message,
    )


def _version(written: dict[str, int] | None) -> tuple[int, int] | None:
    return (written.get("major", 0), written.get("minor", 0)) if written else None
