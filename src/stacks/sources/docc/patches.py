"""The differences between the languages of a page.

DocC writes them as JSON patches: `replace`, `add` and `remove` at a pointer such as
`/metadata/title`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["apply_patch"]

_MOST_DIGITS = 9


def apply_patch(node: dict[str, Any], patch: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the page with the patch applied; a change at an unknown pointer is skipped."""
    # What was decoded can be encoded and decoded again at any depth; `deepcopy` ends before.
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(node))
    for change in patch:
        keys = [
            key.replace("~1", "/").replace("~0", "~")
            for key in str(change.get("path", "")).split("/")[1:]
        ]
        if keys:
            _apply(result, keys, change)
    return result


def _apply(node: Any, keys: list[str], change: dict[str, Any]) -> None:
    holder = node
    for key in keys[:-1]:
        holder = _child(holder, key)
    last = keys[-1]
    if isinstance(holder, dict):
        if change.get("op") == "remove":
            holder.pop(last, None)
        else:
            holder[last] = change.get("value")
    elif isinstance(holder, list):
        _apply_to_list(holder, last, change)


def _child(holder: Any, key: str) -> Any:
    if isinstance(holder, dict):
        return holder.get(key)
    if isinstance(holder, list) and 0 <= (position := _read_position(key)) < len(holder):
        return holder[position]
    return None


def _read_position(key: str) -> int:
    """Return the position that a key states in a list, -1 if it states none."""
    is_number = key.isascii() and key.isdigit() and len(key) <= _MOST_DIGITS
    return int(key) if is_number else -1


def _apply_to_list(holder: list[Any], key: str, change: dict[str, Any]) -> None:
    position = len(holder) if key == "-" else _read_position(key)
    operation = change.get("op")
    if operation == "add" and 0 <= position <= len(holder):
        holder.insert(position, change.get("value"))
    elif 0 <= position < len(holder):
        if operation == "remove":
            del holder[position]
        else:
            holder[position] = change.get("value")
