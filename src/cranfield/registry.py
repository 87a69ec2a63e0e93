"""The shared registry, with the errors of cranfield."""

from __future__ import annotations

from typing import TypeVar

from cranfield.errors import CranfieldError, UnknownNameError
from cranfield_shared import Registry as SharedRegistry

__all__ = ["Registry"]

Thing = TypeVar("Thing")


class Registry(SharedRegistry[Thing]):
    """Names and what they stand for; an unknown name is an `UnknownNameError`."""

    def __init__(self, kind: str, thing_type: type[Thing], *, group: str) -> None:
        super().__init__(
            kind, thing_type, group=group, error=CranfieldError, unknown=UnknownNameError
        )
