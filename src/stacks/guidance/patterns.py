"""Phrases that a rule looks for in a query, in the words of people.

A phrase is a few words: `how do i`. A word that ends in `*` has any ending (`meditat*`), and a
`*` alone stands for up to four words (`how * practise`). Case, accents and punctuation do not
count, so a query is only ever text: no sign in it can mean anything to a rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.text import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Pattern", "Patterns"]

WIDEST_GAP = 4
"""Words that a `*` stands for at most."""

_ANY = "*"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One phrase: words as they are compared, those with any ending marked by a `*`."""

    text: str
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Read a phrase; raises `ValueError` where it has no word."""
        words: list[str] = []
        for each in text.split():
            folded = fold_words(each)
            if each == _ANY:
                words.append(_ANY)
            elif folded:
                words += [*folded[:-1], folded[-1] + (_ANY if each.endswith(_ANY) else "")]
        if not words or {words[0], words[-1]} & {_ANY}:
            raise ValueError(f"{text!r} is no phrase: it begins and ends with a word")
        return cls(text, tuple(words))

    def is_in(self, words: Sequence[str]) -> bool:
        """Tell whether the phrase occurs in the words of a query."""
        return any(_begins(self.words, words, start) for start in range(len(words)))


def _begins(pattern: tuple[str, ...], words: Sequence[str], start: int) -> bool:
    """Tell whether a pattern matches words from a place on."""
    if not pattern:
        return True
    first, rest = pattern[0], pattern[1:]
    if first == _ANY:
        return any(_begins(rest, words, start + gap) for gap in range(WIDEST_GAP + 1))
    return start < len(words) and _is_like(words[start], first) and _begins(rest, words, start + 1)


def _is_like(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith(_ANY) else word == wanted


@dataclass(frozen=True, slots=True)
class Patterns:
    """Several phrases, of which one is enough."""

    patterns: tuple[Pattern, ...]

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Patterns:
        """Read phrases."""
        return cls(tuple(Pattern.parse(text) for text in texts))

    def find(self, words: Sequence[str]) -> str:
        """Return the first phrase that occurs in the words, as it was written; else nothing."""
        return next((each.text for each in self.patterns if each.is_in(words)), "")
