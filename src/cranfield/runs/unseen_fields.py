"""Fields that rules read and no hit of a run has: such a rule can never be met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield_shared import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cranfield.model import Hit, Query, Response
    from cranfield.relevance import Expectation

__all__ = ["find_unseen_fields"]

_MOST_QUERIES = 3
_MOST_FIELDS = 12


def find_unseen_fields(
    queries: Sequence[Query],
    expectation: Callable[[int], Expectation],
    responses: Iterable[Response],
) -> list[str]:
    """Report each field that a rule of a query reads and no hit has, with near names.

    `expectation` returns what the query at a place expects. Nothing is known if there is no hit.
    Responses are read until every field was seen.
    """
    readers = _find_readers(queries, expectation)
    if not readers:
        return []
    seen: set[str] = set()
    for response in responses:
        for hit in response.hits:
            seen |= _fields_of(hit)
        if all(not seen.isdisjoint(names) for names in readers):
            return []
    return [
        _describe(names, queries, seen)
        for names, queries in readers.items()
        if seen and seen.isdisjoint(names)
    ]


def _find_readers(
    queries: Sequence[Query], expectation: Callable[[int], Expectation]
) -> dict[tuple[str, ...], list[str]]:
    """Return the ids of the queries that read each field, by the names that it may have."""
    readers: dict[tuple[str, ...], list[str]] = {}
    for place, query in enumerate(queries):
        for names in dict.fromkeys(expectation(place).fields):
            readers.setdefault(names, []).append(query.id)
    return readers


def _fields_of(hit: Hit) -> set[str]:
    own = {"id": True, "score": hit.score is not None, "text": bool(hit.text)}
    return {*hit.fields, *(name for name, is_there in own.items() if is_there)}


def _describe(names: tuple[str, ...], queries: list[str], seen: set[str]) -> str:
    more = len(queries) - _MOST_QUERIES
    shown = ", ".join(queries[:_MOST_QUERIES]) + (f" and {more} more" if more > 0 else "")
    near = near_names(names[0], seen)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    had = sorted(seen)
    rest = f" and {len(had) - _MOST_FIELDS} more" if len(had) > _MOST_FIELDS else ""
    return (
        f"no hit has the field {' or '.join(names)}, which the expectation of {shown} reads, so "
        f"that cannot be checked{hint}; hits have {', '.join(had[:_MOST_FIELDS])}{rest}"
    )
