"""What a type inherits from, and what inherits from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stacks.query.database import Database

__all__ = ["DIRECTIONS", "Family", "Relative", "find_family"]

DIRECTIONS = {"up": ("up",), "down": ("down",), "both": ("up", "down")}
_STEPS = {
    "up": "SELECT parent_uri FROM inheritance WHERE child_uri = ? ORDER BY 1",
    "down": "SELECT child_uri FROM inheritance WHERE parent_uri = ? ORDER BY 1",
}
_VALUE_TYPES = {"struct", "enum"}

_TYPES = """
SELECT m.uri, s.title, m.kind FROM doc_names AS n
JOIN docs_metadata AS m ON m.id = n.doc_id JOIN docs_structured AS s ON s.id = m.id
WHERE n.name = ?
ORDER BY m.kind NOT IN ('class', 'protocol', 'actor', 'struct', 'enum'), n.nearness,
         m.is_deprecated, m.prominence DESC, m.uri LIMIT 1
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

    `remark` says why there are none, where there are none.
    """

    uri: str
    title: str
    kind: str
    relatives: tuple[Relative, ...]
    remark: str = ""


def find_family(
    databases: Sequence[Database], symbol: str, direction: str = "both", depth: int = 3
) -> Family:
    """Walk the inheritance of a symbol, given by name or by URI."""
    if direction not in DIRECTIONS:
        raise QueryError(
            f"there is no direction {direction!r}; directions are {', '.join(DIRECTIONS)}"
        )
    for database in databases:
        start = _find_start(database, symbol)
        if start is None:
            continue
        uri, title, kind = start
        relatives = [
            relative
            for each in DIRECTIONS[direction]
            for relative in _nest(uri, _walk(database, uri, each, depth))
        ]
        remark = "" if relatives else _explain_nothing(title, kind, direction)
        return Family(uri, title, kind, tuple(relatives), remark)
    return Family("", symbol, "", (), f"no page is called {symbol}; try: stacks search {symbol}")


def _find_start(database: Database, symbol: str) -> tuple[str, str, str] | None:
    if "://" in symbol:
        sql = """
            SELECT m.uri, s.title, m.kind FROM docs_metadata AS m
            JOIN docs_structured AS s ON s.id = m.id WHERE m.uri = ?
        """
        rows = database.rows(sql, (symbol,))
    else:
        rows = database.rows(_TYPES, (symbol.strip().casefold(),))
    return (rows[0][0], rows[0][1], rows[0][2]) if rows else None


def _walk(database: Database, start: str, direction: str, depth: int) -> Iterable[Relative]:
    """Go step by step, each type once, so that a circle in the data ends."""
    seen = {start}
    front = [start]
    for steps in range(1, depth + 1):
        following = []
        for uri in front:
            for (next_uri,) in database.rows(_STEPS[direction], (uri,)):
                if next_uri not in seen:
                    seen.add(next_uri)
                    following.append(next_uri)
                    title = _title(database, next_uri)
                    yield Relative(next_uri, title, direction, steps, uri)
        front = following


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


def _title(database: Database, uri: str) -> str:
    sql = """
        SELECT s.title FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
        WHERE m.uri = ?
    """
    return str(database.value(sql, (uri,)) or uri.rsplit("/", 1)[-1])


def _explain_nothing(title: str, kind: str, direction: str) -> str:
    if kind in _VALUE_TYPES:
        return (
            f"no inheritance data: {title} is a value type ({kind}), which inherits nothing; "
            f"for the protocols it conforms to, try: stacks read or stacks symbols {title}"
        )
    where = {"up": "above", "down": "below", "both": "above or below"}[direction]
    return f"no inheritance data: nothing {where} {title} is in this index"
