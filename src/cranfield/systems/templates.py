"""Places in a command, an address or a body that are filled for each query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cranfield.model import Query

__all__ = [
    "LEFT_OUT",
    "check_places",
    "fill",
    "fill_document",
    "may_be_missing",
    "place_names",
    "places",
]

_NAME = r"\w+(?:\.[\w.-]+)?"
# Double braces around a name stand for themselves: {{query}} is the text {query}. After a dollar
# sign the name is that of an environment variable.
_PLACE = re.compile(rf"(?<!\$)(?:\{{\{{(?P<literal>{_NAME})\}}\}}|\{{(?P<name>{_NAME})\}})")
_ALWAYS = ("query", "k", "id")
_SOMETIMES = ("language", "category")
_FILTER = "filters."

LEFT_OUT = object()
"""Stands for a value that needs what the query does not have."""


def places(query: Query, limit: int) -> dict[str, Any]:
    """Return what can be filled in for a query, by the names of its places.

    A language or category that the query does not have is missing, as a filter is.
    """
    told = {"language": query.language, "category": query.category}
    return {
        "query": query.text,
        "k": limit,
        "id": query.id,
        **{name: value for name, value in told.items() if value},
        **{f"{_FILTER}{name}": value for name, value in query.filters.items()},
    }


def place_names(template: Any) -> list[str]:
    """Return the names of the places in a string, or in all strings of a tree of JSON."""
    found = (place["name"] for text in _strings(template) for place in _PLACE.finditer(text))
    return [name for name in found if name]


def may_be_missing(name: str) -> bool:
    """Tell whether some queries do not have what fills a place."""
    return name not in _ALWAYS


def fill(template: str, values: Mapping[str, Any]) -> str | None:
    """Fill a template in one pass; None where it needs what the query does not have.

    What is filled in is never looked at again, so that a query may hold braces.
    """
    if any(name not in values for name in place_names(template)):
        return None
    return _PLACE.sub(
        lambda place: _plain(values[place["name"]]) if place["name"] else f"{{{place['literal']}}}",
        template,
    )


def fill_document(template: Any, values: Mapping[str, Any]) -> Any:
    """Fill the strings in a tree of JSON; LEFT_OUT where nothing of it can be filled.

    A string that is one place and nothing else becomes the value itself, a number or a list. A
    value that needs what the query does not have is left out, and so is a table or a list of
    which nothing remains for that reason.
    """
    if isinstance(template, str):
        whole = _PLACE.fullmatch(template)
        if whole and whole["name"]:
            return values.get(whole["name"], LEFT_OUT)
        filled = fill(template, values)
        return LEFT_OUT if filled is None else filled
    if isinstance(template, dict):
        pairs = {key: fill_document(value, values) for key, value in template.items()}
        kept = {key: value for key, value in pairs.items() if value is not LEFT_OUT}
        return kept if kept or not template else LEFT_OUT
    if isinstance(template, list):
        elements = [fill_document(value, values) for value in template]
        remaining = [value for value in elements if value is not LEFT_OUT]
        return remaining if remaining or not template else LEFT_OUT
    return template


def check_places(template: Any, where: str) -> None:
    """Refuse a place that no query can fill, in a string or anywhere in a tree of JSON."""
    for name in place_names(template):
        if name not in (*_ALWAYS, *_SOMETIMES) and not name.startswith(_FILTER):
            raise SystemUnusableError(
                f"{where}: nothing fills {{{name}}}; there are {{query}}, {{k}}, {{id}}, "
                "{language}, {category} and {filters.NAME}; "
                f"write {{{{{name}}}}} for the braces themselves"
            )


def _strings(template: Any) -> Iterator[str]:
    if isinstance(template, str):
        yield template
    elif isinstance(template, dict):
        for value in template.values():
            yield from _strings(value)
    elif isinstance(template, list):
        for value in template:
            yield from _strings(value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(_plain, value)) if isinstance(value, list | tuple) else str(value)
