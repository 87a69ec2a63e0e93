"""TypeScript and JavaScript, with and without markup in the code."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.text.languages.grammar import Grammar
from stacks.text.languages.language import (
    Chunking,
    ChunkScope,
    DefinitionNode,
    Language,
    register_language,
)
from stacks.text.languages.syntax import collect, name_of, words
from stacks.text.languages.typescript_symbols import TYPESCRIPT_HANDLERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from stacks.model import Parsed, Symbol

# Both loop for ever on some broken code: `[ { func / [ } enum ( { enum | ]` is one such.
_PLAIN = Grammar("tree_sitter_typescript", "language_typescript", stride=1)
_MARKUP = Grammar("tree_sitter_typescript", "language_tsx", stride=1)

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
_MEMBERS = words("abstract_method_signature method_definition method_signature")
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
_BOUND_NAMES = words(
    "identifier member_expression private_property_identifier property_identifier string"
)

_TAG_END = re.compile(r"</|/>")


class _Completion(NamedTuple):
    """Text around a declaration that makes a whole of it."""

    before: str = ""
    after: str = ""


_ALONE = (_Completion(), _Completion("", " {}"))
_INSIDE = tuple(_Completion(f"{word} _ {{\n", "\n}") for word in ("class", "interface", "enum"))


def _only_child(node: Node) -> Node | None:
    """Return what a statement holds, if that is one thing."""
    return node.named_child(0) if node.named_child_count == 1 else None


_WRAPPERS: dict[str, Callable[[Node], Node | None]] = {
    "ambient_declaration": _only_child,
    "export_statement": lambda node: (
        node.child_by_field_name("declaration") or node.child_by_field_name("value")
    ),
    "expression_statement": _only_child,
    "lexical_declaration": _only_child,
    "variable_declaration": _only_child,
}


def _find_definition(code: str, node: Node, scope: ChunkScope) -> DefinitionNode | None:
    """Find what a statement or a member declares, also behind `export` and `const`."""
    inner: Node | None = node
    is_default = False
    while inner is not None and inner.type in _WRAPPERS:
        is_default = inner.type == "export_statement"
        inner = _WRAPPERS[inner.type](inner)
    if inner is None:
        return None
    if inner.type in _NAMED or (inner.type in _MEMBERS and scope.is_member):
        declared = _declare(code, inner, _NAMED.get(inner.type, "function"))
    elif inner.type in _VALUES and is_default:
        declared = _declare(code, inner, _VALUES[inner.type])
    elif inner.type in _BINDINGS and not scope.is_local:
        declared = _bind(code, inner)
    else:
        return None
    return replace(declared, outer=node) if declared else None


def _declare(code: str, node: Node, kind: str) -> DefinitionNode | None:
    """Read a declaration that has its own name; only the default export may lack one."""
    head = node.child_by_field_name("name")
    name = name_of(code, head) or ("default" if node.type in _VALUES else "")
    if not name:
        return None
    body = node.child_by_field_name("body")
    return DefinitionNode(name, kind, outer=node, inner=node, head=head or node, body=body)


def _bind(code: str, node: Node) -> DefinitionNode | None:
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
    return DefinitionNode(name, kind, outer=node, inner=right, head=last or left, body=body)


_CHUNKING = Chunking(
    find_definition=_find_definition,
    # The members of interfaces and the functions in object literals stay where they stand.
    closed=words(
        "comment enum_body formal_parameters import_statement interface_body object regex string "
        "template_string type_alias_declaration type_annotation type_arguments type_parameters"
    ),
    functions=words(
        "arrow_function class_static_block function_declaration function_expression "
        "generator_function generator_function_declaration method_definition"
    ),
    imports=words("import_statement"),
    stub="\n{}",
    attached=words("decorator"),
)


def _parse(code: str, grammar: Grammar) -> Node:
    """Parse code; if it has errors and markup, with the grammar that knows markup."""
    root = grammar.parse(code)
    if root.has_error and grammar is _PLAIN and _TAG_END.search(code):
        second = _MARKUP.parse(code)
        return root if second.has_error else second
    return root


def _read_declaration(declaration: str, grammar: Grammar, *, is_member: bool) -> tuple[Symbol, ...]:
    """Read a declaration as it stands, or completed to something that parses."""
    completions = _INSIDE + _ALONE if is_member else _ALONE + _INSIDE
    found: list[tuple[Symbol, ...]] = []
    for before, after in completions:
        code = f"{before}{declaration}{after}"
        root = grammar.parse(code)
        symbols = collect(code, root, TYPESCRIPT_HANDLERS).symbols
        lines = before.count("\n")
        inner = tuple(replace(s, line=s.line - lines) for s in symbols if s.line > lines)
        if not root.has_error:
            return inner
        found.append(inner)
    return next((symbols for symbols in found if symbols), ())


def _register(name: str, grammar: Grammar, aliases: str, extensions: str, family: str = "") -> None:
    """Register a language by its names, its file extensions and the grammar to try first."""

    def parse(code: str) -> Node:
        return _parse(code, grammar)

    def read(code: str) -> Parsed:
        return collect(code, parse(code), TYPESCRIPT_HANDLERS)

    def read_declaration(declaration: str, *, is_member: bool) -> tuple[Symbol, ...]:
        return _read_declaration(declaration, grammar, is_member=is_member)

    register_language(
        Language(
            name=name,
            aliases=tuple(aliases.split()),
            extensions=tuple(extensions.split()),
            parse=parse,
            read=read,
            read_declaration=read_declaration,
            chunking=_CHUNKING,
            family=family,
        )
    )


_register("typescript", _PLAIN, aliases="ts mts cts", extensions="ts mts cts")
_register("tsx", _MARKUP, aliases="", extensions="tsx", family="typescript")
_register("javascript", _MARKUP, aliases="js jsx mjs cjs", extensions="js jsx mjs cjs")
