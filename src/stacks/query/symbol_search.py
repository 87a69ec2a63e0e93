"""Declarations by name, conformance and attributes; types by inheritance."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from stacks.errors import QueryError
from stacks.model import SYMBOL_KINDS
from stacks.query.filters import Condition, attribute_condition
from stacks.query.query_parser import parse_query, quote
from stacks.query.stored_documents import read_document
from stacks.storage import read_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stacks.storage import Database

__all__ = [
    "DIRECTIONS",
    "Relative",
    "SymbolFilters",
    "SymbolHit",
    "TypeFamily",
    "find_conformances",
    "find_family",
    "find_symbols",
]

_FLAGS = ("is_async", "is_throws", "is_static")
_FIELDS = {
    "name": "d.name",
    "kind": "d.kind",
    "signature": "d.signature",
    "uri": "m.uri",
    "attributes": "d.attributes",
    "conformances": "d.conformances",
    "constraints": "d.generic_constraints",
    **{flag: f"d.{flag}" for flag in _FLAGS},
    "origin": "d.origin",
}
"""The fields of a `SymbolHit`, and the column that each is read from."""
_PAGES = """
    CROSS JOIN docs_metadata AS m ON m.id = d.doc_id
    LEFT JOIN framework_aliases AS f ON f.framework = m.framework
"""
_FOUND = "doc_symbols_fts CROSS JOIN symbols AS d ON d.id = doc_symbols_fts.rowid"
_BM25 = "bm25(doc_symbols_fts, 10.0, 1.0, 3.0, 3.0)"

# One order for every file, so the rows of several files can be merged: the name as typed,
# then in another case; a page's own declaration before a snippet's; current before deprecated;
# what has many pages below or beside it before what has few.
_ORDER = (
    "CASE WHEN d.name = ? THEN 0 WHEN d.name = ? COLLATE NOCASE THEN 1 ELSE 2 END",
    "d.origin = 'snippet'",
    "m.is_deprecated",
    "-m.prominence",
    "-coalesce(f.documents, 0)",
    "{bm25}",
    "m.uri",
    "d.id",
)

_ATTRIBUTE_START = re.compile(r"\s+(?=@)")


DIRECTIONS = {"up": ("up",), "down": ("down",), "both": ("up", "down")}
"""The directions of inheritance that a user can name, and the steps that each goes."""
_MOST_CANDIDATES = 10
"""How many types of one name are listed."""
_STEPS = {
    "up": """
        SELECT i.child_uri, i.parent_uri FROM json_each(?) AS front
        JOIN inheritance AS i ON i.child_uri = front.value
    """,
    "down": """
        SELECT i.parent_uri, i.child_uri FROM json_each(?) AS front
        JOIN inheritance AS i ON i.parent_uri = front.value
    """,
}
_URI_TITLES = """
SELECT m.uri, s.title FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.uri = wanted.value
JOIN docs_structured AS s ON s.id = m.id
"""
_STATED = """
SELECT m.uri, s.conformances || char(10) || coalesce(
    (SELECT group_concat(d.conformances) FROM symbols AS d
     WHERE d.doc_id = m.id AND d.origin <> 'snippet'), ''
) || char(10) || s.declaration
FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.uri = wanted.value
JOIN docs_structured AS s ON s.id = m.id
"""
# The first five columns are the order: a type before any other page, a title before other names.
_NAMED = """
SELECT m.kind NOT IN ('class', 'protocol', 'actor', 'struct', 'enum'), n.nearness,
       m.is_deprecated, -m.prominence, m.uri, s.title, m.kind
