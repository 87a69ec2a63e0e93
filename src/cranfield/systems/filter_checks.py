"""Filters of queries that a system would drop: refused, and those it may have dropped: reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.errors import SystemUnusableError
from cranfield.systems.templates import FILTER, placeholder_names
from cranfield_shared.names import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.model import Query

__all__ = ["describe_filters", "refuse_filters", "refuse_unfilled", "refuse_unpassed"]

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
