"""A natural language, as far as search has to know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.text.natural.folding import fold
from stacks.text.natural.porter import stem_as_index

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Language"]


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language.

    - `code` is that of ISO 639-1, `name` the English name, `script` the name of its letters as
      Unicode begins the names of characters.
    - `stop_words` say how, not what; in lower case, with and without their diacritics.
    - `stem` cuts a word of a query down to what its forms have in common: always a beginning of
      the folded word, and as an FTS5 prefix always one that finds the word itself.
    - `shortest_prefix` is the fewest characters that are looked up as a prefix; None where the
      index stems the language itself, so that words are looked up whole.
    - `letters` are letters and signs that set it apart from others in the same script.
    - `shared_words` are stop words that mean something else in another language, so that they
      do not tell which one a text is in.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    stem: Callable[[str], str]
    script: str = "LATIN"
    shortest_prefix: int | None = None
    letters: frozenset[str] = frozenset()
    shared_words: frozenset[str] = frozenset()

    def find_prefix(self, word: str) -> str:
        """Return the prefix that finds a word's forms; empty where it is looked up whole.

        A stem of the shortest length that the index would make of the word anyway adds chance
        finds alone: `alma*` finds *almacén*, while *alma* and *almas* are one word already.
        """
        if self.shortest_prefix is None:
            return ""
        stem = self.stem(word)
        reached = stem_as_index(stem)
        is_own_form = reached == stem_as_index(fold(word))
        needed = self.shortest_prefix + is_own_form
        return stem if len(reached) >= needed else ""
