"""A proposal how an answer may be read, before it is tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Proposal"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Settings to try, and in words the form of the answer that they are for."""

    form: str
    settings: Mapping[str, str]
