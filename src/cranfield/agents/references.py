"""Names that an answer uses, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["NameReference", "ReferenceState", "ResolvedAnswer"]


class ReferenceState(StrEnum):
    """What is known of a name."""

    FOUND = "found"
    MISSING = "missing"
    OTHER_VERSION = "other version"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NameReference:
    """One use of a module, name, attribute or keyword argument; `line` and `column` count from 1.

    `deprecated` is the message of a mark of deprecation, and empty if there is none.
    """

    kind: str
    symbol: str
    line: int
    column: int
    state: ReferenceState
    reason: str = ""
    deprecated: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedAnswer:
    """The references of one answer, or the reason why there are none."""

    references: tuple[NameReference, ...] = ()
    problem: str = ""
