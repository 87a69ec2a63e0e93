"""What code says about itself: docstrings, and comments before a declaration."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING

from stacks.sources.code.blocks import is_documentation
from stacks.text.languages import COMMENTS, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

__all__ = ["find_docstring", "find_first_comment", "find_summary", "read_comments"]

_LONGEST_SUMMARY = 1_000
_QUOTES = re.compile(r"[a-zA-Z]{0,2}(\"{3}|'{3}|\"|')")
_MARKS = re.compile(r"^[ \t]*(?:///?|/\*\*?|\*(?!/))?[ \t]?", re.MULTILINE)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


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
