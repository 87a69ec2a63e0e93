"""Names that are nearly the same: keys and values that are accepted, ids, and texts of queries."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import regex

from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "NOTHING_ACCEPTED",
    "AcceptedNames",
    "FoldedText",
    "KnownIds",
    "KnownTexts",
    "UnknownName",
    "fold_id",
    "fold_text",
    "split_folded",
]


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name that no format knows, and the list in `[accept]` of cranfield.toml that allows it."""

    listed_as: str
    name: str

    def explain(self, message: str) -> str:
        """Add to a message what to write if the name is meant."""
        remedy = f"if it is meant, write [accept] {self.listed_as} = [{self.name!r}]"
        if "threshold" in self.name:
            remedy = "thresholds are set by [[thresholds]]"
        return f"{message}{'' if message.endswith('?') else ';'} {remedy} in cranfield.toml"


@dataclass(frozen=True, slots=True)
class AcceptedNames:
    """The table `[accept]` of a project.

    `keys` of JSON files inform people and are not read; `categories` and `languages` are the
    project's own.
    """

    keys: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    def accepts(self, unknown: UnknownName) -> bool:
        """Return whether the project lists a name."""
        return unknown.name in getattr(self, unknown.listed_as)


NOTHING_ACCEPTED = AcceptedNames()


_MOST_IDS = 2000
_NOT_WORD = regex.compile(r"[\W_]+")


def fold_id(name: str) -> str:
    """Return an id without its case, punctuation and escapes."""
    return _NOT_WORD.sub("", unquote(name)).casefold()


class KnownIds:
    """The ids of a corpus or of an answer, to look near ones up in."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._by_folded: dict[str, str] = {}
        self._by_end: dict[str, str] = {}
        for name in ids:
            self._by_folded.setdefault(fold_id(name), name)
            self._by_end.setdefault(fold_id(_last_part(name)), name)

    def find_same(self, name: str) -> str:
        """Return the id that is written in another way, or nothing."""
        return self._by_folded.get(fold_id(name), "")

    def find_near(self, name: str) -> str:
        """Return the id that was probably meant, or nothing."""
        end = fold_id(_last_part(name))
        same = self.find_same(name) or self._by_end.get(end, "")
        if same:
            return same
        folded = fold_id(name)
        similar = [each for each in self._by_folded if _may_be(each, folded)]
        near = near_names(folded, similar[:_MOST_IDS], 1)
        return self._by_folded[near[0]] if near else ""


def _last_part(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2]


def _may_be(one: str, other: str) -> bool:
    """Return whether two folded ids are of similar length, and begin or end alike."""
    close = abs(len(one) - len(other)) <= max(3, len(other) // 4)
    return close and (one[:2] == other[:2] or one[-3:] == other[-3:])


# Characters that make another name of a word stay with it: C++, C#, @State, -v.
_WORD = regex.compile(r"(?:(?<!\S)[-@#$]+)?\w+(?:[+#]+(?!\w))?")
_ACCENTS = regex.compile(r"[\u0300-\u036f]")
_KEYWORDS = regex.compile(r"[\w\s]+")
_ENDS_SHARED_PLURAL = regex.compile(r"[a-z]{3,}[^su\Wi]s")

_STOP_WORDS = {
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

_LONG = 6  # words, from which on one more or less may be the same query
_SHARED = 0.85  # of the words of both texts, for long texts to be similar
_MOST_COMPARED = 200  # texts for each rare word


class FoldedText(NamedTuple):
    """The words of a text that matter; `in_any_order` for a list of keywords."""

    words: tuple[str, ...]
    in_any_order: bool


def split_folded(text: str) -> tuple[str, ...]:
    """Return the words of a text without case, accents and punctuation; all of it if it has none.

    Accents of Latin, Greek and Cyrillic letters are removed; vowel signs of other scripts are kept.
    """
    if text.isascii() and text.replace(" ", "").isalnum():
        return tuple(text.lower().split())  # most of a long log
    folded = unicodedata.normalize("NFKD", text).casefold()
    folded = unicodedata.normalize("NFC", _ACCENTS.sub("", folded))
    words: list[str] = _WORD.findall(folded)
    return tuple(words) or tuple(folded.split())


def fold_text(text: str, language: str = "") -> FoldedText:
    """Reduce a text to the words that matter.

    Plurals are folded only if there are several words; a single word is a name.
    """
    code = language.partition("-")[0].casefold() or _LANGUAGE_OF_UNKNOWN
    words = split_folded(text)
    stop_words = _STOP_WORDS.get(code, frozenset())
    kept = tuple(word for word in words if word not in stop_words) or words
    if len(text.split()) > 1 and code in _PLURALS_WITH_S:
        kept = tuple(map(_without_plural, kept))
    is_keywords = len(kept) == len(words) > 1 and _KEYWORDS.fullmatch(text) is not None
    return FoldedText(kept, is_keywords)


def _without_plural(word: str) -> str:
    return word[:-1] if word.endswith("s") and _ENDS_SHARED_PLURAL.fullmatch(word) else word


class KnownTexts:
    """Texts by name, found by a similar text; of several, the first."""

    def __init__(self) -> None:
        self._by_words: dict[tuple[str, ...], str] = {}
        self._by_keywords: dict[tuple[str, ...], str] = {}
        self._long: list[tuple[frozenset[str], str]] = []
        self._places: dict[str, list[int]] = {}

    def add(self, name: str, folded: FoldedText) -> None:
        """Add a text."""
        self._by_words.setdefault(folded.words, name)
        if folded.in_any_order:
            self._by_keywords.setdefault(tuple(sorted(folded.words)), name)
        words = frozenset(folded.words)
        if len(words) >= _LONG:
            for word in words:
                self._places.setdefault(word, []).append(len(self._long))
            self._long.append((words, name))

    def find(self, folded: FoldedText) -> str | None:
        """Return the name of a similar text, or None."""
        found = self._by_words.get(folded.words)
        if found is None and folded.in_any_order:
            found = self._by_keywords.get(tuple(sorted(folded.words)))
        return self._find_long(frozenset(folded.words)) if found is None else found

    def _find_long(self, words: frozenset[str]) -> str | None:
        """Search the long texts that share a rare word.

        A similar text lacks at most `lacking` of the words, so it has one of the `lacking + 1`
        rarest. Of a word that many texts have, only the first texts are compared.
        """
        if len(words) < _LONG or not self._long:
            return None
        lacking = floor((1 - _SHARED) * len(words) + 1e-9)
        rarest = sorted(words, key=lambda word: (len(self._places.get(word, ())), word))
        for word in rarest[: lacking + 1]:
            for place in self._places.get(word, ())[:_MOST_COMPARED]:
                other, name = self._long[place]
                if _are_similar(words, other):
                    return name
        return None


def _are_similar(words: frozenset[str], other: frozenset[str]) -> bool:
    """Compare long texts by their words; another number or a negation makes another query."""
    if len(words & other) < _SHARED * len(words | other):
        return False
    apart = words ^ other
    return not apart & _NEGATIONS and not any(map(_has_digit, apart))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
