"""What code declares and imports, whatever language it is in."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from stacks.model import Parsed
from stacks.text.languages import JAVASCRIPT, PYTHON, SWIFT, TSX, TYPESCRIPT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.model import Symbol
    from stacks.text.languages import Language

__all__ = ["LANGUAGES", "language_of_file", "parse_code", "parse_declaration"]

_BY_FENCE: Mapping[str, Language] = {
    fence: language
    for language in (JAVASCRIPT, PYTHON, SWIFT, TSX, TYPESCRIPT)
    for fence in language.fences
}

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {fence: language.name for fence, language in sorted(_BY_FENCE.items())}
)
"""Every name that a block of code in a language we can read goes by, and the language's own."""

# Pages repeat one another: of the snippets in a reference four in five were seen before.
_SHORT = 4_096
# Beyond these it is data, not anything that a person wrote.
_LONGEST_CODE = 4_000_000
_LONGEST_DECLARATION = 20_000

_NAMES = {
    "bash": "sh bash zsh",
    "c": "c h",
    "clojure": "clj cljs",
    "cpp": "cc cpp cxx hpp hh hxx",
    "csharp": "cs",
    "css": "css scss less",
    "csv": "csv tsv",
    "dart": "dart",
    "diff": "diff patch",
    "dockerfile": "dockerfile",
    "elixir": "ex exs",
    "go": "go",
    "graphql": "graphql gql",
    "haskell": "hs",
    "html": "html htm xhtml",
    "ini": "ini cfg",
    "java": "java",
    "javascript": "js mjs cjs",
    "json": "json jsonl json5 ipynb",
    "jsx": "jsx",
    "julia": "jl",
    "kotlin": "kt kts",
    "latex": "tex",
    "lua": "lua",
    "makefile": "mk makefile",
    "markdown": "md markdown mdx",
    "metal": "metal",
    "objc": "m mm",
    "ocaml": "ml mli",
    "perl": "pl pm",
    "php": "php",
    "plist": "plist",
    "powershell": "ps1",
    "protobuf": "proto",
    "python": "py pyi pyw",
    "r": "r",
    "restructuredtext": "rst",
    "ruby": "rb gemspec",
    "rust": "rs",
    "scala": "scala",
    "sql": "sql",
    "swift": "swift swiftinterface",
    "text": "txt text",
    "toml": "toml",
    "tsx": "tsx",
    "typescript": "ts mts cts",
    "xml": "xml xsd svg storyboard xib",
    "yaml": "yaml yml",
    "zig": "zig",
}
_BY_ENDING = {ending: name for name, endings in _NAMES.items() for ending in endings.split()}


def parse_code(code: str, language: str) -> Parsed:
    """Find what a piece of code declares and imports; a language we cannot read gives nothing.

    `language` is a name of `LANGUAGES`, as it stands on a block of code. Broken code gives
    what can be made of it. Raises `StacksError` where the grammar is not installed.
    """
    if language not in _BY_FENCE or len(code) > _LONGEST_CODE:
        return Parsed()
    return _parse_short(code, language) if len(code) <= _SHORT else _parse(code, language)


def _parse(code: str, language: str) -> Parsed:
    """Read code in a language that is known."""
    return _BY_FENCE[language].read(code)


_parse_short = lru_cache(maxsize=4_096)(_parse)


@lru_cache(maxsize=16_384)
def parse_declaration(
    declaration: str, language: str, *, is_member: bool = False
) -> tuple[Symbol, ...]:
    """Find the symbols of a declaration that stands alone and has no body.

    From `func append(_ newElement: Element)` nobody can tell a method from a function: who
    knows that it stands inside a type says so with `is_member`.
    """
    if language not in _BY_FENCE or len(declaration) > _LONGEST_DECLARATION:
        return ()
    return _BY_FENCE[language].read_declaration(declaration, is_member=is_member)


def language_of_file(name: str) -> str:
    """Name a file's language by its ending, also one we cannot read; unknown is empty."""
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    return _BY_ENDING.get(base.rpartition(".")[2], "")
