"""Adds what no single page says: constraints, inheritance, prominence, names of frameworks.

Generic constraints come from three places, in this order. Those on the page were found by parsing.
The compiler's, from symbol graphs of this save or an earlier one, replace them. Then the
constraints of a type are propagated to members that use its parameters and have none themselves:
the compiler comes before inheritance, so what is inherited is right.

The names of frameworks: import name, display name and synonyms.

Synonyms are common knowledge, kept as a table in `framework_synonyms.toml`; an index gets those of
the frameworks it holds.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield_shared.settings_files import parse_toml
from stacks.index.symbol_graphs import store_constraints, write_inheritance

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from stacks.index.requests import Audit

__all__ = [
    "enrich",
    "write_aliases",
]

_SUBJECT = re.compile(r"\s*([\w.]+)")
_WORD = re.compile(r"\w+")
_MEMBERS = ("function", "property")
"""Kinds of members that a framework may have itself."""


_SYNONYMS = Path(__file__).with_name("framework_synonyms.toml")


def enrich(connection: sqlite3.Connection, symbol_graphs: Path | None, audit: Audit) -> None:
    """Complete constraints, inheritance and prominence; the audit counts constraints added."""
    connection.execute(
        """
        UPDATE symbols SET generic_constraints = page_constraints
        WHERE generic_constraints <> page_constraints
        """
    )
    if symbol_graphs is not None:
        store_constraints(connection, symbol_graphs, audit)
    _apply_symbol_graphs(connection, audit)
    _propagate_from_parents(connection, audit)
    write_inheritance(connection)
    _count_pages_below(connection)


def _apply_symbol_graphs(connection: sqlite3.Connection, audit: Audit) -> None:
    """Apply what symbol graphs said, at this save or an earlier one."""
    stored = connection.execute("SELECT precise_id, path, constraints FROM graph_constraints")
    rows = stored.fetchall()
    if not rows:
        return
    by_precise_id, by_path = _read_symbol_ids(connection)
    changes = []
    for precise_id, path, constraints in rows:
        # The compiler's id is exact; a path may be that of several overloads, and is second best.
        found = by_precise_id.get(precise_id) or by_path.get(path) or ()
        changes += [(constraints, symbol_id) for symbol_id in found]
    connection.executemany("UPDATE symbols SET generic_constraints = ? WHERE id = ?", changes)
    audit.counts["constraints-from-symbol-graphs"] += len(changes)


def _read_symbol_ids(
    connection: sqlite3.Connection,
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Map the compiler's precise id, and the path of the page, to the ids of declarations."""
    by_precise_id: dict[str, list[int]] = {}
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
    for symbol_id, uri, precise_id in rows:
        by_path.setdefault(uri.split("://", 1)[1], []).append(symbol_id)
        if precise_id:
            by_precise_id.setdefault(precise_id, []).append(symbol_id)
    return by_precise_id, by_path


def _propagate_from_parents(connection: sqlite3.Connection, audit: Audit) -> None:
    """Walk from the shortest paths to the longest, and propagate constraints downwards."""
    rows = connection.execute(
        """
        SELECT id, doc_uri, signature, generic_constraints FROM doc_symbols
        WHERE origin <> 'snippet'
        ORDER BY length(doc_uri) - length(replace(doc_uri, '/', '')), id
        """
    )
    by_uri: dict[str, tuple[str, ...]] = {}
    changes = []
    for symbol_id, uri, signature, text in rows:
        of_parent = by_uri.get(uri.rsplit("/", 1)[0], ())
        own = tuple(part for part in text.split(", ") if part)
        inherited = () if own else tuple(_inherit(of_parent, signature))
        if inherited:
            changes.append((", ".join(inherited), symbol_id))
        # A type without constraints passes on those of its own parent.
        by_uri[uri] = own or of_parent
    connection.executemany("UPDATE symbols SET generic_constraints = ? WHERE id = ?", changes)
    audit.counts["constraints-from-parents"] += len(changes)


def _inherit(constraints: Iterable[str], signature: str) -> Iterable[str]:
    """Yield the parent's constraints on names that the signature uses."""
    words = frozenset(_WORD.findall(signature))
    for constraint in constraints:
        subject = _SUBJECT.match(constraint)
        if subject and subject.group(1).split(".")[0] in words:
            yield constraint


def _count_pages_below(connection: sqlite3.Connection) -> None:
    """Count the pages below each page, which distinguishes `Array` from an obscure namesake.

    A member with none below has as many as its parent: `json.loads` is as prominent as `json`. A
    type or an article of a framework is not a member of a module: that they have none below counts.
    """
    uris = connection.execute("SELECT id, uri, kind FROM docs_metadata ORDER BY id").fetchall()
    below: Counter[str] = Counter()
    for _, uri, _ in uris:
        for parent in _list_parents(uri):
            below[parent] += 1
    changes = []
    for number, uri, kind in uris:
        parents = _list_parents(uri)
        is_member = len(parents) > 1 or (parents and kind in _MEMBERS)
        beside = below[parents[0]] if is_member else 0
        changes.append((below[uri] or beside, number))
    connection.executemany("UPDATE docs_metadata SET prominence = ? WHERE id = ?", changes)


def _list_parents(uri: str) -> list[str]:
    """List the URIs above one, from the nearest to its framework."""
    scheme, _, path = uri.partition("://")
    steps = path.split("/")
    return [f"{scheme}://{'/'.join(steps[:count])}" for count in range(len(steps) - 1, 0, -1)]


def write_aliases(connection: sqlite3.Connection) -> None:
    """Write the names of every framework that the index holds."""
    rows = connection.execute(
        """
        SELECT m.framework,
               coalesce(max(CASE WHEN m.uri LIKE '%://' || m.framework THEN s.module END),
                        min(nullif(s.module, ''))),
               coalesce(max(CASE WHEN m.uri LIKE '%://' || m.framework THEN s.title END),
                        min(nullif(s.module, ''))),
               count(*)
        FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
        WHERE m.framework <> '' GROUP BY m.framework
        """
    ).fetchall()
    synonyms = parse_toml(_SYNONYMS.read_text(encoding="utf-8"))
    connection.execute("DELETE FROM framework_aliases")
    connection.executemany(
        "INSERT INTO framework_aliases VALUES (?, ?, ?, ?, ?)",
        [
            (slug, module or slug, display or slug, ", ".join(synonyms.get(slug, ())), documents)
            for slug, module, display, documents in rows
        ],
    )
