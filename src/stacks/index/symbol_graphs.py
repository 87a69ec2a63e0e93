"""Relations of symbols that pages do not state: generic constraints, edges of inheritance.

Symbol graphs: the generic constraints of a module, as the Swift compiler states them.

The files are large (hundreds of megabytes for one framework), so only the four fields that are
needed of each symbol are decoded. What they say is kept in the index, for the saves that are given
no symbol graphs.

The edges of inheritance: who inherits from whom, in one language.

A page states its parents and children by URI, or by name if its corpus has only names. A page that
exists in two languages (`…` and `…?language=objc`) states the same URIs in both; an edge joins the
pages of one language, so neither is among the parents or subclasses of the other.
"""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield_shared.settings_files import read_limited
from stacks.errors import SaveError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from stacks.index.index_file import PreviousIndex
    from stacks.index.requests import Audit

__all__ = [
    "check_symbol_graphs",
    "keep_constraints",
    "store_constraints",
    "write_inheritance",
]

_NONE = Path("none")
"""Given as the folder, removes what earlier symbol graphs said."""

_OPERATORS = {"sameType": " == "}


_MOST_GRAPH = 1 << 30
_FRAMEWORKS = "SELECT DISTINCT lower(framework) FROM docs_metadata"
_PRECISE_IDS = "SELECT json_extract(facts, '$.external_id') FROM docs_structured WHERE facts <> ''"
_HAS_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'graph_constraints'"


_FAMILIES = """
SELECT m.uri, m.source, m.language, m.framework, s.parents, s.children
FROM docs_structured AS s JOIN docs_metadata AS m ON m.id = s.id
WHERE s.parents <> '' OR s.children <> ''
"""
_LANGUAGES = """
SELECT m.uri, m.language FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.uri = wanted.value
"""
_NAMED = """
SELECT n.name, n.nearness, m.uri, m.source, m.language, m.framework
FROM json_each(?) AS wanted
JOIN doc_names AS n ON n.name = wanted.value
JOIN docs_metadata AS m ON m.id = n.doc_id
WHERE m.kind IN ('class', 'protocol', 'actor', 'struct', 'enum')
"""


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


class _Type(NamedTuple):
    """A page that has relatives, or is one."""

    uri: str
    source: str
    language: str
    framework: str


def write_inheritance(connection: sqlite3.Connection) -> None:
    """Write each inheritance as one edge, whichever of its two pages states it."""
    rows = connection.execute(_FAMILIES).fetchall()
    stated: set[str] = set()
    for *_, parents, children in rows:
        stated.update(parents.splitlines(), children.splitlines())
    relatives = _Relatives(connection, stated, {row[2] for row in rows})
    edges = set()
    for *place, parents, children in rows:
        page = _Type(*place)
        edges |= {(parent, page.uri) for parent in relatives.find(page, parents.splitlines())}
        edges |= {(page.uri, child) for child in relatives.find(page, children.splitlines())}
    connection.execute("DELETE FROM inheritance")
    connection.executemany("INSERT INTO inheritance VALUES (?, ?)", sorted(edges))


class _Relatives:
    """Finds the page that a stated relative is, in the language of the page that states it."""

    def __init__(
        self, connection: sqlite3.Connection, stated: Iterable[str], languages: Iterable[str]
    ) -> None:
        uris = [name for name in stated if "://" in name]
        twins = [_twin(uri, language) for uri in uris for language in languages]
        wanted = json.dumps([*uris, *twins])
        self._languages = dict(connection.execute(_LANGUAGES, (wanted,)).fetchall())
        self._named: dict[str, list[tuple[int, _Type]]] = defaultdict(list)
        names = [name.casefold() for name in stated if "://" not in name]
        for name, nearness, *place in connection.execute(_NAMED, (json.dumps(names),)):
            self._named[name].append((nearness, _Type(*place)))

    def find(self, page: _Type, stated: Iterable[str]) -> Iterator[str]:
        """Yield the URIs of the relatives that a page states, without the page itself."""
        for name in stated:
            found = self._find_uri(page, name) if "://" in name else self._find_named(page, name)
            if found and found != page.uri:
                yield found

    def _find_uri(self, page: _Type, uri: str) -> str:
        """Return the page of that URI in the language; one that the index lacks as stated."""
        twin = _twin(uri, page.language)
        if twin in self._languages:
            return twin
        language = self._languages.get(uri)
        return uri if language in (None, page.language) else ""

    def _find_named(self, page: _Type, name: str) -> str:
        """Return the type of that name, of the same framework if there is one; else if only one."""
        found = [
            (each.framework != page.framework, nearness, each.uri)
            for nearness, each in self._named.get(name.casefold(), ())
            if (each.source, each.language) == (page.source, page.language)
        ]
        best = min(found, default=None)
        if best is None or sum(each[:2] == best[:2] for each in found) > 1:
            return ""
        return best[2]


def _twin(uri: str, language: str) -> str:
    return f"{uri}?language={language}"
