"""What the engine knows of a programming language, and the registry of all of them.

A language is one value, registered by its own module: its names, its file extensions, how its
code is parsed, which symbols it declares and how it is cut into chunks. Nothing else in the
engine lists languages. A user's package adds one by an entry point in `stacks.languages`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cranfield_shared import Registry
from stacks.errors import StacksError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from stacks.model import Parsed, Symbol

__all__ = [
    "LANGUAGES",
    "ChunkScope",
    "Chunking",
    "DefinitionNode",
    "Language",
    "ReadDeclaration",
    "find_language",
    "register_language",
]


class ReadDeclaration(Protocol):
    """Reads declarations that stand alone, without bodies."""

    def __call__(self, declaration: str, *, is_member: bool) -> tuple[Symbol, ...]:
        """Return what is declared; `is_member` says that it stands inside a type."""
        ...


class ChunkScope(NamedTuple):
    """Where code stands: in which block (-1 is the module), in a type, in a function."""

    block: int = -1
    is_member: bool = False
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class DefinitionNode:
    """A definition in a syntax tree.

    `outer` is all of it, with decorators and `export`; `inner` is searched for further
    definitions; `head` is the node whose line names it; `body` is what an overview leaves out.
    """

    name: str
    kind: str
    outer: Node
    inner: Node
    head: Node
    body: Node | None


@dataclass(frozen=True, slots=True)
class Chunking:
    """How code of a language is cut into definitions.

    - `find_definition` returns what a node defines, looking through any wrappers around it.
    - `closed` are node types that are not searched for definitions, `functions` those that make
      what they hold local, `imports` the statements that do not count as a module's own content.
    - `attached` are node types that belong to the definition below them, as comments do.
    - `stub` is a body that completes a head.
    - `is_documented_inside` is true for docstrings, false for comments before a definition.
    """

    find_definition: Callable[[str, Node, ChunkScope], DefinitionNode | None]
    closed: frozenset[str]
    functions: frozenset[str]
    imports: frozenset[str]
    stub: str
    attached: frozenset[str] = frozenset()
    is_documented_inside: bool = False


@dataclass(frozen=True, slots=True)
class Language:
    """A programming language whose code can be read.

    - `name` is the one name it is stored and shown under; code blocks also use its `aliases`.
    - `extensions` are those of its source files, in lower case and without the dot.
    - `parse` returns the root of the syntax tree, whose offsets are indexes into the code.
    - `read` returns the symbols and imports of code, `read_declaration` those of a declaration.
    - `family` is the language that documents are stored under, if that is another: `tsx` is
      TypeScript to a reader, with a grammar of its own.
    """

    name: str
    parse: Callable[[str], Node]
    read: Callable[[str], Parsed]
    read_declaration: ReadDeclaration
    chunking: Chunking
    aliases: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    family: str = ""


LANGUAGES: Registry[Language] = Registry(
    "programming language", Language, group="stacks.languages", error=StacksError
)
"""Every language whose code can be read; those of plug-ins too."""


def register_language(language: Language) -> None:
    """Add a language under its name and its aliases."""
    LANGUAGES.register(language.name, language, aliases=language.aliases)


def find_language(name: str) -> Language | None:
    """Return the language of a name or alias, as written on code blocks; None if unknown."""
    return _by_name().get(name)


@cache
def _by_name() -> Mapping[str, Language]:
    """Map every name and alias to its language."""
    languages = LANGUAGES.values()
    aliases = {alias: each for each in languages for alias in each.aliases}
    return aliases | {each.name: each for each in languages}
