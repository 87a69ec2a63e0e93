"""The definitions of a file as blocks of whole lines, and what each says about itself.

Lines are never divided. A definition that shares its first line with the definition around it,
or with one before it, has no block of its own: it stays in the text of that one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from inspect import cleandoc
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import Symbol
from stacks.text import (
    COMMENTS,
    ChunkScope,
    find_comments,
    first_row,
    last_row,
    parse_declaration,
    text_between,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from stacks.text import Chunking, DefinitionNode, Language

__all__ = [
    "TYPE_KINDS",
    "CodeBlock",
    "find_blocks",
    "find_docstring",
    "find_first_comment",
    "find_summary",
    "find_symbol",
    "is_documentation",
    "read_comments",
]

TYPE_KINDS = frozenset({"actor", "class", "enum", "extension", "protocol", "struct"})
"""The kinds whose functions are methods."""

_DEEPEST = 32  # nobody nests further; what a program has nested is not cut to the last
_DOCUMENTATION = ("/**", "///")
# A class in a function has members, and what it gives names to is not local.
_TYPE_BODIES = frozenset({"class_body", "enum_class_body"})


_OPENERS = ("{", "=>", "=", ":", ";")
_LONGEST_SUMMARY = 1_000
_QUOTES = re.compile(r"[a-zA-Z]{0,2}(\"{3}|'{3}|\"|')")
_MARKS = re.compile(r"^[ \t]*(?:///?|/\*\*?|\*(?!/))?[ \t]?", re.MULTILINE)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """The lines of a definition, counted from 0, with everything in them.

    `parent` is the number of the block around it, -1 for the module; `above` are the comments
    and decorators that stand before it.
    """

    definition: DefinitionNode
    parent: int
    is_member: bool
    above: tuple[Node, ...]
    first: int
    head: int
    last: int


class _PendingNode(NamedTuple):
    """A node still to be searched, what is directly above it, and its scope."""

    node: Node
    above: tuple[Node, ...]
    scope: ChunkScope


def find_blocks(code: str, root: Node, chunking: Chunking) -> tuple[CodeBlock, ...]:
    """Find the blocks of a file in the order of their lines."""
    blocks = _Blocks(code)
    waiting = _look_inside(code, root, ChunkScope(), chunking)
    while waiting:
        node, above, scope = waiting.pop()
        definition = chunking.find_definition(code, node, scope)
        if definition is not None:
            node, scope = definition.inner, blocks.add(definition, above, scope)
        waiting += _look_inside(code, node, scope, chunking)
    return tuple(blocks.found)


class _Blocks:
    """The blocks found so far, and the rows where the next one may begin."""

    def __init__(self, code: str) -> None:
        self._code = code
        self.found: list[CodeBlock] = []
        self._depths = [0]
        self._floors = [-1]  # by parent, the module first: the last row that is taken

    def add(
        self, definition: DefinitionNode, above: tuple[Node, ...], scope: ChunkScope
    ) -> ChunkScope:
        """Add a definition if it has lines of its own; return the scope inside it."""
        is_type = definition.kind in TYPE_KINDS
        inside = ChunkScope(scope.block, is_member=is_type, is_local=scope.is_local and not is_type)
        around = scope.block + 1
        start = first_row(definition.outer)
        floor = self._floors[around]
        if start <= floor or self._depths[around] >= _DEEPEST:
            return inside
        if above and first_row(above[0]) <= floor:
            above = ()
        first = first_row(above[0]) if above else start
        head = max(first_row(definition.head), first)
        # Broken code may end in blank lines, which are nobody's.
        last = start + text_of(self._code, definition.outer).rstrip().count("\n")
        block = CodeBlock(definition, scope.block, scope.is_member, above, first, head, last)
        self.found.append(block)
        self._depths.append(self._depths[around] + 1)
        self._floors[around] = last
        self._floors.append(head)
        return inside._replace(block=len(self.found) - 1)


def _look_inside(
    code: str, node: Node, scope: ChunkScope, chunking: Chunking
) -> list[_PendingNode]:
    """List the children to be searched, the last first, each with what is above it."""
    if node.type in chunking.functions:
        scope = scope._replace(is_member=False, is_local=True)
    elif node.type in _TYPE_BODIES:
        scope = scope._replace(is_local=False)
    found: list[_PendingNode] = []
    above: list[Node] = []
    for child in node.named_children:
        if above and first_row(child) > last_row(above[-1]) + 1:
            above = []
        if _belongs_below(code, child, chunking, has_begun=bool(above)):
            above.append(child)
            continue
        if child.type not in chunking.closed:
            found.append(_PendingNode(child, tuple(above), scope))
        above = []
    found.reverse()
    return found


def _belongs_below(code: str, node: Node, chunking: Chunking, *, has_begun: bool) -> bool:
    """Return whether a node is a decorator, or a comment on its own line, for what follows.

    Behind the first of them, a comment of any kind belongs to them.
    """
    if node.type in chunking.attached:
        return True
    if node.type not in COMMENTS or chunking.is_documented_inside:
        return False
    is_wanted = has_begun or is_documentation(code, node)
    begin = code.rfind("\n", 0, node.start_byte) + 1
    return is_wanted and not code[begin : node.start_byte].strip()


def is_documentation(code: str, node: Node) -> bool:
    """Return whether a comment is documentation."""
    return node.type in COMMENTS and text_of(code, node).startswith(_DOCUMENTATION)


def find_symbol(code: str, block: CodeBlock, language: Language) -> Symbol:
    """Read the symbol of a definition; if its head cannot be read, its name and first line."""
    definition = block.definition
    name = definition.name
    symbols = parse_declaration(
        _complete_head(code, block, language), language.name, is_member=block.is_member
    )
    own = (symbol for symbol in symbols if symbol.name.strip("`") == name)
    found = next(own, None) or Symbol(name, definition.kind)
    indentation = code.rfind("\n", 0, definition.head.start_byte)
    line = code[indentation + 1 : definition.head.start_byte]
    return replace(
        found,
        name=name,
        signature=found.signature or _write_signature(code, block),
        kind=_settle_kind(definition.kind, found.kind, is_member=block.is_member),
        line=block.head + 1,
        column=len(line) - len(line.lstrip()) + 1,
    )


def _complete_head(code: str, block: CodeBlock, language: Language) -> str:
    """Return the head of a declaration with its decorators, and a body to make it whole."""
    definition = block.definition
    attached = (node for node in block.above if node.type not in COMMENTS)
    start = next(attached, definition.outer).start_byte
    line = code.rfind("\n", 0, start) + 1
    # With the blanks before it the first line can be moved to the left together with the others.
    begin = start if code[line:start].strip() else line
    if definition.body is None:
        return dedent(code[begin : definition.outer.end_byte]).strip()
    return dedent(code[begin : definition.body.start_byte]).strip() + language.chunking.stub


def _write_signature(code: str, block: CodeBlock) -> str:
    """Write a head on one line, without comments and without what opens its body."""
    definition = block.definition
    start = min(definition.inner.start_byte, definition.head.start_byte)
    end = definition.body.start_byte if definition.body else definition.outer.end_byte
    text = text_between(code, start, end, find_comments(definition.outer, end))
    for opener in _OPENERS:
        text = text.removesuffix(opener).rstrip()
    return text or definition.name


def _settle_kind(node: str, found: str, *, is_member: bool) -> str:
    """Choose between the kind of the node and that of the head, which is read without context."""
    if node != "function":
        return found if node == "class" and found in TYPE_KINDS else node
    if is_member:
        return "method" if found == "function" else found
    return found if found == "operator" else "function"


def find_docstring(code: str, block: Node | None) -> str:
    """Return the string that a module or the body of a declaration begins with."""
    statement = (
        next((c for c in block.named_children if c.type not in COMMENTS), None) if block else None
    )
    if statement is None or statement.type != "expression_statement":
        return ""
    text = "".join(text_of(code, c) for c in statement.named_children[:1] if c.type == "string")
    opening = _QUOTES.match(text)
    if opening is None:
        return ""
    return cleandoc(text[opening.end() :].removesuffix(opening[1])).strip()


def read_comments(code: str, nodes: Iterable[Node]) -> str:
    """Return the text of documenting comments without their marks."""
    texts = [text_of(code, node) for node in nodes if is_documentation(code, node)]
    plain = (_MARKS.sub("", text.removesuffix("*/")) for text in texts)
    return "\n".join(text.strip() for text in plain).strip()


def find_first_comment(code: str, root: Node) -> tuple[Node, ...]:
    """Return the documenting comment that a file begins with, before anything else."""
    return tuple(node for node in root.named_children[:1] if is_documentation(code, node))


def find_summary(documentation: str) -> str:
    """Return the first paragraph on one line."""
    return " ".join(_PARAGRAPH_END.split(documentation, maxsplit=1)[0].split())[:_LONGEST_SUMMARY]
