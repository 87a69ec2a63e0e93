"""Words in the form in which an index compares them.

The full-text tables fold case, take diacritics off Latin letters and keep the vowel signs of
Devanagari (`unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`). The words of
`re` have no vowel signs, so words are found by Unicode categories here.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

__all__ = ["find_words", "fold", "unify"]

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]++")
_DEVANAGARI = regex.compile(r"\p{Devanagari}")
# Joiners only shape letters, soft hyphens only lines: the tokenizer would split a word at them.
_INVISIBLE = regex.compile(r"(?<=\p{Devanagari})[\u200c\u200d]|[\u00ad\u200b\u2060\ufeff]")


def find_words(text: str) -> list[str]:
    """Find the words of a text, vowel signs included, as the index does."""
    return _WORD.findall(text)


def unify(text: str) -> str:
    """Write a text in one way: composed (NFC), and without signs that are not seen."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFC", text))


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """Fold case and diacritics as the index does: `Corazón` is `corazon`, `niño` is `nino`.

    In a word with Devanagari every mark is a part of the spelling and stays.
    """
    word = unify(word)
    if _DEVANAGARI.search(word):
        return word
    decomposed = unicodedata.normalize("NFD", word.lower())
    bare = "".join(sign for sign in decomposed if unicodedata.category(sign) != "Mn")
    return unicodedata.normalize("NFC", bare)
