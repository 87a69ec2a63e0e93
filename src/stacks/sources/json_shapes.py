"""The shapes that the JSON of a page may have: of what is another shape, nothing is read.

A field with the wrong shape must cost that field, not its page.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Node", "find_texts", "list_nodes", "list_texts", "read_node", "read_text"]

Node = dict[str, Any]


def read_node(value: object) -> Node:
    """Return an object, empty if it is something else."""
    return value if isinstance(value, dict) else {}


def list_nodes(value: object) -> list[Node]:
    """List the objects of an array."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def read_text(value: object) -> str:
    """Return a text or a number as text, empty if it is something else."""
    is_text = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if is_text else ""


def list_texts(value: object) -> list[str]:
    """List the texts of an array."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def find_texts(value: object) -> list[str]:
    """List the words anywhere inside a node, in the order of the page, however deep it is."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node))
        elif isinstance(node, dict):
            waiting.extend(
                each for each in reversed(node.values()) if isinstance(each, dict | list)
            )
            found.extend(list_texts([node.get("text"), node.get("code")]))
            found.extend(list_texts(node.get("code")))
    return found
