"""Which store a command uses: as typed, by an environment variable, or that of the project."""

from __future__ import annotations

import os
import re

from cranfield.errors import CranfieldError

__all__ = ["STORE_VARIABLE", "ChosenStore", "choose_store", "fill_place"]

STORE_VARIABLE = "CRANFIELD_STORE"
_VARIABLE = re.compile(r"\$\{(\w+)\}")


class ChosenStore(str):
    """The place of a store; `typed` is how it was typed, empty if a variable named it."""

    __slots__ = ("typed",)
    typed: str

    @classmethod
    def of(cls, place: str, typed: str) -> ChosenStore:
        """Make a place that remembers how it was typed."""
        chosen = cls(place)
        chosen.typed = typed
        return chosen


def choose_store(typed: str | None) -> ChosenStore | None:
    """Return the place that was typed, or that of $CRANFIELD_STORE; None for the project's own.

    What is typed as ${NAME} is the value of that variable, so that a password stays out of the
    list of processes and the history of the shell.
    """
    place = typed if typed is not None else os.environ.get(STORE_VARIABLE)
    return ChosenStore.of(fill_place(place), typed or "") if place else None


def fill_place(place: str) -> str:
    """Return a place; one written as ${NAME} is read from the environment."""
    named = _VARIABLE.fullmatch(place)
    if named is None:
        return place
    if not os.environ.get(named[1]):
        raise CranfieldError(
            f"the store is {place}, and the environment variable {named[1]} is not set; set it to "
            "a file or a database URL such as postgresql://user@host/name"
        )
    return os.environ[named[1]]
