"""Words as the index stores them: composed, folded and stemmed.

The full-text tables fold case, strip diacritics from Latin letters, keep the vowel signs of
Devanagari and stem every word as English, whatever language it is in; so they do with the words
of a query, prefixes included: `compasión` is stored as `compas`, and `"hered" *` looks for
`her…`. Code that builds prefix queries must allow for this. SQLite itself is asked for the
stems (M. F. Porter, *An algorithm for suffix stripping*, 1980), so they are right by
construction. `re` does not count vowel signs as parts of words, so words are found by Unicode
categories here.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["find_words", "fold", "stem_as_index", "stem_words", "unify"]

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]++")
_DEVANAGARI = regex.compile(r"\p{Devanagari}")
# Joiners only shape letters, soft hyphens only lines: the tokenizer would split a word at them.
_INVISIBLE = regex.compile(r"(?<=\p{Devanagari})[\u200c\u200d]|[\u00ad\u200b\u2060\ufeff]")
_TABLES = """
CREATE VIRTUAL TABLE words USING fts5(
    word, content = '', columnsize = 0,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
CREATE VIRTUAL TABLE stems USING fts5vocab(words, 'instance');
"""
_MOST_REMEMBERED = 32_768


def find_words(text: str) -> list[str]:
    """Find the words of a text as the index does, vowel signs included."""
    return _WORD.findall(text)


def unify(text: str) -> str:
    """Normalise a text: composed (NFC) and without invisible characters."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFC", text))


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """Fold case and diacritics as the index does: `Corazón` is `corazon`, `niño` is `nino`.

    In a word with Devanagari every mark is part of the spelling and stays.
    """
    word = unify(word)
    if _DEVANAGARI.search(word):
        return word
    decomposed = unicodedata.normalize("NFD", word.lower())
    bare = "".join(mark for mark in decomposed if unicodedata.category(mark) != "Mn")
    return unicodedata.normalize("NFC", bare)


def stem_as_index(word: str) -> str:
    """Return what the index stores for a folded word."""
    return stem_words((word,))[0]


def stem_words(words: Sequence[str]) -> list[str]:
    """Return what the index stores for each of many folded words, faster than one at a time."""
    return _STEMMER.stem(words)


class _Stemmer:
    """Asks SQLite's tokenizer for stems and remembers them; any thread may use it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._stems: dict[str, str] = {}

    def stem(self, words: Sequence[str]) -> list[str]:
        """Stem folded words; text that is not exactly one word to SQLite stays as it is."""
        with self._lock:
            unknown = [word for word in dict.fromkeys(words) if word not in self._stems]
            if unknown and len(self._stems) > _MOST_REMEMBERED:
                self._stems.clear()
                unknown = list(dict.fromkeys(words))
            if unknown:
                self._stems.update(self._ask(unknown))
            return [self._stems[word] for word in words]

    def _ask(self, words: Sequence[str]) -> dict[str, str]:
        """Insert words, read the terms of the table, and undo that."""
        connection = self._connection or self._open()
        found: list[list[str]] = [[] for _ in words]
        rows = ((number, word) for number, word in enumerate(words) if _is_storable(word))
        connection.execute("BEGIN")
        try:
            connection.executemany("INSERT INTO words (rowid, word) VALUES (?, ?)", rows)
            for number, term in connection.execute("SELECT doc, term FROM stems"):
                found[number].append(term)
        finally:
            connection.execute("ROLLBACK")
        return {
            word: terms[0] if len(terms) == 1 else word
            for word, terms in zip(words, found, strict=True)
        }

    def _open(self) -> sqlite3.Connection:
        self._connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False
        )
        self._connection.executescript(_TABLES)
        return self._connection


def _is_storable(word: str) -> bool:
    """Return whether SQLite can store a word: a lone surrogate is not text."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


_STEMMER = _Stemmer()
