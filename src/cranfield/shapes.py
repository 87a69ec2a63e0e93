"""Plain data against the shape it should have: every misfit, not only the first."""

from __future__ import annotations

import re
import tomllib
import types
from dataclasses import MISSING, is_dataclass
from dataclasses import fields as dataclass_fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Union, get_args, get_origin
from typing import get_type_hints as read_type_hints

import msgspec

from cranfield.errors import InputError
from cranfield_shared.registry import near_names, unknown_name
from cranfield_shared.settings_files import parse_toml, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "Misfit",
    "find_misfits",
    "known_keys",
    "parse_toml_text",
    "read_toml_text",
]

_LISTS = (list, tuple)  # a tuple has items of one shape
_KIND = {dict: "object", list: "array", type(None): "null"}


class Misfit(NamedTuple):
    """One thing that does not fit: where, what is wrong, and the key if it is an unknown one."""

    place: tuple[str | int, ...]
    message: str
    unknown_key: str = ""

    def __str__(self) -> str:
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.place)
        where = "".join(parts).removeprefix(".").replace(".[", "[")
        return f"{where}: {self.message}" if where else self.message


class _Field(NamedTuple):
    shape: Any
    is_required: bool


def find_misfits(value: Any, shape: Any) -> Iterator[Misfit]:
    """Find every unknown key, missing key and value of a wrong type.

    `shape` is a type as msgspec reads it; structs and dataclasses in it have no other keys than
    their fields.
    """
    yield from _walk(value, shape, ())


def known_keys(shape: Any) -> list[str]:
    """Return the keys that a struct or a dataclass has when it is written down."""
    return list(_fields(shape))


def _walk(value: Any, shape: Any, place: tuple[str | int, ...]) -> Iterator[Misfit]:
    shape = _choose(value, shape)
    if _is_record(shape):
        yield from _walk_record(value, shape, place)
    elif _holds_records(shape) and get_origin(shape) in _LISTS and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _walk(item, get_args(shape)[0], (*place, number))
    elif _holds_records(shape) and get_origin(shape) is dict and isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(item, get_args(shape)[1], (*place, key))
    else:
        yield from _convert(value, shape, place)


def _walk_record(value: Any, shape: Any, place: tuple[str | int, ...]) -> Iterator[Misfit]:
    if not isinstance(value, dict):
        got = _KIND.get(type(value), type(value).__name__)
        yield Misfit(place, f"expected `object`, got `{got}`")
        return
    known = _fields(shape)
    for key in value:
        if key not in known:
            yield Misfit(place, unknown_name("key", str(key), known), str(key))
    for key, each in known.items():
        if key in value:
            yield from _walk(value[key], each.shape, (*place, key))
        elif each.is_required:
            yield Misfit(place, f"object missing required field `{key}`")


def _convert(value: Any, shape: Any, place: tuple[str | int, ...]) -> Iterator[Misfit]:
    try:
        msgspec.convert(value, shape)
    except msgspec.ValidationError as problem:
        message, _, inside = str(problem).partition(" - at `$")
        where = inside.rstrip("`").lstrip(".")
        words = f"{message[0].lower()}{message[1:]}"
        if isinstance(value, str) and (allowed := _find_examples(shape)):
            near = near_names(value, allowed)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            words = f"{value!r} is none of {', '.join(allowed)}{hint}"
        yield Misfit((*place, where) if where else place, words)


def _find_examples(shape: Any) -> list[str]:
    """Return what a string may be, if its shape says so: a pattern tells a user nothing."""
    parts = get_args(shape)
    own = [each for part in parts if isinstance(part, msgspec.Meta) for each in part.examples or ()]
    return own or next(filter(None, map(_find_examples, parts)), [])


def _choose(value: Any, shape: Any) -> Any:
    """Return the member of a union that a value is meant for, by its type."""
    if get_origin(shape) not in (Union, types.UnionType):
        return shape
    for member in get_args(shape):
        wanted = list if isinstance(value, list) else dict if isinstance(value, dict) else None
        is_list = wanted is list and get_origin(member) in _LISTS
        if wanted and (
            is_list or get_origin(member) is wanted or (wanted is dict and _is_record(member))
        ):
            return member
    return shape


def _is_record(shape: Any) -> bool:
    return isinstance(shape, type) and (issubclass(shape, msgspec.Struct) or is_dataclass(shape))


@lru_cache(maxsize=256)
def _holds_records(shape: Any) -> bool:
    """Return whether a record is anywhere in a shape; if not, msgspec looks at it at once."""
    return _is_record(shape) or any(_holds_records(each) for each in get_args(shape))


@lru_cache(maxsize=256)
def _fields(shape: Any) -> dict[str, _Field]:
    hints = read_type_hints(shape, include_extras=True)
    if is_dataclass(shape):
        return {
            each.name: _Field(hints[each.name], _lacks_default(each))
            for each in dataclass_fields(shape)
        }
    return {
        each.encode_name: _Field(hints[each.name], each.required)
        for each in msgspec.structs.fields(shape)
    }


def _lacks_default(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


_PLACE = re.compile(r" ?\(at (?:line (?P<line>\d+), column \d+|(?P<end>end of document))\)")


def read_toml_text(path: Path) -> str:
    """Read a file in UTF-8; raises InputError if it cannot be read, or is too large."""
    try:
        return read_settings(path)
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=str(path)) from None
    except UnicodeDecodeError as problem:
        line = problem.object[: problem.start].count(b"\n") + 1
        raise InputError("is not UTF-8; convert it", file=str(path), line=line) from None


def parse_toml_text(text: str, path: Path) -> dict[str, Any]:
    """Parse the text of a file; raises InputError with the line of a mistake of syntax."""
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as problem:
        place = _PLACE.search(str(problem))
        line = None
        if place:
            line = int(place["line"]) if place["line"] else text.rstrip("\n").count("\n") + 1
        message = _PLACE.sub("", str(problem))
        raise InputError(f"is not TOML: {message}", file=str(path), line=line) from None
