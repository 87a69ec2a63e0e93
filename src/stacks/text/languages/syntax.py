"""Symbols out of a syntax tree: the walk, and the text of a declaration on one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import Parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tree_sitter import Node

    from stacks.model import Symbol

__all__ = [
    "COMMENTS",
    "LONGEST_VALUE",
    "NodeContent",
    "Scope",
    "child_types",
    "collect",
    "find_comments",
    "first_child",
    "first_row",
    "go_inside",
    "last_row",
    "name_of",
    "shorten",
    "text_between",
    "text_of",
    "words",
]

LONGEST_VALUE = 100
"""The longest initial value that stays in the signature of a property."""

COMMENTS = frozenset({"comment", "multiline_comment"})
"""What the grammars call comments."""

_LONGEST_SIGNATURE = 2_000
_LONGEST_NAME = 200
_BLANK = re.compile(r"\s+")
_INSIDE_BRACKETS = re.compile(r"(?<=[(\[{]) (?=\S)|(?<=\S),? (?=[)\]])| (?=,)")


class Scope(NamedTuple):
    """Where a declaration stands.

    `kind` is that of the declaration around it, empty at the top, and `offset` where that
    one begins. `outer` is the node that brings decorators or `export` to a declaration.
    """

    kind: str = ""
    offset: int = -1
    attributes: tuple[str, ...] = ()
    is_exported: bool = False
    outer: Node | None = None


class NodeContent(NamedTuple):
    """What a node declares and imports, and the nodes inside it to look at next."""

    symbols: tuple[Symbol, ...] = ()
    imports: tuple[str, ...] = ()
    inside: tuple[tuple[Node, Scope], ...] = ()


_NOTHING = NodeContent()


def collect(
    code: str,
    root: Node,
    handlers: Mapping[str, Callable[[str, Node, Scope], NodeContent]],
    scope: Scope | None = None,
) -> Parsed:
    """Walk from `root` through the nodes that have a handler, in the order of the text.

    A property or a case counts once in its scope: a second assignment declares nothing.
    """
    symbols: list[Symbol] = []
    imports: dict[str, None] = {}
    seen: set[tuple[int, str]] = set()
    waiting = [(root, scope or Scope())]
    while waiting:
        node, around = waiting.pop()
        handler = handlers.get(node.type)
        found = handler(code, node, around) if handler else _NOTHING
        for symbol in found.symbols:
            key = around.offset, symbol.name
            if symbol.kind not in {"property", "case"} or key not in seen:
                symbols.append(symbol)
            seen.add(key)
        imports.update(dict.fromkeys(found.imports))
        waiting.extend(reversed(found.inside))
    return Parsed(symbols=tuple(symbols), imports=tuple(imports))


def go_inside(_code: str, node: Node, scope: Scope) -> NodeContent:
    """Read what is inside a file, a block, a branch or broken code."""
    return NodeContent(inside=tuple((child, scope) for child in node.named_children))


def text_of(code: str, node: Node) -> str:
    """Return the text of a node."""
    return code[node.start_byte : node.end_byte]


def child_types(node: Node) -> set[str]:
    """Return the types of a node's children, keywords among them."""
    return {child.type for child in node.children}


def first_child(node: Node | None) -> Node | None:
    """Return the first named child of a node, if it has one."""
    return node.named_child(0) if node is not None and node.named_child_count else None


def text_between(code: str, start: int, end: int, comments: Iterable[Node] = ()) -> str:
    """Return a stretch of code on one line, without the comments that stand in it."""
    pieces = []
    for comment in comments:
        pieces.append(code[start : max(start, comment.start_byte)])
        start = max(start, comment.end_byte)
    pieces.append(code[start:end])
    return shorten(" ".join(pieces))


def shorten(text: str) -> str:
    """Put text on one line, as a person would write it; what is absurdly long is cut."""
    line = _BLANK.sub(" ", text.strip())
    if len(line) != len(text):
        line = _INSIDE_BRACKETS.sub("", line)
    return line[:_LONGEST_SIGNATURE]


def find_comments(node: Node, end: int) -> tuple[Node, ...]:
    """Find the comments in a node that begin before `end`, in the order of the text."""
    found = []
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if inner.start_byte >= end:
            continue
        if inner.type in COMMENTS:
            found.append(inner)
        waiting.extend(reversed(inner.children))
    return tuple(found)


def name_of(code: str, node: Node | None) -> str:
    """Return a name without quotes and backticks, on one line; empty if there is no node."""
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


def words(text: str) -> frozenset[str]:
    """Make a set of the words in a text: the types of nodes, or tokens."""
    return frozenset(text.split())
