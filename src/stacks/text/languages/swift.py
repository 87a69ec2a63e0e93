"""Swift: files and snippets, whole or broken, and declarations that stand alone.

Symbols are read from tokens, not from a syntax tree: three in ten snippets of Swift's proposals
and guides do not parse (bodies left out, `...`, syntax only proposed), and on those that do parse,
tokens give the same symbols. Chunks of source files are cut by the syntax tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.model import Parsed
from stacks.text.languages.grammar import Grammar
from stacks.text.languages.language import (
    Chunking,
    ChunkScope,
    DefinitionNode,
    Language,
    register_language,
)
from stacks.text.languages.swift_declarations import TYPES, SwiftDeclaration, read_declaration
from stacks.text.languages.swift_tokens import EnclosingType, Lexed, lex
from stacks.text.languages.syntax import first_row, last_row, name_of, text_of, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from stacks.model import Symbol

_GRAMMAR = Grammar("tree_sitter_swift")
_MEMBER = EnclosingType(kind="struct")
_BEGINNINGS = frozenset("\n;{}")
# Behind these a line goes on: the conditions of `guard` may have a line each.
_UNFINISHED = words(", guard")


def _read_alone(declaration: str, *, is_member: bool) -> tuple[Symbol, ...]:
    """Read declarations without bodies, as references print them."""
    lexed = lex(declaration)
    return _gather(_scan(lexed, _MEMBER if is_member else EnclosingType())).symbols


def _gather(found: Iterator[SwiftDeclaration]) -> Parsed:
    """Collect what declarations declare and import."""
    symbols: list[Symbol] = []
    imports: dict[str, None] = {}
    for declared in found:
        symbols.extend(declared.symbols)
        imports.update(dict.fromkeys(declared.imports))
    return Parsed(symbols=tuple(symbols), imports=tuple(imports))


def _scan(lexed: Lexed, top: EnclosingType) -> Iterator[SwiftDeclaration]:
    """Read the declarations that begin a line or a statement, outside blocks of code."""
    opened = [top]
    index, is_beginning = 0, True
    while text := lexed.word(index):
        declared = read_declaration(lexed, index, opened[-1]) if is_beginning else None
        if declared:
            yield declared
            inner = _inside(declared)
            index = declared.next
            if inner and lexed.word(index) == "{":
                opened.append(inner)
                index += 1
                continue
            is_beginning = lexed.word(index) in _BEGINNINGS and lexed.word(index) != "{"
            continue
        if text == "}" and len(opened) > 1:
            opened.pop()
        is_block = text in {"(", "[", "{"}
        is_beginning = text in _BEGINNINGS and lexed.word(index - 1) not in _UNFINISHED
        index = _behind(lexed, index) if is_block else index + 1


def _behind(lexed: Lexed, index: int) -> int:
    """Return the index behind a bracket and its content; a block never closed takes the rest."""
    if index in lexed.closers:
        return lexed.closers[index] + 1
    return len(lexed.tokens) if lexed.word(index) == "{" else index + 1


def _inside(declared: SwiftDeclaration) -> EnclosingType | None:
    """Return a declaration as the type around its members; None if it is not a type."""
    symbol = declared.symbols[0] if declared.symbols else None
    if symbol is None or symbol.kind not in TYPES:
        return None
    return EnclosingType(kind=symbol.kind, is_public=symbol.is_public)


_TYPE_NODES = words("class_declaration protocol_declaration")
# Functions without a name of their own go by their keyword.
_FUNCTION_NODES = {
    "deinit_declaration": "deinit",
    "function_declaration": "",
    "init_declaration": "init",
    "subscript_declaration": "subscript",
}


def _find_definition(code: str, node: Node, scope: ChunkScope) -> DefinitionNode | None:
    """Find a type, a function with a body, or a property computed over several lines."""
    if node.type in _TYPE_NODES:
        return _declare_type(code, node)
    if node.type in _FUNCTION_NODES:
        return _declare_function(code, node)
    if node.type == "property_declaration" and not scope.is_local:
        return _declare_property(code, node)
    return None


def _declare_type(code: str, node: Node) -> DefinitionNode | None:
    """Read a type, or an extension under the name of the type it extends."""
    head = node.child_by_field_name("name")
    name = name_of(code, head).partition("<")[0]
    keyword = node.child_by_field_name("declaration_kind")
    body = node.child_by_field_name("body")
    if head is None or not name:
        return None
    kind = text_of(code, keyword) if keyword else "protocol"
    return DefinitionNode(name, kind, outer=node, inner=node, head=head, body=body)


def _declare_function(code: str, node: Node) -> DefinitionNode | None:
    """Read a function; a requirement of a protocol has no body and is not a chunk."""
    head = node.child_by_field_name("name") if node.type != "subscript_declaration" else None
    name = _FUNCTION_NODES[node.type] or name_of(code, head)
    computed = (child for child in node.children if child.type == "computed_property")
    body = node.child_by_field_name("body") or next(computed, None)
    keyword = head or next((c for c in node.children if c.type != "modifiers"), node)
    if not name or body is None:
        return None
    return DefinitionNode(name, "function", outer=node, inner=node, head=keyword, body=body)


def _declare_property(code: str, node: Node) -> DefinitionNode | None:
    """Read a computed property; one on a single line is not a chunk."""
    head = node.child_by_field_name("name")
    body = node.child_by_field_name("computed_value")
    name = name_of(code, head)
    if head is None or body is None or not name:
        return None
    if first_row(body) == last_row(body):
        return None
    return DefinitionNode(name, "property", outer=node, inner=node, head=head, body=body)


register_language(
    Language(
        name="swift",
        extensions=("swift", "swiftinterface"),
        parse=_GRAMMAR.parse,
        read=lambda code: _gather(_scan(lex(code), EnclosingType())),
        read_declaration=_read_alone,
        chunking=Chunking(
            find_definition=_find_definition,
            closed=words(
                "attribute comment enum_entry import_declaration inheritance_specifier "
                "line_string_literal modifiers multi_line_string_literal multiline_comment "
                "parameter protocol_body type_annotation type_parameters user_type"
            ),
            functions=words("computed_property function_body lambda_literal"),
            imports=words("import_declaration"),
            stub="\n{}",
        ),
    )
)
