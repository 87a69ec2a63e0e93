"""What code declares and imports, in any language that is registered."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from stacks.model import Parsed
from stacks.text.languages.language import find_language

if TYPE_CHECKING:
    from stacks.model import Symbol

__all__ = ["parse_code", "parse_declaration"]

# Pages repeat one another: of the snippets in a reference four in five were seen before.
_SHORT = 4_096
# Beyond these it is data, not anything that a person wrote.
_LONGEST_CODE = 4_000_000
_LONGEST_DECLARATION = 20_000


def parse_code(code: str, language: str) -> Parsed:
    """Find what code declares and imports; nothing if the language cannot be read.

    `language` is a name or an alias of a language, as it stands on a code block. Broken code
    gives what can be made out. Raises `StacksError` if the grammar is not installed.
    """
    if find_language(language) is None or len(code) > _LONGEST_CODE:
        return Parsed()
    return _parse_short(code, language) if len(code) <= _SHORT else _parse(code, language)


def _parse(code: str, language: str) -> Parsed:
    """Read code; a language that is not known gives nothing."""
    known = find_language(language)
    return known.read(code) if known else Parsed()


_parse_short = lru_cache(maxsize=4_096)(_parse)


@lru_cache(maxsize=16_384)
def parse_declaration(
    declaration: str, language: str, *, is_member: bool = False
) -> tuple[Symbol, ...]:
    """Find the symbols of a declaration that stands alone and has no body.

    `func append(_ newElement: Element)` alone may be a method or a function: pass `is_member`
    if it stands inside a type.
    """
    known = find_language(language)
    if known is None or len(declaration) > _LONGEST_DECLARATION:
        return ()
    return known.read_declaration(declaration, is_member=is_member)