FROM doc_names AS n
JOIN docs_metadata AS m ON m.id = n.doc_id JOIN docs_structured AS s ON s.id = m.id
WHERE n.name = ?
"""


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
        parts += [Condition(f"d.{flag}") for flag in _FLAGS if getattr(self, flag)]
        values: list[object] = []
        for part in parts:
            values += part.values
        return Condition(" AND ".join(part.sql for part in parts), tuple(values))


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
    return tuple(dict.fromkeys((*query.words, *chain.from_iterable(query.phrases))))


def _find(
    databases: Iterable[Database], match: str, condition: Condition, name: str, limit: int
) -> list[SymbolHit]:
    if limit < 1:
        raise QueryError(f"a list of symbols needs a limit of at least 1, not {limit}")
    where = (["doc_symbols_fts MATCH ?"] if match else []) + ([condition.sql] if condition else [])
    keys = len(_ORDER)
    order = ", ".join(_ORDER).format(bm25=_BM25 if match else "0")
    # The keys of the order are read as well: with them the rows of several files are merged.
    sql = f"""
        SELECT {order}, {", ".join(_FIELDS.values())}
        FROM {_FOUND if match else "symbols AS d"} {_PAGES} WHERE {" AND ".join(where)}
        ORDER BY {", ".join(str(number + 1) for number in range(keys))} LIMIT ?
    """  # noqa: S608 - fixed columns and conditions; what a person typed is bound
    values = [name, name, *([match] if match else []), *condition.values, limit]
    rows = read_all(databases, sql, values)
    rows.sort(key=lambda row: row[:keys])
    return [_make_symbol_hit(row[keys:]) for row in rows[:limit]]


def _make_symbol_hit(stored: Sequence[Any]) -> SymbolHit:
    """Return the hit that a row of `_FIELDS` describes."""
    fields = dict(zip(_FIELDS, stored, strict=True))
    # SQLite stores booleans as numbers; JSON of a hit has true and false.
    fields |= {flag: bool(fields[flag]) for flag in _FLAGS}
    return SymbolHit(**fields)


@dataclass(frozen=True, slots=True)
class Relative:
    """A type above or below, and how many steps away.

    If the index has no page of it, `title` is its name as the page of its relative writes it.
    """

    uri: str
    title: str
    direction: str
    steps: int
    through: str
    is_indexed: bool = True


@dataclass(frozen=True, slots=True)
class TypeFamily:
    """A type with its relatives, each right after the one through which it was reached.

    If there is no page of that name, `uri` is empty.
    """

    uri: str
    title: str
    kind: str
    relatives: tuple[Relative, ...]


def find_family(
    databases: Sequence[Database], symbol: str, direction: str = "both", depth: int = 3
) -> TypeFamily:
    """Walk the inheritance of a type, given by its URI, or by a name that no other type has."""
    if direction not in DIRECTIONS:
        raise QueryError(
            f"there is no direction {direction!r}; directions are {', '.join(DIRECTIONS)}"
        )
    if depth < 1:
        raise QueryError(f"inheritance needs a depth of at least 1, not {depth}")
    start = _find_start(databases, symbol)
    if start is None:
        return TypeFamily("", symbol, "", ())
    uri, title, kind = start
    relatives: list[Relative] = []
    for each in DIRECTIONS[direction]:
        relatives += _nest(uri, _walk(databases, uri, each, depth))
    return TypeFamily(uri, title, kind, tuple(relatives))


def _find_start(databases: Sequence[Database], symbol: str) -> tuple[str, str, str] | None:
    """Find the page that is meant; several types of a name are an error that lists them."""
    if "://" in symbol:
        document = read_document(databases, symbol)
        return (document.uri, document.title, document.kind) if document else None
    name = symbol.strip().casefold()
    rows = sorted(set(read_all(databases, _NAMED, (name,))))
    if not rows:
        return None
    is_other, nearness, *_ = rows[0]
    uris = [row[4] for row in rows if row[:2] == (is_other, nearness)]
    # A type that has a page for each of two languages is one type.
    types = list(dict.fromkeys(uri.partition("?language=")[0] for uri in uris))
    if not is_other and len(types) > 1:
        raise QueryError(_refuse_name(symbol.strip(), types))
    return rows[0][4:]


def _refuse_name(name: str, uris: Sequence[str]) -> str:
    listed = ", ".join(uris[:_MOST_CANDIDATES]) + (" …" if len(uris) > _MOST_CANDIDATES else "")
    return f"{len(uris)} types are called {name}; give the URI of one: {listed}"


def _walk(
    databases: Sequence[Database], start: str, direction: str, depth: int
) -> Iterable[Relative]:
    """Go step by step, to each type once, so a cycle in the data ends."""
    seen = {start}
    front = [start]
    steps = 0
    while front and steps < depth:
        steps += 1
        through = {}
        for uri, following in _collect(databases, _STEPS[direction], front):
            if following not in seen:
                seen.add(following)
                through[following] = uri
        front = list(through)
        titles = dict(_collect(databases, _URI_TITLES, front))
        absent = {uri: through[uri] for uri in front if uri not in titles}
        names = _find_written_names(databases, absent)
        for uri in front:
            title = titles.get(uri) or names.get(uri) or _last_part(uri)
            yield Relative(uri, title, direction, steps, through[uri], uri in titles)


def _find_written_names(
    databases: Sequence[Database], through: Mapping[str, str]
) -> dict[str, str]:
    """Find types without a page as the pages that they were reached through write them."""
    stated = dict(_collect(databases, _STATED, list(dict.fromkeys(through.values()))))
    names = {}
    for uri, relative in through.items():
        pattern = rf"(?<!\w){re.escape(_last_part(uri))}(?!\w)"
        if match := re.search(pattern, stated.get(relative, ""), re.IGNORECASE):
            names[uri] = match[0]
    return names


def _last_part(uri: str) -> str:
    return uri.partition("?")[0].rsplit("/", 1)[-1]


def _collect(
    databases: Sequence[Database], sql: str, uris: Sequence[str]
) -> Iterable[tuple[str, str]]:
    """Query every file about all URIs at once; pairs come in the order of the URIs."""
    place = {uri: number for number, uri in enumerate(uris)}
    wanted = json.dumps(uris)
    pairs = {(uri, related) for uri, related, *_ in read_all(databases, sql, (wanted,))}
    return sorted(pairs, key=lambda pair: (place[pair[0]], pair[1]))


def _nest(start: str, relatives: Iterable[Relative]) -> Iterable[Relative]:
    """Put each relative right after the one through which it was reached."""
    reached: dict[str, list[Relative]] = {}
    for each in relatives:
        reached.setdefault(each.through, []).append(each)
    waiting = reached.get(start, [])[::-1]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(reversed(reached.get(each.uri, ())))
