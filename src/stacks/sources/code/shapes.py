"""What a language is to the cutting of its code: which nodes declare, and which are passed by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stacks.text.languages import text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from stacks.text.languages import Language

__all__ = ["TYPE_KINDS", "Declared", "Place", "Shape", "first_row", "last_row", "name_of"]

TYPE_KINDS = frozenset({"actor", "class", "enum", "extension", "protocol", "struct"})
"""The kinds whose functions are methods."""

_LONGEST_NAME = 200


class Place(NamedTuple):
    """Where code stands: in which block (-1 is the module), in a type, in a function."""

    block: int = -1
    is_member: bool = False
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration in a syntax tree.

    `outer` is the whole of it with decorators and `export`, `inner` what is looked into for
    further ones, `head` the node whose line names it, `body` what an overview leaves out.
    """

    name: str
    kind: str
    outer: Node
    inner: Node
    head: Node
    body: Node | None


@dataclass(frozen=True, slots=True)
class Shape:
    """A language as it is cut.

    - `resolve` says what a node declares, looking through what is wrapped around it.
    - `closed` are nodes in which no declaration is looked for, `functions` those that make
      what they hold local, `imports` the statements that are nothing of a module's own.
    - `attached` are nodes besides comments that belong to the declaration below them.
    - `stub` is a body that completes a head.
    - `is_documented_inside` tells docstrings from comments before a declaration.
    """

    language: Language
    resolve: Callable[[str, Node, Place], Declared | None]
    closed: frozenset[str]
    functions: frozenset[str]
    imports: frozenset[str]
    stub: str
    attached: frozenset[str] = frozenset()
    is_documented_inside: bool = False


def name_of(code: str, node: Node | None) -> str:
    """Return a name without quotes and backticks, on one line; nothing where there is none."""
    if node is None:
        return ""
    text = " ".join(text_of(code, node).split()).strip("\"'`")
    return text[:_LONGEST_NAME]


def first_row(node: Node) -> int:
    """Return the row where a node begins.

    Rows are taken by index: reading them by name damages memory in tree-sitter 0.26.0.
    """
    return node.start_point[0]


def last_row(node: Node) -> int:
    """Return the last row with something of a node; its end may be the beginning of the next."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > first_row(node) else row
