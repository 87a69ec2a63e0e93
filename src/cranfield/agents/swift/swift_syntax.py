"""Swift code as a tree, with a few questions that it answers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

__all__ = [
    "child", "children", "find_errors", "is_deep", "nodes", "parse_swift", "place", "text",
    "type_name",
]  # fmt: skip

_SIMPLE = re.compile(r"^([\w.]+)(<[^()]*>)?[?!]?$")


@lru_cache(maxsize=64)
def parse_swift(code: str) -> Node | None:
    """Parse code; None if the grammar of Swift is not installed."""
    try:
        import tree_sitter
        import tree_sitter_swift
    except ImportError:
        return None
    language = tree_sitter.Language(tree_sitter_swift.language())
    return tree_sitter.Parser(language).parse(code.encode()).root_node


def nodes(root: Node) -> Iterator[Node]:
    """Yield all nodes in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def is_deep(root: Node, most: int) -> bool:
    """Return whether code is nested deeper than some levels."""
    level = [root]
    for _ in range(most):
        level = [inner for each in level for inner in each.children]
        if not level:
            return False
    return True


def find_errors(root: Node) -> list[Node]:
    """Find where the code does not follow the grammar."""
    return (
        [each for each in nodes(root) if each.is_error or each.is_missing] if root.has_error else []
    )


def text(node: Node | None) -> str:
    """Return the text of a node."""
    return node.text.decode() if node is not None and node.text is not None else ""


def place(node: Node) -> tuple[int, int]:
    """Return line and column, from 1."""
    return node.start_point[0] + 1, node.start_point[1] + 1


def child(node: Node, *kinds: str) -> Node | None:
    """Return the first child of a kind."""
    return next((each for each in node.children if each.type in kinds), None)


def children(node: Node, *kinds: str) -> list[Node]:
    """Return all children of some kinds."""
    return [each for each in node.children if each.type in kinds]


def type_name(node: Node | None) -> str:
    """Return the name of a plain type (`Circle`, `Shapes.Circle?`, `Box<Int>`) without arguments.

    It is empty for any other.
    """
    found = _SIMPLE.match(text(node).strip())
    return found[1] if found else ""
