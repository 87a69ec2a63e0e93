"""Symbol graphs: what the Swift compiler says of a module's generic constraints.

The files are large (hundreds of megabytes for one framework) and only four facts of each symbol
are wanted, so nothing else is decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from stacks.errors import SaveError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stacks.index.audit import Audit

__all__ = ["Constrained", "find_symbol_graphs", "read_symbol_graphs"]

_SIGNS = {"sameType": "=="}


class _Constraint(msgspec.Struct):
    kind: str
    lhs: str
    rhs: str


class _Generics(msgspec.Struct):
    constraints: list[_Constraint] = []


class _Identifier(msgspec.Struct):
    precise: str


class _Symbol(msgspec.Struct, rename="camel"):
    identifier: _Identifier
    path_components: list[str] = []
    swift_generics: _Generics | None = None


class _Module(msgspec.Struct):
    name: str


class _Graph(msgspec.Struct):
    module: _Module
    symbols: list[_Symbol] = []


class Constrained(NamedTuple):
    """A symbol by its precise name and by its path, with the constraints on it."""

    precise: str
    path: str
    constraints: tuple[str, ...]


def find_symbol_graphs(path: Path) -> list[Path]:
    """Find the `*.symbols.json` of a folder, or take one; none is an error."""
    found = sorted(path.rglob("*.symbols.json")) if path.is_dir() else [path]
    if not found or not found[0].is_file():
        raise SaveError(f"{path} holds no *.symbols.json; --symbol-graphs takes a folder of them")
    return found


def read_symbol_graphs(path: Path, audit: Audit) -> Iterator[Constrained]:
    """Yield the constrained symbols of every file; a bad file is noted."""
    decode = msgspec.json.Decoder(_Graph).decode
    for file in find_symbol_graphs(path):
        try:
            graph = decode(file.read_bytes())
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
            audit.note("symbol-graphs", "unreadable", file.name, str(problem))
            continue
        yield from _constrained(graph)


def _constrained(graph: _Graph) -> Iterator[Constrained]:
    for symbol in graph.symbols:
        if symbol.swift_generics and symbol.swift_generics.constraints:
            path = "/".join([graph.module.name, *symbol.path_components]).lower()
            constraints = dict.fromkeys(
                f"{each.lhs}{_join(each.kind)}{each.rhs}"
                for each in symbol.swift_generics.constraints
            )
            yield Constrained(symbol.identifier.precise, path, tuple(constraints))


def _join(kind: str) -> str:
    sign = _SIGNS.get(kind)
    return f" {sign} " if sign else ": "
