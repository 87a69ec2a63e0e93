"""Python: source, stubs and interactive sessions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stacks.text.languages.grammar import Grammar
from stacks.text.languages.language import (
    Chunking,
    ChunkScope,
    DefinitionNode,
    Language,
    register_language,
)
from stacks.text.languages.python_symbols import PYTHON_HANDLERS
from stacks.text.languages.syntax import Scope, collect, name_of, words

if TYPE_CHECKING:
    from tree_sitter import Node

    from stacks.model import Parsed, Symbol

_GRAMMAR = Grammar("tree_sitter_python")
_MEMBER = Scope(kind="class")

_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.|In \[\d+\]:|\.{3,}:)(?: |(?=\r?\n|\Z))")
_SESSION = re.compile(r"^[ \t]*(?:>>>|In \[\d+\]:)(?:[ \t]|$)", re.MULTILINE)
# A head of a declaration that ends its line without the colon: how references list them.
_BARE_HEAD = re.compile(
    r"^([ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+\w[^\n#]*[^\s:,(\[{\\])[ \t]*$", re.MULTILINE
)

_KINDS = {"class_definition": "class", "function_definition": "function"}
# Statements without blocks hold lambdas at most, which have no names.
_CLOSED = words(
    "argument_list assert_statement comment decorator delete_statement expression_statement "
    "future_import_statement import_from_statement import_statement parameters raise_statement "
    "return_statement string type type_alias_statement type_parameter"
)


def _read(code: str) -> Parsed:
    """Read a module, a snippet, or the input of an interactive session.

    A session does not parse as a module, but a module can have one in a docstring.
    """
    root = _GRAMMAR.parse(code)
    if root.has_error and _SESSION.search(code):
        return _read_session(code)
    return _read_tree(code, root, _BARE_HEAD.sub(r"\1: ...", code), Scope())


def _read_tree(code: str, root: Node, completed: str, scope: Scope) -> Parsed:
    """Read what was parsed, or its completion if that fixes the errors."""
    if root.has_error and completed != code:
        second = _GRAMMAR.parse(completed)
        if not second.has_error:
            code, root = completed, second
    return collect(code, root, PYTHON_HANDLERS, scope)


def _read_session(code: str) -> Parsed:
    """Read the input of a session without its output; positions stay true."""
    lines, widths = [], []
    for line in code.split("\n"):
        prompt = _PROMPT.match(line)
        widths.append(prompt.end() if prompt else 0)
        lines.append(line[prompt.end() :] if prompt else "")
    typed = "\n".join(lines)
    parsed = collect(typed, _GRAMMAR.parse(typed), PYTHON_HANDLERS)
    return replace(
        parsed,
        symbols=tuple(
            replace(symbol, column=symbol.column + widths[symbol.line - 1])
            for symbol in parsed.symbols
        ),
    )


def _read_declaration(declaration: str, *, is_member: bool) -> tuple[Symbol, ...]:
    """Read declarations without bodies, `def f(x) -> int`."""
    completed = f"{declaration.rstrip().removesuffix(':')}: ..."
    root = _GRAMMAR.parse(declaration)
    scope = _MEMBER if is_member else Scope()
    return _read_tree(declaration, root, completed, scope).symbols


def _find_definition(code: str, node: Node, _scope: ChunkScope) -> DefinitionNode | None:
    """Find the function or the class, also below decorators."""
    decorated = node.type == "decorated_definition"
    definition = node.child_by_field_name("definition") if decorated else node
    if definition is None or definition.type not in _KINDS:
        return None
    head = definition.child_by_field_name("name")
    name = name_of(code, head)
    if head is None or not name:
        return None
    return DefinitionNode(
        name=name,
        kind=_KINDS[definition.type],
        outer=node,
        inner=definition,
        head=head,
        body=definition.child_by_field_name("body"),
    )


register_language(
    Language(
        name="python",
        aliases=("py", "python3", "pycon", "pyi"),
        extensions=("py", "pyi", "pyw"),
        parse=_GRAMMAR.parse,
        read=_read,
        read_declaration=_read_declaration,
        chunking=Chunking(
            find_definition=_find_definition,
            closed=_CLOSED,
            functions=words("function_definition"),
            imports=words("future_import_statement import_from_statement import_statement"),
            stub="\n    ...",
            is_documented_inside=True,
        ),
    )
)
