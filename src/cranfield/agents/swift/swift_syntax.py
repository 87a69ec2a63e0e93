"""The syntax of a Swift answer: its nodes, and what it declares and imports itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

__all__ = [
    "SwiftScope",
    "child",
    "children",
    "find_errors",
    "is_deep",
    "nodes",
    "parse_swift",
    "place",
    "read_scope",
    "text",
    "type_name",
]

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


# What an answer declares itself.

_DECLARATIONS = {
    "associatedtype_declaration", "class_declaration", "protocol_declaration",
    "typealias_declaration",
}  # fmt: skip
_LOCAL = {"pattern", "lambda_parameter", "parameter", "enum_entry", "function_declaration"}


@dataclass(frozen=True, slots=True)
class SwiftScope:
    """Names of one answer: its imports, its own types and functions, and values with their type.

    `annotated` has the type of each variable as written, and `assigned` the expression that it is
    set to otherwise; a name that has two meanings has none. `own_bases` are what its own types
    inherit from or conform to.
    """

    imports: tuple[str, ...]
    own_types: frozenset[str]
    own_bases: Mapping[str, tuple[str, ...]]
    extended: frozenset[str]
    own_names: frozenset[str]
    annotated: Mapping[str, str]
    assigned: Mapping[str, Node]


def read_scope(root: Node) -> SwiftScope:
    """Read what an answer declares."""
    own = [each for each in nodes(root) if each.type in _DECLARATIONS]
    extensions = [each for each in own if child(each, "extension")]
    annotated: dict[str, str] = {}
    assigned: dict[str, Node] = {}
    unclear: set[str] = set()
    for node in nodes(root):
        for name, kind, value in _values(node):
            if name in annotated or name in assigned:
                unclear.add(name)
            if kind:
                annotated[name] = kind
            elif value is not None:
                assigned[name] = value
    return SwiftScope(
        imports=tuple(
            text(child(each, "identifier"))
            for each in nodes(root)
            if each.type == "import_declaration"
        ),
        own_types=frozenset(
            {text(child(each, "type_identifier")) for each in own if each not in extensions}
            | {
                text(child(each, "type_identifier"))
                for each in nodes(root)
                if each.type == "type_parameter"
            }
        ),
        own_bases={
            text(child(each, "type_identifier")): _bases(each)
            for each in own
            if each not in extensions
        },
        extended=frozenset(text(child(each, "user_type")) for each in extensions),
        own_names=frozenset(_own_names(root)),
        annotated={name: kind for name, kind in annotated.items() if name not in unclear},
        assigned={name: value for name, value in assigned.items() if name not in unclear},
    )


def _bases(declaration: Node) -> tuple[str, ...]:
    return tuple(
        name
        for each in children(declaration, "inheritance_specifier")
        if (name := type_name(child(each, "user_type")))
    )


def _values(node: Node) -> list[tuple[str, str, Node | None]]:
    """Return name, written type and value of what a node declares."""
    if node.type == "property_declaration":
        pattern = child(node, "pattern")
        annotation = child(node, "type_annotation")
        kind = type_name(annotation.children[-1]) if annotation is not None else ""
        value = None if annotation is not None else _after_equals(node)
        return [(text(pattern), kind, value)]
    if node.type in ("parameter", "lambda_parameter"):
        names = children(node, "simple_identifier")
        kind = type_name(child(node, "user_type", "optional_type"))
        return [(text(names[-1]), kind, None)] if names else []
    if node.type in ("guard_statement", "if_statement"):
        names = children(node, "simple_identifier")
        return [(text(names[0]), "", _after_equals(node))] if names and _after_equals(node) else []
    return []


def _after_equals(node: Node) -> Node | None:
    found = [number for number, each in enumerate(node.children) if each.type == "="]
    after = node.children[found[0] + 1 :] if found else []
    return after[0] if after else None


def _own_names(root: Node) -> set[str]:
    found: set[str] = set()
    for node in nodes(root):
        if node.type in _LOCAL:
            found |= {text(each) for each in children(node, "simple_identifier")}
        if node.type in ("guard_statement", "if_statement", "for_statement", "catch_block"):
            found |= {text(each) for each in children(node, "simple_identifier")}
    return found
