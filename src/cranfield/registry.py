"""The shared registry, with the errors of cranfield and what its slices offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from cranfield.errors import CranfieldError, UnknownNameError
from cranfield.slices import find_offers
from cranfield_shared.registry import Registry as SharedRegistry

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Registry"]

Thing = TypeVar("Thing")


class Registry(SharedRegistry[Thing]):
    """Names and what they stand for; an unknown name is an `UnknownNameError`."""

    def __init__(self, kind: str, thing_type: type[Thing], *, group: str) -> None:
        super().__init__(
            kind, thing_type, group=group, error=CranfieldError, unknown=UnknownNameError
        )

    def _find_offers(self) -> Mapping[str, str]:
        return find_offers(self.group)
