"""Symbol graphs: the generic constraints of a module, as the Swift compiler states them.

The files are large (hundreds of megabytes for one framework), so only the four fields that are
needed of each symbol are decoded. What they say is kept in the index, for the saves that are given
no symbol graphs.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield_shared.settings_files import read_limited
from stacks.errors import SaveError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from stacks.index.index_file import PreviousIndex
    from stacks.index.save_audit import Audit

__all__ = ["check_symbol_graphs", "keep_constraints", "store_constraints"]

_NONE = Path("none")
"""Given as the folder, removes what earlier symbol graphs said."""

_OPERATORS = {"sameType": " == "}


_MOST_GRAPH = 1 << 30
_FRAMEWORKS = "SELECT DISTINCT lower(framework) FROM docs_metadata"
_PRECISE_IDS = "SELECT json_extract(facts, '$.external_id') FROM docs_structured WHERE facts <> ''"
_HAS_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'graph_constraints'"


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


class _ConstrainedSymbol(NamedTuple):
    """A symbol by the compiler's precise id and by its path, with its constraints."""

    precise_id: str
    path: str
    constraints: tuple[str, ...]


def check_symbol_graphs(path: Path) -> None:
    """Refuse a path that holds no symbol graph, before anything is read."""
    if path != _NONE:
        _find_symbol_graphs(path)


def store_constraints(connection: sqlite3.Connection, path: Path, audit: Audit) -> None:
    """Store what symbol graphs say of the frameworks of an index, in place of earlier ones."""
    connection.execute("DELETE FROM graph_constraints")
    if path == _NONE:
        return
    audit.counts["constraints-from-symbol-graphs"] += 0
    frameworks = {framework for (framework,) in connection.execute(_FRAMEWORKS)}
    symbols = {precise_id for (precise_id,) in connection.execute(_PRECISE_IDS)}
    rows = (
        (each.precise_id, each.path, ", ".join(each.constraints))
        for each in _read_symbol_graphs(path, audit)
        if each.path.partition("/")[0] in frameworks or each.precise_id in symbols
    )
    connection.executemany("INSERT INTO graph_constraints VALUES (?, ?, ?)", rows)


def keep_constraints(connection: sqlite3.Connection, previous: PreviousIndex) -> None:
    """Copy what the previous index has of symbol graphs; an older one has nothing."""
    with closing(previous.connect()) as earlier:
        if earlier.execute(_HAS_TABLE).fetchone():
            rows = earlier.execute("SELECT precise_id, path, constraints FROM graph_constraints")
            connection.executemany("INSERT INTO graph_constraints VALUES (?, ?, ?)", rows)


def _find_symbol_graphs(path: Path) -> list[Path]:
    """List the `*.symbols.json` files of a folder, or the one file given; none is an error."""
    found = sorted(path.rglob("*.symbols.json")) if path.is_dir() else [path]
    if not found or not found[0].is_file():
        raise SaveError(f"{path} holds no *.symbols.json; --symbol-graphs takes a folder of them")
    return found


def _read_symbol_graphs(path: Path, audit: Audit) -> Iterator[_ConstrainedSymbol]:
    """Yield the constrained symbols of every file; an unreadable file is noted in the audit."""
    decode = msgspec.json.Decoder(_Graph).decode
    for file in _find_symbol_graphs(path):
        try:
            graph = decode(read_limited(file, _MOST_GRAPH))
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
            audit.note("symbol-graphs", "unreadable", file.name, str(problem))
            continue
        yield from _find_constrained(graph)


def _find_constrained(graph: _Graph) -> Iterator[_ConstrainedSymbol]:
    for symbol in graph.symbols:
        if symbol.swift_generics and symbol.swift_generics.constraints:
            path = "/".join([graph.module.name, *symbol.path_components]).lower()
            constraints = dict.fromkeys(
                f"{each.lhs}{_OPERATORS.get(each.kind, ': ')}{each.rhs}"
                for each in symbol.swift_generics.constraints
            )
            yield _ConstrainedSymbol(symbol.identifier.precise, path, tuple(constraints))
