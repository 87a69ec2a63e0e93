"""A measured value: a number, or no number and the reason why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Undefined", "Value"]


@dataclass(frozen=True, slots=True)
class Undefined:
    """The absence of a value, with the reason; it is neither a number nor true or false."""

    reason: str

    def __str__(self) -> str:
        return f"undefined: {self.reason}"

    def __bool__(self) -> bool:
        raise TypeError(f"an undefined value is neither true nor false ({self.reason})")


Value: TypeAlias = float | Undefined
