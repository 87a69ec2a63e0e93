"""Natural languages: what search knows of each, and which one a text is in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cranfield_shared.registry import Registry
from stacks.errors import StacksError
from stacks.text.natural.normalization import find_words, fold, stem_words, unify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["NATURAL_LANGUAGES", "NaturalLanguage", "detect_language", "find_natural_language"]


@dataclass(frozen=True, slots=True)
class NaturalLanguage:
    """What search knows of a language.

    - `code` is its ISO 639-1 code, `english_name` its name in English, `script` the name of its
      letters as the Unicode names of characters start with it.
    - `stop_words` carry no topic; in lower case, with and without their diacritics.
    - `stem` cuts a word of a query down to what its forms have in common: always a prefix of the
      folded word, and as an FTS5 prefix query always one that finds the word itself.
    - `shortest_prefix` is the minimum number of characters for a prefix query; None if the index
      itself stems the language, so that words are looked up whole.
    - `letters` are characters that set it apart from other languages in the same script.
    - `shared_words` are stop words that mean something else in another language, so they are no
      evidence of the language of a text.
    """

    code: str
    english_name: str
    stop_words: frozenset[str]
    stem: Callable[[str], str]
    script: str = "LATIN"
    shortest_prefix: int | None = None
    letters: frozenset[str] = frozenset()
    shared_words: frozenset[str] = frozenset()

    def find_prefix(self, word: str) -> str:
        """Return the prefix that finds a word's forms; empty if it is looked up whole.

        A stem of minimum length that the index would make of the word anyway adds only false
        matches: `alma*` finds *almacén*, while *alma* and *almas* have the same stem already.
        """
        if self.shortest_prefix is None:
            return ""
        stem = self.stem(word)
        reached, whole = stem_words((stem, fold(word)))
        needed = self.shortest_prefix + (reached == whole)
        return stem if len(reached) >= needed else ""


NATURAL_LANGUAGES: Registry[NaturalLanguage] = Registry(
    "natural language", NaturalLanguage, group="stacks.natural_languages", error=StacksError
)
"""Every language by its ISO 639-1 code."""


def find_natural_language(name: str) -> NaturalLanguage | None:
    """Return the language of a code, a tag or an English name: `es`, `es-MX`, `Spanish`."""
    folded = name.strip().casefold()
    code = folded.replace("_", "-").partition("-")[0]
    for each in filter(None, (code, folded)):
        with suppress(StacksError):
            return NATURAL_LANGUAGES.get(each)
    return None


def detect_language(text: str, among: Iterable[str]) -> str:
    """Return the code of the language of a text, or nothing if there is not enough evidence.

    The script of most words leaves those languages of `among` that are written in it; if there
    is one, it is the answer. Of several, the one with most evidence wins: each stop word and each
    letter of its own (ñ, ¿) counts one. A tie, or no evidence, is no answer.
    """
    text = unify(text).casefold()
    words = Counter(find_words(text))
    script = _find_script(words)
    candidates = [
        language
        for code in sorted(among)
        if (language := find_natural_language(code)) is not None
        and language.code == code
        and language.script == script
    ]
    if len(candidates) == 1:
        return candidates[0].code
    shared = frozenset[str]().union(*(language.shared_words for language in candidates))
    distinctive = Counter({word: count for word, count in words.items() if word not in shared})
    characters = Counter(text)
    scores = {
        language.code: _count_evidence(language, distinctive, characters) for language in candidates
    }
    best = max(scores.values(), default=0)
    winners = [code for code, score in scores.items() if score == best]
    return winners[0] if best > 0 and len(winners) == 1 else ""


def _find_script(words: Counter[str]) -> str:
    """Name the script that most words start with; of a tie, the first by name."""
    scripts: Counter[str] = Counter()
    for word, count in words.items():
        scripts[_get_script(word[0])] += count
    del scripts[""]
    return min(scripts, key=lambda script: (-scripts[script], script), default="")


@lru_cache(maxsize=4096)
def _get_script(character: str) -> str:
    """Return the script of a letter, the first word of its Unicode name; others have none."""
    return unicodedata.name(character, "").partition(" ")[0] if character.isalpha() else ""


def _count_evidence(
    language: NaturalLanguage, words: Counter[str], characters: Counter[str]
) -> int:
    """Count the stop words and the letters that are evidence for a language."""
    found = sum(count for word, count in words.items() if word in language.stop_words)
    return found + sum(characters[letter] for letter in language.letters)
