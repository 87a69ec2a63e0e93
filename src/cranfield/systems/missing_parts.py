"""What an answer has instead of the hits or the ids that were looked for, and what to set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["describe_missing_hits", "describe_missing_id", "describe_unusable_id"]

_MOST_NAMED = 12
_ID_SUFFIXES = ("id", "uri", "url", "path", "key", "slug", "hash", "name", "title")
_DEEPEST = 3


def describe_missing_id(hit: Any) -> str:
    """Name the fields of a hit without an id, and the setting that would find one."""
    if isinstance(hit, list):
        return 'it is a list; if its first element is the id, set id = "[0]"'
    if not isinstance(hit, dict):
        return f"it is {_name_kind(hit)}, not a dict with fields"
    fields = _name_fields(hit, lambda value: type(value) in (str, int) and value != "")
    usable = [name for name, is_usable in fields.items() if is_usable]
    likely = min(usable, key=_unlikeliness, default="")
    remedy = f'set id to the path of the id, such as id = "{likely}"' if likely else "none is an id"
    return f"it has {_list(list(fields))}; {remedy}"


def describe_unusable_id(name: str, value: Any) -> str:
    """Say what is under the name of an id, if it is none."""
    kinds = {type(None): "null", bool: str(value).lower(), float: f"{value!r}, a float"}
    kinds |= {dict: "an object", list: "a list", str: "empty"}
    shown = kinds.get(type(value), _name_kind(value))
    return f"{name} is {shown}; an id is a text or a whole number"


def describe_missing_hits(document: Any) -> str:
    """Name the fields of an answer without hits, and the setting that would find them."""
    if not isinstance(document, dict):
        return f"it is {_name_kind(document)}"
    fields = _name_fields(document, lambda value: isinstance(value, list))
    lists = [name for name, is_list in fields.items() if is_list]
    found = f'if its hits are there, set hits = "{lists[0]}"' if lists else "none is a list"
    return f"it has {_list(list(fields))}; {found}"


def _name_fields(
    given: dict[str, Any], is_usable: Callable[[Any], bool], depth: int = 1
) -> dict[str, bool]:
    """Return the paths to all fields, also of tables inside, and whether each may be meant."""
    fields: dict[str, bool] = {}
    for key, value in given.items():
        if isinstance(value, dict) and value and depth < _DEEPEST:
            inside = _name_fields(value, is_usable, depth + 1)
            fields |= {f"{key}.{name}": is_meant for name, is_meant in inside.items()}
        else:
            fields[str(key)] = is_usable(value)
    return fields


def _unlikeliness(path: str) -> tuple[int, int]:
    last = path.rpartition(".")[2].casefold()
    ranks = [place for place, suffix in enumerate(_ID_SUFFIXES) if last.endswith(suffix)]
    return (min(ranks, default=len(_ID_SUFFIXES)), path.count("."))


def _list(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    shown = ", ".join(names[:_MOST_NAMED]) or "no fields"
    return f"{shown} and {more} more" if more > 0 else shown


def _name_kind(value: Any) -> str:
    if value is None:
        return "null"
    kinds = {bool: "true or false", str: "a text", int: "a number", float: "a number"}
    name = type(value).__name__
    return kinds.get(type(value), f"{'an' if name[0] in 'aeiou' else 'a'} {name}")
