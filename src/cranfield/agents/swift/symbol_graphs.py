"""What Swift modules declare, read from symbol graphs (`swift symbolgraph-extract`) and facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import msgspec

from cranfield.agents.swift.swift_symbols import Availability, SwiftModules, SwiftSymbol
from cranfield.errors import InputError
from cranfield.shapes import find_misfits, parse_toml_text, read_toml_text
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "SymbolFacts",
    "load_symbol_graphs",
    "read_facts",
]

_MOST_BYTES = 1 << 30
_TYPES = {"class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype"}
_MEMBER_OF = {"memberOf", "requirementOf", "optionalRequirementOf", "defaultImplementationOf"}
_BASE_OF = {"conformsTo", "inheritsFrom"}
_PLAIN = {"", "{ get }", "{ get set }", "some", "some  { get }", "some { get }"}
"""What may stand around the one type of a result; `some View` has the members of a `View`."""


@dataclass(frozen=True, slots=True)
class _Collection:
    """What graphs and facts say: symbols by their precise names, and how they belong together."""

    names: frozenset[str]
    symbols: dict[str, SwiftSymbol]
    relationships: list[dict[str, Any]]
    facts: list[SymbolFacts]


@lru_cache(maxsize=8)
def load_symbol_graphs(folder: Path) -> SwiftModules:
    """Read all `*.symbols.json` and `*.facts.toml` of a folder and its folders.

    Facts about a symbol take the place of what a symbol graph says of it; a module that has both is
    known in full.
    """
    files = sorted(folder.rglob("*.symbols.json")) if folder.is_dir() else []
    facts = sorted(folder.rglob("*.facts.toml")) if folder.is_dir() else []
    if not files and not facts:
        message = "has neither *.symbols.json nor *.facts.toml; name a folder of symbol graphs"
        raise InputError(message, file=str(folder))
    graphs = [_read_graph(file) for file in files]
    listed = [read_facts(file) for file in facts]
    symbols = {key: symbol for graph in graphs for key, symbol in graph["symbols"]}
    return _modules(
        _Collection(
            frozenset(graph["module"] for graph in graphs),
            _with_facts(symbols, listed),
            [each for graph in graphs for each in graph["relationships"]],
            listed,
        )
    )


class _Graph(TypedDict):
    module: str
    symbols: list[tuple[str, SwiftSymbol]]
    relationships: list[dict[str, Any]]


def _read_graph(file: Path) -> _Graph:
    try:
        graph = msgspec.json.decode(read_limited(file, _MOST_BYTES))
        return _Graph(
            module=graph["module"]["name"],
            symbols=[(each["identifier"]["precise"], _symbol(each)) for each in graph["symbols"]],
            relationships=graph.get("relationships", []),
        )
    except (OSError, msgspec.DecodeError, KeyError, TypeError) as problem:
        raise InputError(f"is not a symbol graph: {problem!r}", file=str(file)) from None


def _with_facts(
    symbols: dict[str, SwiftSymbol], facts: list[SymbolFacts]
) -> dict[str, SwiftSymbol]:
    by_path = {one.path: one for each in facts for one in each.symbols}
    kept = {key: by_path.get(each.path, each) for key, each in symbols.items()}
    known = {each.path for each in symbols.values()}
    added = {
        f"{each.module} {number}": one
        for each in facts
        for number, one in enumerate(each.symbols)
        if one.path not in known
    }
    return kept | added


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
    for each, owner in _extension_members(collected):
        held = members.setdefault(owner, {})
        if each not in held.get(each.name, ()):
            held[each.name] = (*held.get(each.name, ()), each)
    partial = [each for each in collected.facts if each.module not in collected.names]
    return SwiftModules(
        collected.names | {each.module for each in partial},
        types,
        functions,
        members,
        _bases(collected),
        partial=frozenset(each.module for each in partial),
        open_types=frozenset(name for each in partial for name in each.open_types),
        listed_in_full=frozenset(name for each in partial for name in each.listed_in_full),
        absent=frozenset(name for each in collected.facts for name in each.absent),
    )


def _bases(collected: _Collection) -> dict[str, tuple[str, ...]]:
    pairs = [(source, target) for source, target, kind in _links(collected) if kind in _BASE_OF]
    pairs += [pair for each in collected.facts for pair in each.bases]
    bases: dict[str, tuple[str, ...]] = {}
    for source, target in dict.fromkeys(pairs):
        bases[source] = (*bases.get(source, ()), target)
    return bases


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
    return names[0] if len(names) == 1 and others.strip() in _PLAIN else ""


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


# What was written by hand of modules without a symbol graph: what is not listed is unknown.

_PLATFORMS = re.compile(r"^\w+ \d+(\.\d+)?(, \w+ \d+(\.\d+)?)*$")
_Versions = Annotated[str, msgspec.Meta(pattern=_PLATFORMS.pattern)]
_Name = Annotated[str, msgspec.Meta(min_length=1)]


@dataclass(frozen=True, slots=True)
class SymbolFacts:
    """What a file says of one module.

    `bases` are pairs of a type and what it inherits from or conforms to. Of `open_types` only some
    members are listed; of the `listed_in_full` (`View.onChange`) every overload is. `absent` are
    names that do not exist (`View.onLoad`).
    """

    module: str
    symbols: tuple[SwiftSymbol, ...]
    bases: tuple[tuple[str, str], ...]
    open_types: frozenset[str]
    listed_in_full: frozenset[str]
    absent: frozenset[str]


class _Entry(msgspec.Struct):
    """A member or function: `closure` is the number of parameters of its last closure."""

    name: _Name
    result: str = ""
    since: _Versions | None = None
    deprecated: _Versions | None = None
    use: str = ""
    closure: int | None = None


class _Type(msgspec.Struct):
    """A type; `result` is that of members that name no other."""

    name: _Name
    kind: str = "struct"
    bases: list[str] = msgspec.field(default_factory=list)
    since: _Versions | None = None
    deprecated: _Versions | None = None
    use: str = ""
    result: str = ""
    members: list[_Entry | str] = msgspec.field(default_factory=list)
    complete: bool | list[str] = False
    absent: list[str] = msgspec.field(default_factory=list)


class _Facts(msgspec.Struct):
    module: _Name
    since: _Versions | None = None
    types: list[_Type] = msgspec.field(default_factory=list)
    functions: list[_Entry | str] = msgspec.field(default_factory=list)
    macros: list[_Entry | str] = msgspec.field(default_factory=list)
    complete: list[str] = msgspec.field(default_factory=list)
    absent: list[str] = msgspec.field(default_factory=list)


def read_facts(path: Path) -> SymbolFacts:
    """Read one file of facts; raises one InputError with all its mistakes."""
    written = parse_toml_text(read_toml_text(path), path)
    misfits = list(find_misfits(written, _Facts))
    if misfits:
        raise InputError.join([InputError(str(each), file=str(path)) for each in misfits])
    return _facts(msgspec.convert(written, _Facts))


def _facts(written: _Facts) -> SymbolFacts:
    return SymbolFacts(
        module=written.module,
        symbols=tuple(_symbols(written)),
        bases=tuple((each.name, base) for each in written.types for base in each.bases),
        open_types=frozenset(each.name for each in written.types if each.complete is not True),
        listed_in_full=frozenset(
            {*written.complete}
            | {
                f"{each.name}.{name}"
                for each in written.types
                if not isinstance(each.complete, bool)
                for name in each.complete
            }
        ),
        absent=frozenset(
            {*written.absent}
            | {f"{each.name}.{name}" for each in written.types for name in each.absent}
        ),
    )


def _symbols(written: _Facts) -> Iterator[SwiftSymbol]:
    for kind, entries in (("func", written.functions), ("macro", written.macros)):
        for each in entries:
            yield _fact_symbol((), _entry(each), kind, since=written.since)
    for one in written.types:
        yield SwiftSymbol(
            path=tuple(one.name.split(".")),
            kind=one.kind,
            availability=_fact_availability(one.since or written.since, one.deprecated, one.use),
        )
        for member in one.members:
            yield _fact_symbol(tuple(one.name.split(".")), _entry(member), "member", one.result)


def _entry(written: _Entry | str) -> _Entry:
    return _Entry(written) if isinstance(written, str) else written


def _fact_symbol(
    owner: tuple[str, ...], entry: _Entry, kind: str, result: str = "", since: str | None = None
) -> SwiftSymbol:
    return SwiftSymbol(
        path=(*owner, entry.name),
        kind=kind,
        result=(entry.result or result).removeprefix("some "),
        availability=_fact_availability(entry.since or since, entry.deprecated, entry.use),
        closure=entry.closure,
    )


def _fact_availability(
    since: str | None, deprecated: str | None, use: str
) -> tuple[Availability, ...]:
    introduced, marked = _versions(since), _versions(deprecated)
    message = f"use {use}" if use else ""
    return tuple(
        Availability(platform, introduced.get(platform), marked.get(platform), message=message)
        for platform in dict.fromkeys([*introduced, *marked])
    )


def _versions(written: str | None) -> dict[str, tuple[int, int]]:
    found = {}
    for each in written.split(", ") if written else ():
        platform, version = each.split(" ")
        major, _, minor = version.partition(".")
        found[platform] = (int(major), int(minor or 0))
    return found
