"""The definitions of a file as blocks of whole lines, one inside the other.

Lines are never divided. A definition that shares its first line with the definition around it,
or with one before it, has no block of its own: it stays in the text of that one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stacks.text.languages import COMMENTS, ChunkScope, first_row, last_row, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from stacks.text.languages import Chunking, DefinitionNode

__all__ = ["TYPE_KINDS", "CodeBlock", "find_blocks", "is_documentation"]

TYPE_KINDS = frozenset({"actor", "class", "enum", "extension", "protocol", "struct"})
"""The kinds whose functions are methods."""

_DEEPEST = 32  # nobody nests further; what a program has nested is not cut to the last
_DOCUMENTATION = ("/**", "///")
# A class in a function has members, and what it gives names to is not local.
_TYPE_BODIES = frozenset({"class_body", "enum_class_body"})


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
