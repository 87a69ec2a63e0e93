"""Questions that are asked twice in other words: the same but for case, signs and small words.

Meaning is not guessed at. Two texts are alike where their words are the same, in the same order,
once small words, signs and plurals are set aside; where neither is more than a row of keywords, in
any order. Long questions may differ in a word or two of many. Single words are names: they are
alike only where they are the same name.
"""

from __future__ import annotations

import unicodedata
from math import floor
from typing import NamedTuple

import regex

__all__ = ["KnownTexts", "WordForm", "fold_words", "make_form"]

# What makes another name of a word stays with it: C++, C#, @State, -v.
_WORD = regex.compile(r"(?:(?<!\S)[-@#$]+)?\w+(?:[+#]+(?!\w))?")
_ACCENTS = regex.compile(r"[\u0300-\u036f]")
_KEYWORDS = regex.compile(r"[\w\s]+")
_ENDS_LIKE_PLURAL = regex.compile(r"[a-z]{3,}[^su\Wi]s")

_SMALL_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a an and are be can do does for how i in is it me my of on please the this that to "
        "what with you",
        "es": "a al como con cual de del el en es la las lo los mi para por que se un una y",
        "de": "das dem den der des die ein eine einen ich im in ist man und was wie",
        "fr": "a au aux comment de des du en est et je la le les que quel un une",
        "hi": "और क्या का की के को है हैं में से",
    }.items()
}
_LANGUAGE_OF_UNKNOWN = "en"
_PLURALS_WITH_S = frozenset({"en", "es", "fr", "pt"})
_NEGATIONS = frozenset(
    ["kein", "keine", "never", "nicht", "no", "non", "not", "nunca", "ohne", "pas", "sans", "sin"]
) | {"without", "नहीं"}

_LONG = 6  # words, from where one more or less may be the same question
_LIKE = 0.85  # of the words of both are shared
_MOST_COMPARED = 200  # texts for each rare word


class WordForm(NamedTuple):
    """What is left of a text: the words that matter; `in_any_order` for a row of keywords."""

    words: tuple[str, ...]
    in_any_order: bool


def fold_words(text: str) -> tuple[str, ...]:
    """Return the words of a text without case, accents and signs; all of it if it has none.

    Signs above Latin, Greek and Cyrillic letters go; the vowel signs of other scripts are letters.
    """
    if text.isascii() and text.replace(" ", "").isalnum():
        return tuple(text.lower().split())  # most of a long log
    folded = unicodedata.normalize("NFKD", text).casefold()
    folded = unicodedata.normalize("NFC", _ACCENTS.sub("", folded))
    words: list[str] = _WORD.findall(folded)
    return tuple(words) or tuple(folded.split())


def make_form(text: str, language: str = "") -> WordForm:
    """Reduce a text to the words that matter.

    Plurals are folded where there are several words; a single word is a name.
    """
    code = language.partition("-")[0].casefold() or _LANGUAGE_OF_UNKNOWN
    words = fold_words(text)
    small = _SMALL_WORDS.get(code, frozenset())
    kept = tuple(word for word in words if word not in small) or words
    if len(text.split()) > 1 and code in _PLURALS_WITH_S:
        kept = tuple(map(_without_plural, kept))
    is_keywords = len(kept) == len(words) > 1 and _KEYWORDS.fullmatch(text) is not None
    return WordForm(kept, is_keywords)


def _without_plural(word: str) -> str:
    return word[:-1] if word.endswith("s") and _ENDS_LIKE_PLURAL.fullmatch(word) else word


class KnownTexts:
    """Texts by name, to be found again by one that is alike. The first of several is found."""

    def __init__(self) -> None:
        self._by_words: dict[tuple[str, ...], str] = {}
        self._by_keywords: dict[tuple[str, ...], str] = {}
        self._long: list[tuple[frozenset[str], str]] = []
        self._places: dict[str, list[int]] = {}

    def add(self, name: str, form: WordForm) -> None:
        """Remember a text."""
        self._by_words.setdefault(form.words, name)
        if form.in_any_order:
            self._by_keywords.setdefault(tuple(sorted(form.words)), name)
        words = frozenset(form.words)
        if len(words) >= _LONG:
            for word in words:
                self._places.setdefault(word, []).append(len(self._long))
            self._long.append((words, name))

    def find(self, form: WordForm) -> str | None:
        """Return the name of a known text that is alike."""
        found = self._by_words.get(form.words)
        if found is None and form.in_any_order:
            found = self._by_keywords.get(tuple(sorted(form.words)))
        return self._find_long(frozenset(form.words)) if found is None else found

    def _find_long(self, words: frozenset[str]) -> str | None:
        """Look among the long texts that share a rare word.

        A text that is alike lacks at most a few of these words, so that of one more than that the
        rarest, it has one. Words that many texts have are looked up in the first of these only.
        """
        if len(words) < _LONG or not self._long:
            return None
        lacking = floor((1 - _LIKE) * len(words) + 1e-9)
        rarest = sorted(words, key=lambda word: (len(self._places.get(word, ())), word))
        for word in rarest[: lacking + 1]:
            for place in self._places.get(word, ())[:_MOST_COMPARED]:
                other, name = self._long[place]
                if _are_alike(words, other):
                    return name
        return None


def _are_alike(words: frozenset[str], other: frozenset[str]) -> bool:
    """Compare long texts by their words; another number or a negation is another question."""
    if len(words & other) < _LIKE * len(words | other):
        return False
    apart = words ^ other
    return not apart & _NEGATIONS and not any(map(_has_digit, apart))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
