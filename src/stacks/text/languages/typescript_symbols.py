"""The symbols of TypeScript and JavaScript code: how each node of the syntax tree is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stacks.model import Symbol
from stacks.text.languages.syntax import (
    LONGEST_VALUE,
    NodeContent,
    Scope,
    child_types,
    find_comments,
    first_child,
    go_inside,
    text_between,
    text_of,
    words,
)

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["TYPESCRIPT_HANDLERS"]

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_TYPES = {
    "abstract_class_declaration": "class",
    "class": "class",
    "class_declaration": "class",
    "enum_declaration": "enum",
    "interface_declaration": "protocol",
}
_MEMBERS = {
    "abstract_method_signature": "method",
    "construct_signature": "initializer",
    "index_signature": "subscript",
    "method_definition": "method",
    "method_signature": "method",
    "property_signature": "property",
    "public_field_definition": "property",
}
_UNNAMED = {"construct_signature": "new", "index_signature": "subscript"}
_BODIES = frozenset({"class_body", "enum_body", "interface_body", "statement_block"})
_HERITAGE = frozenset({"extends_clause", "extends_type_clause", "implements_clause"})
_BINDINGS = frozenset({"identifier", "shorthand_property_identifier_pattern"})


def _read_module(_code: str, node: Node, _scope: Scope) -> NodeContent:
    """Read what is inside a namespace; what it exports is public."""
    body = node.child_by_field_name("body")
    return NodeContent(inside=((body, Scope(offset=node.start_byte)),) if body else ())


def _read_export(code: str, node: Node, scope: Scope) -> NodeContent:
    """Pass `export` and its decorators on to the declaration behind it."""
    inner = scope._replace(is_exported=True, attributes=_decorators(code, node), outer=node)
    return NodeContent(inside=tuple((child, inner) for child in node.named_children))


def _read_ambient(_code: str, node: Node, scope: Scope) -> NodeContent:
    """Read what is declared to exist elsewhere."""
    inner = scope._replace(outer=scope.outer or node)
    return NodeContent(inside=tuple((child, inner) for child in node.named_children))


def _read_type(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read a class, an interface or an enumeration, and look at its members."""
    kind = _TYPES[node.type]
    symbol = replace(_symbol(code, node, scope, kind), conformances=_heritage(code, node))
    body = node.child_by_field_name("body")
    inner = Scope(kind=kind, offset=node.start_byte)
    return NodeContent(symbols=(symbol,), inside=((body, inner),) if body else ())


def _read_body(code: str, node: Node, scope: Scope) -> NodeContent:
    """Look at the members of a type; decorators stand before the member they belong to."""
    inside: list[tuple[Node, Scope]] = []
    waiting: list[Node] = []
    for child in node.named_children:
        if child.type == "decorator":
            waiting.append(child)
            continue
        attributes = tuple(text_between(code, d.start_byte, d.end_byte) for d in waiting)
        inside.append((child, scope._replace(attributes=attributes, outer=(*waiting, None)[0])))
        waiting = []
    return NodeContent(inside=tuple(inside))


