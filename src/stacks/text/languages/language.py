"""What the engine knows of a programming language, and what code of any of them declares.

A language is one value, registered by its own module: its names, its file extensions, how its
code is parsed, which symbols it declares and how it is cut into chunks. Nothing else in the
engine lists languages. A user's package adds one by an entry point in `stacks.languages`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cranfield_shared.registry import Registry
from stacks.errors import StacksError
from stacks.model import Parsed
from stacks.text.languages.grammar import SlowCodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from stacks.model import Symbol

__all__ = [
    "LANGUAGES",
    "ChunkScope",
    "Chunking",
    "DefinitionNode",
    "Language",
    "ReadDeclaration",
    "find_language",
    "parse_code",
    "parse_declaration",
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
    - `parse` returns the root of the syntax tree, whose offsets are indexes into the code, or
      raises `SlowCodeError`.
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


# Pages repeat one another: of the snippets in a reference four in five were seen before.
_SHORT = 4_096
# Beyond these it is data, not anything that a person wrote.
_LONGEST_CODE = 4_000_000
_LONGEST_DECLARATION = 20_000


def parse_code(code: str, language: str) -> Parsed:
    """Find what code declares and imports; nothing if the language cannot be read.

    `language` is a name or an alias of a language, as it stands on a code block. Broken code
    gives what can be made out, code that takes too long to parse nothing. Raises `StacksError` if
    the grammar is not installed.
    """
    if find_language(language) is None or len(code) > _LONGEST_CODE:
        return Parsed()
    try:
        return _parse_short(code, language) if len(code) <= _SHORT else _parse(code, language)
    except SlowCodeError:
        return Parsed()


def _parse(code: str, language: str) -> Parsed:
    """Read code; a language that is not known gives nothing."""
    known = find_language(language)
    return known.read(code) if known else Parsed()


_parse_short = lru_cache(maxsize=4_096)(_parse)


def parse_declaration(
    declaration: str, language: str, *, is_member: bool = False
) -> tuple[Symbol, ...]:
    """Find the symbols of a declaration that stands alone and has no body.

    `func append(_ newElement: Element)` alone may be a method or a function: pass `is_member`
    if it stands inside a type.
    """
    try:
        return _parse_declaration(declaration, language, is_member=is_member)
    except SlowCodeError:
        return ()


@lru_cache(maxsize=16_384)
def _parse_declaration(declaration: str, language: str, *, is_member: bool) -> tuple[Symbol, ...]:
    known = find_language(language)
    if known is None or len(declaration) > _LONGEST_DECLARATION:
        return ()
    return known.read_declaration(declaration, is_member=is_member)
