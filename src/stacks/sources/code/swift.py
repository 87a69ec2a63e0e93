"""Swift as it is cut into chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.sources.code.shapes import Declared, Place, Shape, first_row, last_row, name_of
from stacks.text.languages import SWIFT, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["SHAPE"]

_TYPES = frozenset({"class_declaration", "protocol_declaration"})
# The names of those that have no other than their keyword.
_FUNCTIONS = {
    "deinit_declaration": "deinit",
    "function_declaration": "",
    "init_declaration": "init",
    "subscript_declaration": "subscript",
}


def _resolve(code: str, node: Node, place: Place) -> Declared | None:
    """Find a type, a function with a body, or a property that is worked out over several lines."""
    if node.type in _TYPES:
        return _declare_type(code, node)
    if node.type in _FUNCTIONS:
        return _declare_function(code, node)
    if node.type == "property_declaration" and not place.is_local:
        return _declare_property(code, node)
    return None


def _declare_type(code: str, node: Node) -> Declared | None:
    """Read a type or an extension, which goes by the type it extends."""
    head = node.child_by_field_name("name")
    name = name_of(code, head).partition("<")[0]
    keyword = node.child_by_field_name("declaration_kind")
    body = node.child_by_field_name("body")
    if head is None or not name:
        return None
    kind = text_of(code, keyword) if keyword else "protocol"
    return Declared(name, kind, outer=node, inner=node, head=head, body=body)


def _declare_function(code: str, node: Node) -> Declared | None:
    """Read what takes parameters; a requirement of a protocol has no body and is none."""
    head = node.child_by_field_name("name") if node.type != "subscript_declaration" else None
    name = _FUNCTIONS[node.type] or name_of(code, head)
    body = node.child_by_field_name("body") or _find_child(node, "computed_property")
    keyword = head or next((c for c in node.children if c.type != "modifiers"), node)
    if not name or body is None:
        return None
    return Declared(name, "function", outer=node, inner=node, head=keyword, body=body)


def _declare_property(code: str, node: Node) -> Declared | None:
    """Read a property with code behind it; a short one is told best by its line."""
    head = node.child_by_field_name("name")
    body = node.child_by_field_name("computed_value")
    name = name_of(code, head)
    if head is None or body is None or not name:
        return None
    if first_row(body) == last_row(body):
        return None
    return Declared(name, "property", outer=node, inner=node, head=head, body=body)


def _find_child(node: Node, kind: str) -> Node | None:
    """Return the first child of a type."""
    return next((child for child in node.children if child.type == kind), None)


SHAPE = Shape(
    language=SWIFT,
    resolve=_resolve,
    closed=frozenset(
        {
            "attribute",
            "comment",
            "enum_entry",
            "import_declaration",
            "inheritance_specifier",
            "line_string_literal",
            "modifiers",
            "multi_line_string_literal",
            "multiline_comment",
            "parameter",
            "protocol_body",
            "type_annotation",
            "type_parameters",
            "user_type",
        }
    ),
    functions=frozenset({"computed_property", "function_body", "lambda_literal"}),
    imports=frozenset({"import_declaration"}),
    stub="\n{}",
)
"""Types, extensions, functions, initializers, subscripts and computed properties."""
