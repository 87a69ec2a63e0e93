"""What a type inherits from, and what inherits from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stacks.query.database import Database

__all__ = ["DIRECTIONS", "Family", "Relative", "find_family"]

DIRECTIONS = {"up": ("up",), "down": ("down",), "both": ("up", "down")}
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
_TITLES = """
SELECT m.uri, s.title FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.uri = wanted.value
JOIN docs_structured AS s ON s.id = m.id
"""

# The first four columns tell which of several namesakes, in any file, is meant.
_TYPES = """
SELECT m.kind NOT IN ('class', 'protocol', 'actor', 'struct', 'enum'), n.nearness,
       m.is_deprecated, -m.prominence, m.uri, s.title, m.kind
FROM doc_names AS n
JOIN docs_metadata AS m ON m.id = n.doc_id JOIN docs_structured AS s ON s.id = m.id
WHERE n.name = ? ORDER BY 1, 2, 3, 4, 5 LIMIT 1
"""
_PAGE = """
SELECT 0, 0, 0, 0, m.uri, s.title, m.kind FROM docs_metadata AS m
JOIN docs_structured AS s ON s.id = m.id WHERE m.uri = ?
"""


@dataclass(frozen=True, slots=True)
class Relative:
    """A type above or below, and how many steps away."""

    uri: str
    title: str
    direction: str
    steps: int
    through: str


@dataclass(frozen=True, slots=True)
class Family:
    """A type with its relatives, each right behind the one through which it was reached.

    Without a page of that name, `uri` is empty.
    """

    uri: str
    title: str
    kind: str
    relatives: tuple[Relative, ...]


def find_family(
    databases: Sequence[Database], symbol: str, direction: str = "both", depth: int = 3
) -> Family:
    """Walk the inheritance of a symbol, given by name or by URI."""
    if direction not in DIRECTIONS:
        raise QueryError(
            f"there is no direction {direction!r}; directions are {', '.join(DIRECTIONS)}"
        )
    if depth < 1:
        raise QueryError(f"inheritance needs a depth of at least 1, not {depth}")
    start = _find_start(databases, symbol)
    if start is None:
        return Family("", symbol, "", ())
    uri, title, kind = start
    relatives = [
        relative
        for each in DIRECTIONS[direction]
        for relative in _nest(uri, _walk(databases, uri, each, depth))
    ]
    return Family(uri, title, kind, tuple(relatives))


def _find_start(databases: Sequence[Database], symbol: str) -> tuple[str, str, str] | None:
    """Find the page that is meant: of namesakes the best, whichever file has it."""
    is_uri = "://" in symbol
    sql, value = (_PAGE, symbol) if is_uri else (_TYPES, symbol.strip().casefold())
    rows = [row for database in databases for row in database.rows(sql, (value,))]
    return min(rows)[4:] if rows else None


def _walk(
    databases: Sequence[Database], start: str, direction: str, depth: int
) -> Iterable[Relative]:
    """Go step by step, each type once, so that a circle in the data ends."""
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
        titles = dict(_collect(databases, _TITLES, front))
        for uri in front:
            title = titles.get(uri) or uri.rsplit("/", 1)[-1]
            yield Relative(uri, title, direction, steps, through[uri])


def _collect(
    databases: Sequence[Database], sql: str, uris: Sequence[str]
) -> Iterable[tuple[str, str]]:
    """Ask every file about all URIs at once; the answers come in the order of the URIs."""
    place = {uri: number for number, uri in enumerate(uris)}
    wanted = json.dumps(uris)
    pairs = {(row[0], row[1]) for database in databases for row in database.rows(sql, (wanted,))}
    return sorted(pairs, key=lambda pair: (place[pair[0]], pair[1]))


def _nest(start: str, relatives: Iterable[Relative]) -> Iterable[Relative]:
    """Put each relative right behind the one through which it was reached."""
    reached: dict[str, list[Relative]] = {}
    for each in relatives:
        reached.setdefault(each.through, []).append(each)
    waiting = reached.get(start, [])[::-1]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(reversed(reached.get(each.uri, ())))
