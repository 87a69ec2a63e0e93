"""What a chunk says about itself: the symbol its head declares, its docstring or its comments."""

from __future__ import annotations

import re
from dataclasses import replace
from inspect import cleandoc
from textwrap import dedent
from typing import TYPE_CHECKING

from stacks.model import Symbol
from stacks.sources.code.code_blocks import TYPE_KINDS, is_documentation
from stacks.text import parse_declaration
from stacks.text.languages import COMMENTS, find_comments, text_between, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from stacks.sources.code.code_blocks import CodeBlock
    from stacks.text.languages import Language

__all__ = ["find_docstring", "find_first_comment", "find_summary", "find_symbol", "read_comments"]

_OPENERS = ("{", "=>", "=", ":", ";")
_LONGEST_SUMMARY = 1_000
_QUOTES = re.compile(r"[a-zA-Z]{0,2}(\"{3}|'{3}|\"|')")
_MARKS = re.compile(r"^[ \t]*(?:///?|/\*\*?|\*(?!/))?[ \t]?", re.MULTILINE)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


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
