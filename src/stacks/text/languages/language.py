"""What a programming language is to an index: its names, and how its code is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from stacks.model import Parsed, Symbol

__all__ = ["Language", "ReadDeclaration"]


class ReadDeclaration(Protocol):
    """Reads declarations that stand alone, without bodies."""

    def __call__(self, declaration: str, *, is_member: bool) -> tuple[Symbol, ...]:
        """Return what is declared; `is_member` says that it stands inside a type."""
        ...


@dataclass(frozen=True, slots=True)
class Language:
    """A language: `fences` are its names on code blocks, the first its own.

    `parse` gives the root of the syntax tree, whose offsets are indexes into the code.
    """

    fences: tuple[str, ...]
    parse: Callable[[str], Node]
    read: Callable[[str], Parsed]
    read_declaration: ReadDeclaration

    @property
    def name(self) -> str:
        """The name that a reader is shown."""
        return self.fences[0]
