"""Placeholders such as {query} in a command, an address or a body, filled for each query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cranfield.errors import SystemUnusableError
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cranfield.model import Query

__all__ = [
    "FILTER",
    "LEFT_OUT",
    "check_placeholders",
    "describe_filters",
    "fill",
    "fill_document",
    "fill_known",
    "is_optional",
    "is_placeholder",
    "placeholder_names",
    "placeholder_values",
    "refuse_filters",
    "refuse_placeholders",
    "refuse_unfilled",
    "refuse_unpassed",
    "write_value",
]

_NAME = r"\w+(?:\.[\w.-]+)?"
# Double braces escape a placeholder: {{query}} is the text {query}. After a dollar sign the name
# is that of an environment variable.
_PLACE = re.compile(rf"(?<!\$)(?:\{{\{{(?P<literal>{_NAME})\}}\}}|\{{(?P<name>{_NAME})\}})")
_ALWAYS = ("query", "k", "id")
_SOMETIMES = ("language", "category")
FILTER = "filters."
"""The beginning of a placeholder that passes a filter on."""

LEFT_OUT = object()
"""Stands for a value that is left out, because the query lacks what fills it."""


def placeholder_values(query: Query, limit: int) -> dict[str, Any]:
    """Return the values of all placeholders that a query can fill, by name.

    A query without a language, a category or a filter has no value for it.
    """
    optional = {"language": query.language, "category": query.category}
    return {
        "query": query.text,
        "k": limit,
        "id": query.id,
        **{name: value for name, value in optional.items() if value},
        **{f"{FILTER}{name}": value for name, value in query.filters.items()},
    }


def placeholder_names(template: Any) -> list[str]:
    """Return the names of the placeholders in a string, or in all strings of a JSON value."""
    found = (place["name"] for text in _strings(template) for place in _PLACE.finditer(text))
    return [name for name in found if name]


def is_optional(name: str) -> bool:
    """Return whether some queries may have no value for a placeholder."""
    return name not in _ALWAYS


def is_placeholder(name: str) -> bool:
    """Return whether something fills a placeholder of this name."""
    return name in (*_ALWAYS, *_SOMETIMES) or name.startswith(FILTER)


def fill(template: str, values: Mapping[str, Any]) -> str | None:
    """Fill a template in one pass; None if a value is missing.

    Inserted text is not scanned again, so a query may contain braces.
    """
    if any(name not in values for name in placeholder_names(template)):
        return None
    return _PLACE.sub(
        lambda place: (
            write_value(values[place["name"]]) if place["name"] else f"{{{place['literal']}}}"
        ),
        template,
    )


def fill_document(template: Any, values: Mapping[str, Any]) -> Any:
    """Fill the strings in a JSON value; LEFT_OUT if nothing of it remains.

    A string that is just one placeholder becomes the value itself, a number or a list. A string
    with a missing value is left out, and so is a table or a list that becomes empty thereby.
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


def check_placeholders(template: Any, where: str) -> None:
    """Refuse an unknown placeholder, in a string or anywhere in a JSON value."""
    for name in placeholder_names(template):
        if not is_placeholder(name):
            raise SystemUnusableError(
                f"{where}: nothing fills {{{name}}}; there are {{query}}, {{k}}, {{id}}, "
                "{language}, {category} and {filters.NAME}; "
                f"write {{{{{name}}}}} for the braces themselves"
            )


def refuse_placeholders(template: Any, where: str, why: str) -> None:
    """Refuse a placeholder that nothing would fill."""
    for name in placeholder_names(template):
        raise ValueError(f"{where}: {{{name}}} is not filled there, {why}; take it out")


def _strings(template: Any) -> Iterator[str]:
    if isinstance(template, str):
        yield template
    elif isinstance(template, dict):
        for value in template.values():
            yield from _strings(value)
    elif isinstance(template, list):
        for value in template:
            yield from _strings(value)


def write_value(value: Any) -> str:
    """Write a value as it stands in a text: a list with commas, true and false as in JSON."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(write_value, value)) if isinstance(value, list | tuple) else str(value)


def fill_known(template: Any, values: Mapping[str, Any]) -> Any:
    """Fill the placeholders in a JSON value that have a value; all others stay as they are.

    A string that is just one placeholder becomes the value itself.
    """
    if isinstance(template, str):
        whole = _PLACE.fullmatch(template)
        if whole and whole["name"] in values:
            return values[whole["name"]]
        return _PLACE.sub(
            lambda place: (
                write_value(values[place["name"]]) if place["name"] in values else place.group()
            ),
            template,
        )
    if isinstance(template, dict):
        return {key: fill_known(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill_known(value, values) for value in template]
    return template


_MOST = 3


def describe_filters(queries: Iterable[Query]) -> str:
    """Name the filters that queries have, each with some of the queries; empty if none has any."""
    ids: dict[str, list[str]] = {}
    for query in queries:
        for name in query.filters:
            ids.setdefault(name, []).append(query.id)
    return ", ".join(f"{name} (of {_some(some)})" for name, some in ids.items())


def refuse_filters(queries: Sequence[Query], why: str) -> None:
    """Refuse queries that have filters; `why` says what drops them, and what to do."""
    if named := describe_filters(queries):
        raise SystemUnusableError(
            f"the suite has the filters {named}, {why}; or list them in ignored_filters to search "
            "without them"
        )


def refuse_unfilled(queries: Sequence[Query], template: Any, where: str, example: str) -> None:
    """Refuse filters that no placeholder of a template passes on."""
    passed = [
        name.removeprefix(FILTER) for name in placeholder_names(template) if name.startswith(FILTER)
    ]
    refuse_unpassed(queries, passed, where, form="{{{}}}", example=f"write {example}")


def refuse_unpassed(
    queries: Sequence[Query], passed: Sequence[str], where: str, *, form: str, example: str
) -> None:
    """Refuse filters that are not passed on; `form` is how a placeholder is written there."""
    dropped = {name for query in queries for name in query.filters if name not in passed}
    if not dropped:
        return
    named = describe_filters(queries)
    name = min(dropped)
    near = near_names(name, passed)
    hint = f" (it has {form.format(FILTER + near[0])}: is that the one?)" if near else ""
    raise SystemUnusableError(
        f"the suite has the filters {named}, and {where} has no {form.format(FILTER + name)}{hint}:"
        f" every query would be searched without it; {example.format(name=name)}, or list {name} "
        "in ignored_filters to search without it"
    )


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:_MOST])
    more = len(ids) - _MOST
    return f"{shown} and {more} more" if more > 0 else shown
