"""Declarations by name, by what they conform to, and by what they say about themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stacks.errors import QueryError
from stacks.model import SYMBOL_KINDS
from stacks.query.parsing import parse_query, quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.query.database import Database

__all__ = ["SymbolFilters", "SymbolHit", "find_conformances", "find_symbols"]

_COLUMNS = """
    d.name, d.kind, d.signature, m.uri, d.attributes, d.conformances, d.generic_constraints,
    d.is_async, d.is_throws, d.is_static, d.origin
"""


@dataclass(frozen=True, slots=True)
class SymbolFilters:
    """Confine symbols to a kind, an attribute, a constraint, or to async, throwing or static."""

    kind: str = ""
    attribute: str = ""
    constraint: str = ""
    is_async: bool = False
    is_throws: bool = False
    is_static: bool = False

    def conditions(self) -> tuple[list[str], list[object]]:
        """Write the filters as SQL about `symbols AS d`."""
        if self.kind and self.kind not in SYMBOL_KINDS:
            raise QueryError(
                f"there is no kind of symbol {self.kind!r}; kinds are {', '.join(SYMBOL_KINDS)}"
            )
        texts = (
            ("d.kind = ?", self.kind),
            ("instr(d.attributes, ?)", self.attribute and "@" + self.attribute.lstrip("@")),
            ("instr(d.generic_constraints, ?)", self.constraint),
        )
        flags = (
            ("is_async", self.is_async),
            ("is_throws", self.is_throws),
            ("is_static", self.is_static),
        )
        parts = [sql for sql, value in texts if value]
        parts += [f"d.{column}" for column, wanted in flags if wanted]
        return parts, [value for _, value in texts if value]


@dataclass(frozen=True, slots=True)
class SymbolHit:
    """A declaration, and the page it was found on."""

    name: str
    kind: str
    signature: str
    uri: str
    attributes: str
    conformances: str
    constraints: str
    is_async: bool
    is_throws: bool
    is_static: bool
    origin: str


def find_symbols(
    databases: Iterable[Database], text: str, filters: SymbolFilters, limit: int
) -> list[SymbolHit]:
    """Find declarations whose name, signature, attributes or conformances have the words.

    A declaration that is its page's own stands before one from a snippet, and an exact name
    before any other; without words the filters alone decide.
    """
    parts, values = filters.conditions()
    words = parse_query(text).words
    if not words and not parts:
        raise QueryError("name a symbol, or a filter such as --attribute @MainActor")
    match = " AND ".join(quote((word,)) for word in words)
    found = []
    for database in databases:
        if match:
            source = "doc_symbols_fts CROSS JOIN symbols AS d ON d.id = doc_symbols_fts.rowid"
            where = ["doc_symbols_fts MATCH ?", *parts]
            order = "bm25(doc_symbols_fts, 10.0, 1.0, 3.0, 3.0)"
        else:
            source, where, order = "symbols AS d", parts, "d.name"
        sql = f"""
            SELECT {_COLUMNS} FROM {source} CROSS JOIN docs_metadata AS m ON m.id = d.doc_id
            WHERE {" AND ".join(where)}
            ORDER BY d.name <> ?, d.origin = 'snippet', {order}, m.uri, d.id LIMIT ?
        """  # noqa: S608 - fixed conditions; what a person typed is bound
        bound = ([match] if match else []) + values
        found += database.rows(sql, [*bound, text.strip().lstrip("@"), limit])
    return [_make(row) for row in found][:limit]


def find_conformances(databases: Iterable[Database], name: str, limit: int) -> list[SymbolHit]:
    """Find declarations that conform to a protocol or inherit from a class of that name."""
    words = parse_query(name).words
    if not words:
        raise QueryError("name a protocol or a class, such as Hashable")
    match = f"conformances : {quote(words)}"
    found = []
    for database in databases:
        sql = f"""
            SELECT {_COLUMNS} FROM doc_symbols_fts
            CROSS JOIN symbols AS d ON d.id = doc_symbols_fts.rowid
            CROSS JOIN docs_metadata AS m ON m.id = d.doc_id
            WHERE doc_symbols_fts MATCH ?
            ORDER BY d.origin = 'snippet', d.name, m.uri, d.id LIMIT ?
        """  # noqa: S608 - fixed columns
        found += database.rows(sql, (match, limit))
    return [_make(row) for row in found][:limit]


def _make(row: tuple[Any, ...]) -> SymbolHit:
    name, kind, signature, uri, attributes, conformances, constraints, *flags, origin = row
    is_async, is_throws, is_static = map(bool, flags)
    return SymbolHit(
        name=name,
        kind=kind,
        signature=signature,
        uri=uri,
        attributes=attributes,
        conformances=conformances,
        constraints=constraints,
        is_async=is_async,
        is_throws=is_throws,
        is_static=is_static,
        origin=origin,
    )
