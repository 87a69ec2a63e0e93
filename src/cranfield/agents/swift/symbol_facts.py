"""Facts about Swift modules, written by hand for modules whose symbol graphs cannot be bundled.

A file of facts (`SwiftUI.facts.toml`) lists some names of a module. What it leaves out is unknown,
unless the file says that a list is complete or that a name is absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import msgspec

from cranfield.agents.swift.swift_symbols import Availability, SwiftSymbol
from cranfield.errors import InputError
from cranfield.shapes import find_misfits
from cranfield.toml_files import parse_toml_text, read_toml_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["SymbolFacts", "read_facts"]

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
            yield _symbol((), _entry(each), kind, since=written.since)
    for one in written.types:
        yield SwiftSymbol(
            path=tuple(one.name.split(".")),
            kind=one.kind,
            availability=_availability(one.since or written.since, one.deprecated, one.use),
        )
        for member in one.members:
            yield _symbol(tuple(one.name.split(".")), _entry(member), "member", one.result)


def _entry(written: _Entry | str) -> _Entry:
    return _Entry(written) if isinstance(written, str) else written


def _symbol(
    owner: tuple[str, ...], entry: _Entry, kind: str, result: str = "", since: str | None = None
) -> SwiftSymbol:
    return SwiftSymbol(
        path=(*owner, entry.name),
        kind=kind,
        result=(entry.result or result).removeprefix("some "),
        availability=_availability(entry.since or since, entry.deprecated, entry.use),
        closure=entry.closure,
    )


def _availability(since: str | None, deprecated: str | None, use: str) -> tuple[Availability, ...]:
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
