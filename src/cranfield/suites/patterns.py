"""The regular expressions inside expectations, found in their plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["patterns_in"]


def patterns_in(rule: str, value: Any) -> list[str]:
    """List the patterns that a rule is given; what has another shape is left to its reader."""
    find = _FINDERS.get(rule)
    return [] if find is None else list(find(value))


def _listed(*keys: str) -> Callable[[Any], Iterator[str]]:
    """Find strings, alone or in a list, and what stands under some keys of a table."""

    def find(value: Any) -> Iterator[str]:
        for each in value if isinstance(value, list) else [value]:
            inside = [each.get(key) for key in keys] if isinstance(each, dict) else [each]
            yield from (text for text in inside if isinstance(text, str))

    return find


def _conditions(value: Any) -> Iterator[str]:
    """Find what the fields of hits have to match."""
    for condition in value.values() if isinstance(value, dict) else ():
        if isinstance(condition, dict) and isinstance(condition.get("matches"), str):
            yield condition["matches"]


_FINDERS: dict[str, Callable[[Any], Iterator[str]]] = {
    "matches": _listed("pattern"),
    "prefers": _listed("this", "over"),
    "sources": _listed("pattern"),
    "excludes": _listed(),
    "where": _conditions,
}
