"""Symbol graphs: the generic constraints of a module, as the Swift compiler states them.

The files are large (hundreds of megabytes for one framework), so only the four fields that are
needed of each symbol are decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from stacks.errors import SaveError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stacks.index.save_audit import Audit

__all__ = ["ConstrainedSymbol", "find_symbol_graphs", "read_symbol_graphs"]

_OPERATORS = {"sameType": " == "}


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


class ConstrainedSymbol(NamedTuple):
    """A symbol by the compiler's precise id and by its path, with its constraints."""

    precise_id: str
    path: str
    constraints: tuple[str, ...]


def find_symbol_graphs(path: Path) -> list[Path]:
    """List the `*.symbols.json` files of a folder, or the one file given; none is an error."""
    found = sorted(path.rglob("*.symbols.json")) if path.is_dir() else [path]
    if not found or not found[0].is_file():
        raise SaveError(f"{path} holds no *.symbols.json; --symbol-graphs takes a folder of them")
    return found


def read_symbol_graphs(path: Path, audit: Audit) -> Iterator[ConstrainedSymbol]:
    """Yield the constrained symbols of every file; an unreadable file is noted in the audit."""
    decode = msgspec.json.Decoder(_Graph).decode
    for file in find_symbol_graphs(path):
        try:
            graph = decode(file.read_bytes())
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
            audit.note("symbol-graphs", "unreadable", file.name, str(problem))
            continue
        yield from _find_constrained(graph)


def _find_constrained(graph: _Graph) -> Iterator[ConstrainedSymbol]:
    for symbol in graph.symbols:
        if symbol.swift_generics and symbol.swift_generics.constraints:
            path = "/".join([graph.module.name, *symbol.path_components]).lower()
            constraints = dict.fromkeys(
                f"{each.lhs}{_OPERATORS.get(each.kind, ': ')}{each.rhs}"
                for each in symbol.swift_generics.constraints
            )
            yield ConstrainedSymbol(symbol.identifier.precise, path, tuple(constraints))
