"""Phrases that a rule looks for in a query, in people's own words.

A phrase is a few words: `how do i`. A word that ends in `*` has any suffix (`meditat*`), and a `*`
alone stands for up to four words (`how * practise`). Case, accents and punctuation are ignored, so
no character of a query has a meaning of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.text import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["PhrasePattern", "PhrasePatterns"]

_WIDEST_GAP = 4
"""How many words a `*` stands for at most."""

_ANY = "*"


@dataclass(frozen=True, slots=True)
class PhrasePattern:
    """One phrase: its folded words, those with any suffix marked by a `*`."""

    text: str
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> PhrasePattern:
        """Parse a phrase; raises `ValueError` if it does not begin and end with a word."""
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
        """Return whether the phrase occurs in the words of a query."""
        return any(_begins(self.words, words, start) for start in range(len(words)))


def _begins(pattern: tuple[str, ...], words: Sequence[str], start: int) -> bool:
    """Return whether a pattern matches words from a position on."""
    if not pattern:
        return True
    first, rest = pattern[0], pattern[1:]
    if first == _ANY:
        return any(_begins(rest, words, start + gap) for gap in range(_WIDEST_GAP + 1))
    word = words[start] if start < len(words) else ""
    is_like = word.startswith(first[:-1]) if first.endswith(_ANY) else word == first
    return is_like and _begins(rest, words, start + 1)


@dataclass(frozen=True, slots=True)
class PhrasePatterns:
    """Several phrases, one of which must occur."""

    patterns: tuple[PhrasePattern, ...]

    @classmethod
    def parse(cls, texts: Iterable[str]) -> PhrasePatterns:
        """Parse phrases."""
        return cls(tuple(PhrasePattern.parse(text) for text in texts))

    def find(self, words: Sequence[str]) -> str:
        """Return the first phrase that occurs in the words, as written; empty if none does."""
        return next((each.text for each in self.patterns if each.is_in(words)), "")