def _read_member(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read a method, a field, an accessor or a constructor."""
    kinds = child_types(node)
    kind = _MEMBERS[node.type]
    value = node.child_by_field_name("value")
    if kinds & {"get", "set"}:
        kind = "property"
    elif value is not None and value.type in _FUNCTIONS:
        kind = "method"
    symbol = _symbol(code, node, scope, kind)
    if symbol.name == "constructor" and kind == "method":
        symbol = replace(symbol, kind="initializer")
    return NodeContent(
        symbols=(replace(symbol, is_static="static" in kinds, is_public=_is_open(code, node)),)
    )


def _read_case(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read a member of an enumeration; elsewhere a name alone declares nothing."""
    if scope.kind != "enum":
        return NodeContent()
    name = node.child_by_field_name("name") or node
    symbol = _symbol(code, node, scope, "case")
    return NodeContent(
        symbols=(replace(symbol, name=_unquote(text_of(code, name)), is_public=True),)
    )


def _read_function(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read a function; one without a name is the default export, or declares nothing."""
    if node.child_by_field_name("name") is None and not scope.is_exported:
        return NodeContent()
    return NodeContent(symbols=(_symbol(code, node, scope, "function"),))


def _read_variables(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read `const`, `let` and `var`: functions and properties, and modules by `require`."""
    word = text_of(code, node.children[0])
    symbols: list[Symbol] = []
    imports: list[str] = []
    for declarator in node.named_children:
        name = declarator.child_by_field_name("name")
        if name is None:
            continue
        value = declarator.child_by_field_name("value")
        is_function = value is not None and value.type in _FUNCTIONS
        first = _symbol(code, declarator, scope, "function" if is_function else "property")
        line, column = _place(scope.outer or node)
        signature = f"{word} {first.signature}"
        whole = replace(first, signature=signature, line=line, column=column)
        symbols.extend(replace(whole, name=bound) for bound in _bound_names(code, name))
        imports.extend(_required(code, value))
    return NodeContent(symbols=tuple(symbols), imports=tuple(imports))


def _read_import(code: str, node: Node, _scope: Scope) -> NodeContent:
    """Read where an import comes from."""
    clauses = (node, *node.named_children)
    sources = (clause.child_by_field_name("source") for clause in clauses)
    return NodeContent(
        imports=tuple(_unquote(text_of(code, source)) for source in sources if source)
    )


TYPESCRIPT_HANDLERS = (
    {
        "ambient_declaration": _read_ambient,
        "enum_assignment": _read_case,
        "export_statement": _read_export,
        "import_statement": _read_import,
        "internal_module": _read_module,
        "module": _read_module,
        "property_identifier": _read_case,
        "string": _read_case,
        "type_alias_declaration": lambda code, node, scope: NodeContent(
            symbols=(_symbol(code, node, scope, "typealias"),)
        ),
    }
    | dict.fromkeys(_TYPES, _read_type)
    | dict.fromkeys(_MEMBERS, _read_member)
    | dict.fromkeys(_BODIES, _read_body)
    | dict.fromkeys(("ERROR", "expression_statement", "program"), go_inside)
    | dict.fromkeys(("lexical_declaration", "variable_declaration"), _read_variables)
    | dict.fromkeys(
        words(
            "function_declaration function_expression function_signature "
            "generator_function_declaration"
        ),
        _read_function,
    )
)


def _symbol(code: str, node: Node, scope: Scope, kind: str) -> Symbol:
    """Make a symbol with what every declaration has."""
    name = node.child_by_field_name("name") if node.type not in _UNNAMED else None
    value = node.child_by_field_name("value")
    holder = value if value is not None and value.type in _FUNCTIONS else node
    parameters, constraints = _generics(code, holder.child_by_field_name("type_parameters"))
    line, column = _place(scope.outer or node)
    return Symbol(
        name=_unquote(text_of(code, name)) if name else _UNNAMED.get(node.type, "default"),
        kind=kind,
        signature=_signature(code, node, holder),
        line=line,
        column=column,
        is_async="async" in child_types(holder),
        is_public=scope.is_exported,
        attributes=scope.attributes + _decorators(code, node),
        generic_parameters=parameters,
        generic_constraints=constraints,
    )


def _signature(code: str, node: Node, holder: Node) -> str:
    """Return a declaration without decorators, body and long value.

    `holder` is the function that a name is given, or the declaration itself.
    """
    start = next((c.start_byte for c in node.children if c.type != "decorator"), node.start_byte)
    body = holder.child_by_field_name("body")
    value = node.child_by_field_name("value")
    end = body.start_byte if body else node.end_byte
    is_value = value is not None and holder is node and node.type != "type_alias_declaration"
    if value is not None and is_value and value.end_byte - value.start_byte > LONGEST_VALUE:
        end = value.start_byte
    comments = find_comments(node, end) if "/" in code[start:end] else ()
    text = text_between(code, start, end, comments)
    for suffix in (";", "=>", "="):
        text = text.removesuffix(suffix).rstrip()
    return text


def _place(node: Node) -> tuple[int, int]:
    """Return the line and the column where a declaration begins."""
    row, column = node.start_point
    return row + 1, column + 1


def _decorators(code: str, node: Node) -> tuple[str, ...]:
    """Return the decorators of a declaration."""
    found = node.children_by_field_name("decorator")
    return tuple(text_between(code, child.start_byte, child.end_byte) for child in found)


def _heritage(code: str, node: Node) -> tuple[str, ...]:
    """Return what a type extends and implements, as written."""
    clauses = [inner for child in node.named_children for inner in (child, *child.named_children)]
    found = []
    for clause in clauses:
        types = clause.named_children if clause.type in _HERITAGE else []
        if clause.type == "extends_clause" and types:
            found.append(text_between(code, types[0].start_byte, clause.end_byte))
        else:
            found += [text_between(code, t.start_byte, t.end_byte) for t in types]
    return tuple(found)


def _generics(code: str, node: Node | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of type parameters, and the constraints of those that have one."""
    names, bounds = [], []
    for parameter in node.named_children if node else []:
        name = parameter.child_by_field_name("name")
        bound = parameter.child_by_field_name("constraint")
        if name is None:
            continue
        names.append(text_of(code, name))
        if bound is not None and (kind := first_child(bound)):
            text = text_between(code, kind.start_byte, bound.end_byte)
            bounds.append(f"{text_of(code, name)}: {text}")
    return tuple(names), tuple(bounds)


def _is_open(code: str, node: Node) -> bool:
    """Return whether a member may be used from outside its type."""
    name = node.child_by_field_name("name")
    words = {text_of(code, c) for c in node.children if c.type == "accessibility_modifier"}
    is_hidden = name is not None and name.type == "private_property_identifier"
    return not is_hidden and not words & {"private", "protected"}


def _bound_names(code: str, pattern: Node) -> list[str]:
    """Return the names that a variable or a pattern of variables binds, in order."""
    found = []
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        inner = node.child_by_field_name("value") or node.child_by_field_name("left")
        if node.type in _BINDINGS:
            found.append(text_of(code, node))
        else:
            waiting.extend([inner] if inner else reversed(node.named_children))
    return found


def _required(code: str, value: Node | None) -> list[str]:
    """Return the module that a value gets by `require`."""
    if value is None or value.type != "call_expression":
        return []
    called = value.child_by_field_name("function")
    arguments = value.child_by_field_name("arguments")
    first = first_child(arguments)
    if called is None or first is None or first.type != "string":
        return []
    return [_unquote(text_of(code, first))] if text_of(code, called) == "require" else []


def _unquote(text: str) -> str:
    """Remove the quotes from a name or a module that is written as a string."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
