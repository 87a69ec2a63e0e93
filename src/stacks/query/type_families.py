"""Types by inheritance: the ancestors and descendants of a type."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.errors import QueryError
from stacks.query.stored_documents import read_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stacks.storage import Database

__all__ = ["DIRECTIONS", "Relative", "TypeFamily", "find_family"]

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
    relatives = [
        relative
        for each in DIRECTIONS[direction]
        for relative in _nest(uri, _walk(databases, uri, each, depth))
    ]
    return TypeFamily(uri, title, kind, tuple(relatives))


def _find_start(databases: Sequence[Database], symbol: str) -> tuple[str, str, str] | None:
    """Find the page that is meant; several types of a name are an error that lists them."""
    if "://" in symbol:
        document = read_document(databases, symbol)
        return (document.uri, document.title, document.kind) if document else None
    name = symbol.strip().casefold()
    rows = sorted({row for database in databases for row in database.rows(_NAMED, (name,))})
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
    """Go step by step, to each type once, so that a cycle in the data ends."""
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
    pairs = {(row[0], row[1]) for database in databases for row in database.rows(sql, (wanted,))}
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
