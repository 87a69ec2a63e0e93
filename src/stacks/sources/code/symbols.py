"""The symbol of a chunk: what its head declares."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import TYPE_CHECKING

from stacks.model import Symbol
from stacks.sources.code.shapes import TYPE_KINDS
from stacks.text import parse_declaration
from stacks.text.languages import COMMENTS, find_comments, text_between

if TYPE_CHECKING:
    from stacks.sources.code.blocks import Block
    from stacks.sources.code.shapes import Shape

__all__ = ["find_symbol"]

_ENDINGS = ("{", "=>", "=", ":", ";")


def find_symbol(code: str, block: Block, shape: Shape) -> Symbol:
    """Read the head of a declaration; one that cannot be read has its name and its first line."""
    declared = block.declared
    name = declared.name
    symbols = parse_declaration(
        _complete_head(code, block, shape), shape.language.name, is_member=block.is_member
    )
    own = (symbol for symbol in symbols if symbol.name.strip("`") == name)
    found = next(own, None) or Symbol(name, declared.kind)
    indentation = code.rfind("\n", 0, declared.head.start_byte)
    line = code[indentation + 1 : declared.head.start_byte]
    return replace(
        found,
        name=name,
        signature=found.signature or _write_signature(code, block),
        kind=_settle_kind(declared.kind, found.kind, is_member=block.is_member),
        line=block.head + 1,
        column=len(line) - len(line.lstrip()) + 1,
    )


def _complete_head(code: str, block: Block, shape: Shape) -> str:
    """Return the head of a declaration with its decorators, and a body to make it whole."""
    declared = block.declared
    attached = (node for node in block.above if node.type not in COMMENTS)
    start = next(attached, declared.outer).start_byte
    line = code.rfind("\n", 0, start) + 1
    # With the blanks before it the first line can be moved to the left together with the others.
    begin = start if code[line:start].strip() else line
    if declared.body is None:
        return dedent(code[begin : declared.outer.end_byte]).strip()
    return dedent(code[begin : declared.body.start_byte]).strip() + shape.stub


def _write_signature(code: str, block: Block) -> str:
    """Write a head on one line, without comments and without what opens its body."""
    declared = block.declared
    start = min(declared.inner.start_byte, declared.head.start_byte)
    end = declared.body.start_byte if declared.body else declared.outer.end_byte
    text = text_between(code, start, end, find_comments(declared.outer, end))
    for ending in _ENDINGS:
        text = text.removesuffix(ending).rstrip()
    return text or declared.name


def _settle_kind(shape: str, found: str, *, is_member: bool) -> str:
    """Choose between the kind of the tree and that of the head, which cannot see around itself."""
    if shape != "function":
        return found if shape == "class" and found in TYPE_KINDS else shape
    if is_member:
        return "method" if found == "function" else found
    return found if found == "operator" else "function"
