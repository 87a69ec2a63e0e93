"""Python as it is cut into chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.sources.code.shapes import Declared, Place, Shape, name_of
from stacks.text.languages import PYTHON

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["SHAPE"]

_KINDS = {"class_definition": "class", "function_definition": "function"}
# Statements without blocks hold lambdas at most, which have no names.
_CLOSED = frozenset(
    {
        "argument_list",
        "assert_statement",
        "comment",
        "decorator",
        "delete_statement",
        "expression_statement",
        "future_import_statement",
        "import_from_statement",
        "import_statement",
        "parameters",
        "raise_statement",
        "return_statement",
        "string",
        "type",
        "type_alias_statement",
        "type_parameter",
    }
)


def _resolve(code: str, node: Node, _place: Place) -> Declared | None:
    """Find the function or the class, also below decorators."""
    decorated = node.type == "decorated_definition"
    definition = node.child_by_field_name("definition") if decorated else node
    if definition is None or definition.type not in _KINDS:
        return None
    head = definition.child_by_field_name("name")
    name = name_of(code, head)
    if head is None or not name:
        return None
    return Declared(
        name=name,
        kind=_KINDS[definition.type],
        outer=node,
        inner=definition,
        head=head,
        body=definition.child_by_field_name("body"),
    )


SHAPE = Shape(
    language=PYTHON,
    resolve=_resolve,
    closed=_CLOSED,
    functions=frozenset({"function_definition"}),
    imports=frozenset(
        {"future_import_statement", "import_from_statement", "import_statement"},
    ),
    stub="\n    ...",
    is_documented_inside=True,
)
"""Functions and classes, wherever they stand."""
