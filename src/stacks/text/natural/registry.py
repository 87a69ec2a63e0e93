"""The natural languages that are known, by their codes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from stacks.text.natural.english import ENGLISH
from stacks.text.natural.hindi import HINDI
from stacks.text.natural.spanish import SPANISH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.text.natural.language import Language

__all__ = ["LANGUAGES", "get_language"]

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {language.code: language for language in (ENGLISH, HINDI, SPANISH)}
)
"""Every language by its code of ISO 639-1."""


def get_language(code: str) -> Language | None:
    """Return the language of a code, a tag or an English name: `es`, `es-MX`, `Spanish`."""
    folded = code.strip().casefold()
    known = LANGUAGES.get(folded.replace("_", "-").partition("-")[0])
    named = (language for language in LANGUAGES.values() if language.name.casefold() == folded)
    return known or next(named, None)
