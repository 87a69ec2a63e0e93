"""The fields of an answer that say where the query was sent, and what was noticed about it."""

from __future__ import annotations

from typing import Any

__all__ = ["FLAG_KEYS", "ROUTE_KEYS", "name_flags", "name_route"]

ROUTE_KEYS = ("route", "routing", "practice_bridge")
FLAG_KEYS = ("flags", "retrieval_intent")
"""The usual names; all of them are read."""


def name_route(key: str, value: Any) -> str | None:
    """Return the route that a field names; None if it holds neither a text nor true or false.

    A field that is true names the route itself: `{"practice_bridge": true}` is the route
    practice_bridge. One that is false or null names none.
    """
    if isinstance(value, bool):
        return key if value else ""
    if isinstance(value, str | int | None):
        return str(value or "")
    return None


def name_flags(key: str, value: Any) -> tuple[str, ...]:
    """Return the flags that a field raises: a list, a text, the keys that are true, or its own."""
    if isinstance(value, dict):
        return tuple(name for name, raised in value.items() if raised is True)
    if isinstance(value, list):
        return tuple(str(each) for each in value)
    if value is True:
        return (key,)
    return (str(value),) if value else ()
