"""The values that pass from a source into an index: no reading, no writing.

A *corpus* lies at a location (a folder, an archive, the name of a library). It consists of *pages*,
units that are read again if their bytes change; a page has a key that is unique in its corpus. A
page yields *documents*, which are indexed and found; a document has a URI that is unique in its
index.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "PLATFORMS",
    "SYMBOL_KINDS",
    "Dependency",
    "Document",
    "Page",
    "Parsed",
    "Snippet",
    "Symbol",
]

SYMBOL_KINDS = (
    "class",
    "struct",
    "enum",
    "actor",
    "protocol",
    "extension",
    "function",
    "method",
    "initializer",
    "property",
    "subscript",
    "typealias",
    "associatedtype",
    "case",
    "operator",
    "macro",
)
"""The kinds of declaration."""

_PLATFORM_NAMES = ("iOS", "macOS", "tvOS", "watchOS", "visionOS")
PLATFORMS = {name.lower(): name for name in _PLATFORM_NAMES}
"""The platforms whose first version a document can state, with their names."""


@dataclass(frozen=True, slots=True)
class Page:
    """One unit of a corpus as it was found, read again if its bytes change.

    `key` identifies it in its corpus from save to save (a relative path, a package name).
    """

    key: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of code on a page; `language` is lower case, empty if unknown."""

    code: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A declaration: its name, its kind, and what its signature states."""

    name: str
    kind: str
    signature: str = ""
    line: int = 1
    column: int = 1
    is_async: bool = False
    is_throws: bool = False
    is_public: bool = False
    is_static: bool = False
    attributes: tuple[str, ...] = ()
    conformances: tuple[str, ...] = ()
    generic_parameters: tuple[str, ...] = ()
    generic_constraints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a snippet declares and what it imports."""

    symbols: tuple[Symbol, ...] = ()
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dependency:
    """A package that another one needs: its name in lower case, which versions, and its address."""

    name: str
    requirement: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One page of documentation, one file or one passage, ready to be indexed.

    - `content` is the body of the page as Markdown; title, summary and declaration are not
      repeated in it if the source has them apart. `stacks read` puts them together.
    - `framework` is a lower-case slug (`swiftui`, `pathlib`), `module` its name as written.
    - `kind` is one of `SYMBOL_KINDS` for a page about a declaration, else a word for what the
      page is: `module`, `article`, `collection`, `proposal`, `package`, `sample`, `file` …
    - `names` are names other than the title that a person would look the page up by.
    - `identifiers` are names on the page; a search finds them by the words they consist of.
    - `symbols` are declarations that the source states itself, without parsing `declaration` or
      `snippets`.
    - `parents` and `children` are the types it inherits from, and that inherit from it: their
      URIs, or their names if the source knows no more.
    - `dependencies` are the packages that a package needs.
    - `availability` maps a platform of `PLATFORMS` to its first version, `17.0`.
    - `facts` are other fields to store with the page (`status`, `authors`, `license`).
    """

    uri: str
    title: str
    content: str
    framework: str = ""
    module: str = ""
    language: str = ""
    kind: str = "article"
    summary: str = ""
    declaration: str = ""
    names: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    availability: Mapping[str, str] = field(default_factory=dict)
    swift_version: str = ""
    is_deprecated: bool = False
    attributes: tuple[str, ...] = ()
    conformances: tuple[str, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    parents: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
