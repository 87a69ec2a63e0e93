"""How the words of a query and of a phrase are compared: letter by letter, or by their sound."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["SPELLINGS", "find_neighbours", "spell_by_sound"]

_SHORTEST_CORRECTED = 6
"""Letters of a word that may have a typing error; too many shorter words are one letter apart."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_DIGITS = str.maketrans("013457", "oieast")
_LONG_RUN = re.compile(r"(.)\1{2,}")
_DOUBLE = re.compile(r"(.)\1")
_SOFT_C = re.compile(r"c(?=[eiy])")
_HARD_C = re.compile(r"c(?!h)")
_SOUNDS = (
    *(("ee", "i"), ("oo", "u"), ("ph", "f"), ("ck", "k"), ("qu", "k"), ("q", "k")),
    *(("z", "s"), ("w", "b"), ("v", "b"), ("y", "i")),
)
"""Letters of Latin script that are written for one another in English, Spanish or Hindi."""

_NASAL = re.compile("[ङञणनम]\u094d(?=[\u0915-\u0939])|[\u0901-\u0903]")
_TWICE = re.compile("([\u0915-\u0939])\u094d\\1")
_DEVANAGARI = re.compile("[\u0900-\u097f]")
_MARKS = str.maketrans("ीूईऊशषॉ", "िुइउससा", "\u093c")
_GLIDES = (("ये", "ए"), ("यि", "इ"))


@lru_cache(maxsize=8192)
def spell_by_sound(word: str) -> str:
    """Return a spelling that a folded word shares with words that sound like it.

    `diiie` and `dye` are `die`, `su1cide` and `suicide` are one, and so are `quiero` and `kiero`,
    ज़िंदगी and जिन्दगी. It is no word of any language: it is only compared.
    """
    if _DEVANAGARI.search(word):
        return _spell_devanagari(word)
    if not word.isalpha():
        word = word if word.isdigit() else word.translate(_DIGITS)
    word = _HARD_C.sub("k", _SOFT_C.sub("s", _LONG_RUN.sub(r"\1", word).replace("ck", "k")))
    for letters, sound in _SOUNDS:
        word = word.replace(letters, sound)
    return _DOUBLE.sub(r"\1", word)


def _spell_devanagari(word: str) -> str:
    """Drop dots and nasals, shorten vowels, and write double consonants once."""
    word = unicodedata.normalize("NFD", word).translate(_MARKS)
    word = _TWICE.sub(r"\1", _NASAL.sub("", word))
    for letters, sound in _GLIDES:
        word = word.replace(letters, sound)
    return _LONG_RUN.sub(r"\1", word)


def find_neighbours(word: str) -> frozenset[str]:
    """Return a word with every spelling that one typing error makes of it.

    Raises `ValueError` for a word that is too short, or not in Latin letters.
    """
    if len(word) < _SHORTEST_CORRECTED or not (word.isascii() and word.isalpha()):
        raise ValueError(
            f"{word}~ is no word of at least {_SHORTEST_CORRECTED} Latin letters: list its "
            "misspellings instead"
        )
    splits = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {word}
    for left, right in splits:
        found.update(left + letter + right for letter in _LETTERS)
        if right:
            found.add(left + right[1:])
            found.update(left + letter + right[1:] for letter in _LETTERS)
        if len(right) > 1:
            found.add(left + right[1] + right[0] + right[2:])
    return frozenset(found)


def _spell_exactly(word: str) -> str:
    return word


SPELLINGS: Mapping[str, Callable[[str], str]] = {"exact": _spell_exactly, "sound": spell_by_sound}
"""By name: what is compared of a folded word."""
