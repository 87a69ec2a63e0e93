"""Phrases that a rule looks for in a query, in people's own words.

A phrase is a few words: `how do i`. A word that ends in `*` has any suffix (`meditat*`), one that
ends in `~` may have a typing error (`suicide~`), and a `*` alone stands for up to four words
(`how * practise`). `kill|hang myself` has alternatives, `(really)` may be missing, and `<wish>` is
any of the phrases listed under that name. Case, accents and other punctuation are ignored, so no
character of a query has a meaning of its own.

How the words of a query and of a phrase are compared: letter by letter, or by their sound.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from stacks.text import fold_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = [
    "SPELLINGS",
    "PhraseIndex",
    "PhrasePattern",
    "WordLists",
    "find_neighbours",
    "spell_by_sound",
]

_WIDEST_GAP = 4
"""How many words a `*` stands for at most."""

_ANY = "*"
_NEAR = "~"


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


@dataclass(frozen=True, slots=True)
class _Step:
    """What may stand at one place of a phrase: single words, words by their beginning, phrases."""

    words: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    longer: tuple[tuple[_Step, ...], ...] = ()
    is_optional: bool = False
    is_gap: bool = False

    def has(self, word: str) -> bool:
        """Return whether a word may stand here."""
        return word in self.words or (bool(self.prefixes) and word.startswith(self.prefixes))


_GAP = _Step(is_optional=True, is_gap=True)


class WordLists:
    """Reads phrases into steps, with the lists that `<name>` stands for and one spelling."""

    def __init__(
        self, lists: Mapping[str, Sequence[str]] | None = None, spelling: str = "exact"
    ) -> None:
        self._lists = lists or {}
        self._spell = SPELLINGS[spelling]
        self._elements: dict[str, tuple[_Step, ...]] = {}
        self._choices: dict[str, tuple[_Step, ...]] = {}
        self._steps: dict[str, _Step | None] = {}

    def spell(self, text: str) -> tuple[str, ...]:
        """Return the words of a text as they are compared."""
        return tuple(self._spell(word) for word in fold_words(text))

    def read(self, text: str) -> tuple[_Step, ...]:
        """Read a phrase; raises `ValueError` if it does not begin and end with a word."""
        steps: tuple[_Step, ...] = ()
        for element in text.split():
            if element not in self._elements:
                self._elements[element] = self._read_element(element)
            steps += self._elements[element]
        if not steps or steps[0].is_gap or steps[-1].is_gap or all(s.is_optional for s in steps):
            raise ValueError(f"{text!r} is not a phrase: it begins and ends with a word")
        return steps

    def _read_element(self, element: str) -> tuple[_Step, ...]:
        """Read what stands between two spaces; without letters, it is nothing."""
        if element == _ANY:
            return (_GAP,)
        is_optional = element.startswith("(") and element.endswith(")")
        inner = element[1:-1] if is_optional else element
        if "(" in inner or ")" in inner:
            raise ValueError(f"{element!r} has parentheses inside: they go around (one|element)")
        choices = [steps for each in inner.split("|") if (steps := self._read_choice(each))]
        if len(choices) == 1 and not is_optional:
            return choices[0]
        return (_join(choices, is_optional=is_optional),) if choices else ()

    def _read_choice(self, choice: str) -> tuple[_Step, ...]:
        """Read one alternative: a list by its name, or words."""
        if choice.startswith("<") and choice.endswith(">"):
            return (self._read_list(choice[1:-1]),)
        if choice not in self._choices:
            self._choices[choice] = self._read_words(choice)
        return self._choices[choice]

    def _read_words(self, choice: str) -> tuple[_Step, ...]:
        """Read words without spaces between them, the last perhaps with any suffix or an error."""
        *first, last = self.spell(choice) or ("",)
        steps = [_Step(frozenset((word,))) for word in first]
        if not last:
            return ()
        if choice.endswith(_ANY):
            return (*steps, _Step(prefixes=(last,)))
        words = find_neighbours(last) if choice.endswith(_NEAR) else frozenset((last,))
        return (*steps, _Step(words))

    def _read_list(self, name: str) -> _Step:
        if name not in self._lists:
            near = get_close_matches(name, self._lists, 1)
            hint = f"did you mean <{near[0]}>?" if near else "list its words under [words]"
            raise ValueError(f"<{name}> is not a list of words; {hint}")
        if name not in self._steps:
            self._steps[name] = None
            self._steps[name] = _join([self.read(phrase) for phrase in self._lists[name]])
        step = self._steps[name]
        if step is None:
            raise ValueError(f"<{name}> contains itself; a list is made of words and other lists")
        return step


def _join(choices: Sequence[tuple[_Step, ...]], *, is_optional: bool = False) -> _Step:
    """Make one step of alternatives; single words are looked up, longer phrases tried in turn."""
    words: set[str] = set()
    prefixes: list[str] = []
    longer: list[tuple[_Step, ...]] = []
    for steps in choices:
        if len(steps) == 1 and not steps[0].is_optional:
            words |= steps[0].words
            prefixes += steps[0].prefixes
            longer += steps[0].longer
        else:
            longer.append(steps)
    return _Step(frozenset(words), tuple(prefixes), tuple(longer), is_optional)


@dataclass(frozen=True, slots=True)
class PhrasePattern:
    """One phrase as it is written, and its steps."""

    text: str
    steps: tuple[_Step, ...]

    @classmethod
    def parse(cls, text: str, lists: WordLists | None = None) -> PhrasePattern:
        """Parse a phrase; raises `ValueError` that says what is wrong with it."""
        return cls(text, (lists or WordLists()).read(text))

    def is_in(self, words: Sequence[str]) -> bool:
        """Return whether the phrase occurs in the words of a query."""
        return any(self.is_at(words, start) for start in range(len(words)))

    def is_at(self, words: Sequence[str], start: int) -> bool:
        """Return whether the phrase occurs in the words from a position on."""
        return _begins(self.steps, words, start)


def _begins(steps: tuple[_Step, ...], words: Sequence[str], start: int) -> bool:
    """Return whether steps match words from a position on."""
    if not steps:
        return True
    first, rest = steps[0], steps[1:]
    if first.is_gap:
        return any(_begins(rest, words, start + gap) for gap in range(_WIDEST_GAP + 1))
    if start < len(words) and first.has(words[start]) and _begins(rest, words, start + 1):
        return True
    if any(_begins((*longer, *rest), words, start) for longer in first.longer):
        return True
    return first.is_optional and _begins(rest, words, start)


def _find_firsts(steps: Sequence[_Step]) -> Iterator[_Step]:
    """Find the steps with whose words a phrase can begin."""
    for step in steps:
        yield step
        for longer in step.longer:
            yield from _find_firsts(longer)
        if not step.is_optional:
            return


@dataclass(frozen=True, slots=True)
class PhraseIndex:
    """Many phrases, found by the words that they begin with."""

    lists: WordLists
    _by_word: dict[str, list[PhrasePattern]] = field(default_factory=dict)
    _by_prefix: dict[str, list[PhrasePattern]] = field(default_factory=dict)

    @classmethod
    def make(cls, texts: Iterable[str], lists: WordLists | None = None) -> PhraseIndex:
        """Parse phrases; raises `ValueError` for one that is none."""
        index = cls(lists or WordLists())
        for text in dict.fromkeys(texts):
            pattern = PhrasePattern.parse(text, index.lists)
            for first in _find_firsts(pattern.steps):
                for word in first.words:
                    index._by_word.setdefault(word, []).append(pattern)
                for prefix in first.prefixes:
                    index._by_prefix.setdefault(prefix, []).append(pattern)
        return index

    def find(self, text: str) -> frozenset[str]:
        """Return the phrases that occur in a text, as they are written."""
        words = self.lists.spell(text)
        found: set[str] = set()
        for start, word in enumerate(words):
            for pattern in self._find_candidates(word):
                if pattern.text not in found and pattern.is_at(words, start):
                    found.add(pattern.text)
        return frozenset(found)

    def _find_candidates(self, word: str) -> Iterator[PhrasePattern]:
        yield from self._by_word.get(word, ())
        for end in range(1, len(word) + 1):
            yield from self._by_prefix.get(word[:end], ())


@lru_cache(maxsize=8192)
def spell_by_sound(word: str) -> str:
    """Return a spelling that a folded word shares with words that sound like it.

    `diiie` and `dye` are `die`, `su1cide` and `suicide` are one, and so are `quiero` and `kiero`,
    ज़िंदगी and जिन्दगी. It is not a word of any language: it is only compared.
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
            f"{word}~ is not a word of at least {_SHORTEST_CORRECTED} Latin letters: list its "
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
