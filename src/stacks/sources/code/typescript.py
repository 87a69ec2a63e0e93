"""TypeScript and JavaScript as they are cut into chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stacks.sources.code.shapes import Declared, Place, Shape, name_of
from stacks.text.languages import JAVASCRIPT, TSX, TYPESCRIPT

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

__all__ = ["JAVASCRIPT_SHAPE", "TSX_SHAPE", "TYPESCRIPT_SHAPE"]

_NAMED = {
    "abstract_class_declaration": "class",
    "class_declaration": "class",
    "enum_declaration": "enum",
    "function_declaration": "function",
    "function_signature": "function",
    "generator_function_declaration": "function",
    "interface_declaration": "protocol",
    "internal_module": "module",
    "module": "module",
}
_MEMBERS = frozenset({"abstract_method_signature", "method_definition", "method_signature"})
# What a name can be given, and the field of the name in each node that gives one.
_VALUES = {
    "arrow_function": "function",
    "class": "class",
    "function_expression": "function",
    "generator_function": "function",
}
_BINDINGS = {
    "assignment_expression": ("left", "right"),
    "public_field_definition": ("name", "value"),
    "variable_declarator": ("name", "value"),
}
_BOUND_NAMES = frozenset(
    {
        "identifier",
        "member_expression",
        "private_property_identifier",
        "property_identifier",
        "string",
    }
)


def _only_child(node: Node) -> Node | None:
    """Return what a statement holds, if that is one thing."""
    return node.named_child(0) if node.named_child_count == 1 else None


def _exported(node: Node) -> Node | None:
    """Return what is exported, by name or as the default."""
    return node.child_by_field_name("declaration") or node.child_by_field_name("value")


_WRAPPERS: dict[str, Callable[[Node], Node | None]] = {
    "ambient_declaration": _only_child,
    "export_statement": _exported,
    "expression_statement": _only_child,
    "lexical_declaration": _only_child,
    "variable_declaration": _only_child,
}


def _resolve(code: str, node: Node, place: Place) -> Declared | None:
    """Find what a statement or a member declares, also behind `export` and `const`."""
    inner: Node | None = node
    is_default = False
    while inner is not None and inner.type in _WRAPPERS:
        is_default = inner.type == "export_statement"
        inner = _WRAPPERS[inner.type](inner)
    if inner is None:
        return None
    if inner.type in _NAMED or (inner.type in _MEMBERS and place.is_member):
        declared = _declare(code, inner, _NAMED.get(inner.type, "function"))
    elif inner.type in _VALUES and is_default:
        declared = _declare(code, inner, _VALUES[inner.type])
    elif inner.type in _BINDINGS and not place.is_local:
        declared = _bind(code, inner)
    else:
        return None
    return replace(declared, outer=node) if declared else None


def _declare(code: str, node: Node, kind: str) -> Declared | None:
    """Read a declaration that has its own name; only the default export may lack one."""
    head = node.child_by_field_name("name")
    name = name_of(code, head) or ("default" if node.type in _VALUES else "")
    if not name:
        return None
    body = node.child_by_field_name("body")
    return Declared(name, kind, outer=node, inner=node, head=head or node, body=body)


def _bind(code: str, node: Node) -> Declared | None:
    """Read a name that is given a function or a class."""
    left, right = (node.child_by_field_name(field) for field in _BINDINGS[node.type])
    if left is None or right is None or right.type not in _VALUES or left.type not in _BOUND_NAMES:
        return None
    last = left.child_by_field_name("property") if left.type == "member_expression" else left
    name = name_of(code, last)
    if not name:
        return None
    kind = _VALUES[right.type]
    body = right.child_by_field_name("body")
    return Declared(name, kind, outer=node, inner=right, head=last or left, body=body)


TYPESCRIPT_SHAPE = Shape(
    language=TYPESCRIPT,
    resolve=_resolve,
    # The members of interfaces and the functions in object literals stay where they stand.
    closed=frozenset(
        {
            "comment",
            "enum_body",
            "formal_parameters",
            "import_statement",
            "interface_body",
            "object",
            "regex",
            "string",
            "template_string",
            "type_alias_declaration",
            "type_annotation",
            "type_arguments",
            "type_parameters",
        }
    ),
    functions=frozenset(
        {
            "arrow_function",
            "class_static_block",
            "function_declaration",
            "function_expression",
            "generator_function",
            "generator_function_declaration",
            "method_definition",
        }
    ),
    imports=frozenset({"import_statement"}),
    stub="\n{}",
    attached=frozenset({"decorator"}),
)
"""Types, functions, methods, namespaces, and functions that a module or a class gives a name."""

TSX_SHAPE = replace(TYPESCRIPT_SHAPE, language=TSX)
"""The same with markup in the code."""

JAVASCRIPT_SHAPE = replace(TYPESCRIPT_SHAPE, language=JAVASCRIPT)
"""The same without types, and with markup."""
