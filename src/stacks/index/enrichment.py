"""What no single page says: constraints that the compiler or a parent type knows, and rank.

Three steps, in this order. Constraints seen on the page are there already, from parsing. The
authoritative ones of symbol graphs replace them where they are given. Then what a type demands
of its parameters is handed down to members that use the parameters and say nothing themselves:
authority comes before inheritance, so that what is inherited is right.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from stacks.index.symbol_graphs import read_symbol_graphs

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from pathlib import Path

    from stacks.index.audit import Audit

__all__ = ["enrich"]

_SUBJECT = re.compile(r"\s*([\w.]+)")
_WORD = re.compile(r"\w+")


def enrich(connection: sqlite3.Connection, symbol_graphs: Path | None, audit: Audit) -> None:
    """Fill in the constraints of declarations, and count what was filled in."""
    connection.execute(
        """
        UPDATE symbols SET generic_constraints = page_constraints
        WHERE generic_constraints <> page_constraints
        """
    )
    if symbol_graphs is not None:
        _apply_symbol_graphs(connection, symbol_graphs, audit)
    _propagate_from_parents(connection, audit)
    _link_families(connection)
    _count_pages_below(connection)


def _apply_symbol_graphs(connection: sqlite3.Connection, folder: Path, audit: Audit) -> None:
    by_name, by_path = _own_symbols(connection)
    changes: list[tuple[str, int]] = []
    for symbol in read_symbol_graphs(folder, audit):
        found = by_name.get(symbol.precise) or by_path.get(symbol.path) or ()
        changes.extend((", ".join(symbol.constraints), number) for number in found)
    connection.executemany("UPDATE symbols SET generic_constraints = ? WHERE id = ?", changes)
    audit.counts["constraints-from-symbol-graphs"] += len(changes)


def _own_symbols(
    connection: sqlite3.Connection,
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Declarations by the compiler's name, and by the path of their page."""
    by_name: dict[str, list[int]] = {}
    by_path: dict[str, list[int]] = {}
    rows = connection.execute(
        """
        SELECT d.id, m.uri, CASE WHEN s.facts <> '' THEN json_extract(s.facts, '$.external_id') END
        FROM symbols AS d
        JOIN docs_metadata AS m ON m.id = d.doc_id
        JOIN docs_structured AS s ON s.id = m.id
        WHERE d.origin <> 'snippet'
        """
    )
    for number, uri, precise in rows:
        by_path.setdefault(uri.split("://", 1)[1], []).append(number)
        if precise:
            by_name.setdefault(precise, []).append(number)
    return by_name, by_path


def _propagate_from_parents(connection: sqlite3.Connection, audit: Audit) -> None:
    """Walk from the shortest paths to the longest, handing constraints down."""
    rows = connection.execute(
        """
        SELECT id, doc_uri, signature, generic_constraints FROM doc_symbols
        WHERE origin <> 'snippet'
        ORDER BY length(doc_uri) - length(replace(doc_uri, '/', '')), id
        """
    )
    known: dict[str, tuple[str, ...]] = {}
    changes = []
    for number, uri, signature, text in rows:
        demanded = known.get(uri.rsplit("/", 1)[0], ())
        own = tuple(part for part in text.split(", ") if part)
        inherited = () if own else tuple(_inherited(demanded, signature))
        if inherited:
            changes.append((", ".join(inherited), number))
        # A type that demands nothing itself hands on what its own parent demands.
        known[uri] = own or demanded
    connection.executemany("UPDATE symbols SET generic_constraints = ? WHERE id = ?", changes)
    audit.counts["constraints-from-parents"] += len(changes)


def _inherited(constraints: Iterable[str], signature: str) -> Iterable[str]:
    """The parent's constraints on names that the signature uses."""
    words = frozenset(_WORD.findall(signature))
    for constraint in constraints:
        subject = _SUBJECT.match(constraint)
        if subject and subject.group(1).split(".")[0] in words:
            yield constraint


def _link_families(connection: sqlite3.Connection) -> None:
    """Make one edge of each inheritance, whichever of its two pages tells of it."""
    connection.execute("DELETE FROM inheritance")
    rows = connection.execute(
        """
        SELECT m.uri, s.parents, s.children FROM docs_structured AS s
        JOIN docs_metadata AS m ON m.id = s.id WHERE s.parents <> '' OR s.children <> ''
        """
    ).fetchall()
    edges = {
        edge
        for uri, parents, children in rows
        for edge in (
            *((parent, uri) for parent in parents.splitlines()),
            *((uri, child) for child in children.splitlines()),
        )
    }
    connection.executemany("INSERT INTO inheritance VALUES (?, ?)", sorted(edges))


def _count_pages_below(connection: sqlite3.Connection) -> None:
    """Give each page the number of pages below it, which tells `Array` from an obscure namesake."""
    uris = connection.execute("SELECT id, uri FROM docs_metadata ORDER BY id").fetchall()
    below: Counter[str] = Counter()
    for _, uri in uris:
        for parent in _parents(uri):
            below[parent] += 1
    changes = (
        (below[uri] or sum(below[parent] for parent in _parents(uri)[:-1][:1]), number)
        for number, uri in uris
    )
    connection.executemany("UPDATE docs_metadata SET prominence = ? WHERE id = ?", changes)


def _parents(uri: str) -> list[str]:
    """The URIs above one, from the nearest to its framework."""
    scheme, _, path = uri.partition("://")
    steps = path.split("/")
    return [f"{scheme}://{'/'.join(steps[:count])}" for count in range(len(steps) - 1, 0, -1)]
