"""The SQL of a search with its named parameters, such as %(query)s, which are bound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cranfield.systems.templates import FILTER, is_placeholder, placeholder_values
from cranfield_shared.names import near_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.model import Query

__all__ = ["SqlTemplate"]

_PLACE = re.compile(r"%(?:%|\((?P<name>[^)]*)\)s|(?P<other>.?))", re.S)
_VECTOR = "vector"
_PARAMETERS = (
    "%(query)s, %(k)s, %(vector)s, %(id)s, %(language)s, %(category)s and %(filters.NAME)s"
)


class SqlTemplate:
    """SQL, and the values of its parameters for each query.

    A parameter that a query has no value for is NULL.
    """

    def __init__(self, sql: str) -> None:
        self.sql = sql
        self._names = frozenset(_read_names(sql))
        for name in sorted(self._names):
            if name != _VECTOR and not is_placeholder(name):
                near = near_names(name, ["query", "k", _VECTOR, "id", "language", "category"], 1)
                hint = f"did you mean %({near[0]})s? " if near else ""
                raise ValueError(f"sql: nothing fills %({name})s; {hint}there are {_PARAMETERS}")
        if not self._names & {"query", _VECTOR}:
            raise ValueError("sql has no %(query)s; put it where the text of the query belongs")
        if "k" not in self._names:
            raise ValueError("sql has no %(k)s, the number of hits; end it with LIMIT %(k)s")

    @property
    def wants_vector(self) -> bool:
        """Whether it has %(vector)s."""
        return _VECTOR in self._names

    @property
    def filters(self) -> list[str]:
        """The filters that it passes on."""
        passed = (name for name in self._names if name.startswith(FILTER))
        return sorted(name.removeprefix(FILTER) for name in passed)

    def values(
        self, query: Query, limit: int, embed: Callable[[str], str | None] | None
    ) -> dict[str, Any]:
        """Return the values of all parameters for a query."""
        known: dict[str, Any] = placeholder_values(query, limit)
        if embed is not None:
            known = {**known, _VECTOR: embed(query.text)}
        return {name: _plain(known.get(name)) for name in self._names}


def _read_names(sql: str) -> list[str]:
    names = []
    for place in _PLACE.finditer(sql):
        if place["other"] is not None:
            line = sql.count("\n", 0, place.start()) + 1
            raise ValueError(
                f"sql, line {line}: {place[0].strip()!r} is no parameter; name it, such as "
                "%(query)s, and write %% for a percent sign"
            )
        if place["name"] is not None:
            names.append(place["name"])
    return names


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
