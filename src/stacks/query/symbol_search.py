"""Declarations by name, by what they conform to and by their attributes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.errors import QueryError
from stacks.model import SYMBOL_KINDS
from stacks.query.filters import Condition, attribute_condition
from stacks.query.query_parser import parse_query, quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.storage import Database

__all__ = [
    "SymbolFilters",
    "SymbolHit",
    "find_conformances",
    "find_symbols",
]

_COLUMNS = """
    d.name, d.kind, d.signature, m.uri, d.attributes, d.conformances, d.generic_constraints,
    d.is_async, d.is_throws, d.is_static, d.origin
"""
_PAGES = """
    CROSS JOIN docs_metadata AS m ON m.id = d.doc_id
    LEFT JOIN framework_aliases AS f ON f.framework = m.framework
"""
_FOUND = "doc_symbols_fts CROSS JOIN symbols AS d ON d.id = doc_symbols_fts.rowid"
_BM25 = "bm25(doc_symbols_fts, 10.0, 1.0, 3.0, 3.0)"

# One order for every file, so that the rows of several files can be merged: the name as typed,
# then in another case; a page's own declaration before a snippet's; current before deprecated;
# what has many pages below or beside it before what has few.
_KEY = """
    CASE WHEN d.name = ? THEN 0 WHEN d.name = ? COLLATE NOCASE THEN 1 ELSE 2 END,
    d.origin = 'snippet', m.is_deprecated, -m.prominence, -coalesce(f.documents, 0), {bm25},
    m.uri, d.id
"""
_KEY_LENGTH = 8

_ATTRIBUTE_START = re.compile(r"\s+(?=@)")


@dataclass(frozen=True, slots=True)
class SymbolFilters:
    """Restrict symbols to a kind, an attribute, a constraint, or to async, throwing or static."""

    kind: str = ""
    attribute: str = ""
    constraint: str = ""
    is_async: bool = False
    is_throws: bool = False
    is_static: bool = False

    def condition(self) -> Condition:
        """Return the filters as SQL about `symbols AS d`."""
        if self.kind and self.kind not in SYMBOL_KINDS:
            raise QueryError(
                f"there is no kind of symbol {self.kind!r}; kinds are {', '.join(SYMBOL_KINDS)}"
            )
        parts = []
        if self.kind:
            parts.append(Condition("d.kind = ?", (self.kind,)))
        if self.attribute:
            parts.append(attribute_condition(self.attribute))
        if self.constraint:
            parts.append(_constraint_condition(self.constraint))
        flags = ("is_async", "is_throws", "is_static")
        parts += [Condition(f"d.{column}") for column in flags if getattr(self, column)]
        return Condition(
            " AND ".join(part.sql for part in parts),
            tuple(value for part in parts for value in part.values),
        )


def _constraint_condition(constraint: str) -> Condition:
    """Return the condition that a constraint has these whole words: `View` is not `ViewBuilder`."""
    words = constraint.strip().lower()
    pattern = re.sub(r"[*?\[]", r"[\g<0>]", words)
    before = "[^a-z0-9_]" if re.match(r"\w", words) else ""
    after = "[^a-z0-9_]" if re.search(r"\w$", words) else ""
    sql = "' ' || lower(d.generic_constraints) || ' ' GLOB ?"
    return Condition(f"({sql})", (f"*{before}{pattern}{after}*",))


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

    @property
    def marked_signature(self) -> str:
        """The signature on one line, with the attributes that it lacks; the name if it is empty."""
        shown = " ".join((self.signature or self.name).split())
        marks = []
        for attribute in filter(None, _ATTRIBUTE_START.split(self.attributes)):
            if shown.startswith(f"{attribute} "):
                shown = shown.removeprefix(f"{attribute} ")
                marks.append(attribute)
            elif not _has_attribute(shown, attribute):
                marks.append(attribute)
        return " ".join((*marks, shown))


def _has_attribute(signature: str, attribute: str) -> bool:
    """Return whether a signature has an attribute, whatever the spaces in either."""
    characters = "".join(attribute.split())
    end = r"(?!\w)" if re.search(r"\w$", characters) else ""
    return bool(re.search(r"\s*".join(map(re.escape, characters)) + end, signature))


def find_symbols(
    databases: Iterable[Database], text: str, filters: SymbolFilters, limit: int
) -> list[SymbolHit]:
    """Find declarations whose name, signature, attributes or conformances have the words.

    An exact name comes before any other, and a page's own declaration before one from a snippet;
    without words the filters alone decide.
    """
    condition = filters.condition()
    words = _words(text)
    if not words and not condition:
        raise QueryError("name a symbol, or a filter such as --attribute @MainActor")
    name = text.strip().strip('"').lstrip("@")
    match = " AND ".join(quote((word,)) for word in words)
    return _find(databases, match, condition, name, limit)


def find_conformances(databases: Iterable[Database], name: str, limit: int) -> list[SymbolHit]:
    """Find declarations that conform to a protocol or inherit from a class of that name."""
    words = _words(name)
    if not words:
        raise QueryError("name a protocol or a class, such as Hashable")
    return _find(databases, f"conformances : {quote(words)}", Condition(""), "", limit)


def _words(text: str) -> tuple[str, ...]:
    """Return every word, quoted or not: here all words must occur anyway."""
    query = parse_query(text)
    quoted = [word for phrase in query.phrases for word in phrase]
    return tuple(dict.fromkeys((*query.words, *quoted)))


def _find(
    databases: Iterable[Database], match: str, condition: Condition, name: str, limit: int
) -> list[SymbolHit]:
    if limit < 1:
        raise QueryError(f"a list of symbols needs a limit of at least 1, not {limit}")
    where = (["doc_symbols_fts MATCH ?"] if match else []) + ([condition.sql] if condition else [])
    key = _KEY.format(bm25=_BM25 if match else "0")
    order = ", ".join(map(str, range(1, _KEY_LENGTH + 1)))
    sql = f"""
        SELECT {key}, {_COLUMNS} FROM {_FOUND if match else "symbols AS d"} {_PAGES}
        WHERE {" AND ".join(where)} ORDER BY {order} LIMIT ?
    """  # noqa: S608 - fixed columns and conditions; what a person typed is bound
    values = [name, name, *([match] if match else []), *condition.values, limit]
    rows = [row for database in databases for row in database.rows(sql, values)]
    rows.sort(key=lambda row: row[:_KEY_LENGTH])
    found = (row[_KEY_LENGTH:] for row in rows[:limit])
    return [SymbolHit(*row[:7], *map(bool, row[7:10]), *row[10:]) for row in found]
