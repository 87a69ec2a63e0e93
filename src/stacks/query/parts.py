"""The parts of the engine that a search can do without, to see what each of them earns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["PARTS", "check_parts"]

PARTS: Mapping[str, str] = {
    "names": "titles do not count, and no name is looked for",
    "components": "parts of identifiers are not found",
    "aliases": "short forms of frameworks are words like any other",
    "age": "deprecated and Objective-C pages count like current ones",
    "declarations": "what a query says of declarations is words like any other",
    "authority": "all sources weigh the same",
    "meaning": "vectors are not looked at",
    "routing": "every query is searched for, in every source",
    "vocabulary": "people's words are not taken for the corpus's words",
}
"""What is different without each of them."""


def check_parts(names: Iterable[str]) -> frozenset[str]:
    """Return the parts of these names; there has to be one of each."""
    for name in names:
        if name not in PARTS:
            raise QueryError(
                f"a search cannot do without {name!r}; it can do without {', '.join(PARTS)}"
            )
    return frozenset(names)
