"""Identifiers, names and words in the form they are compared in.

A programmer who looks for `LazyVGrid` types *grid* or *lazy grid*. The parts of an identifier
are found by its capitals and its separators; a run of capitals is an acronym, which gives its
last letter to the word that follows (`URLSession` is URL and Session).

The full-text tables fold case, strip diacritics from Latin letters, keep the vowel signs of
Devanagari and stem every word as English, whatever language it is in; so they do with the words
of a query, prefixes included: `compasión` is stored as `compas`, and `"hered" *` looks for
`her…`. Code that builds prefix queries must allow for this. SQLite itself is asked for the
stems (M. F. Porter, *An algorithm for suffix stripping*, 1980), so they are right by
construction. `re` does not count vowel signs as parts of words, so words are found by Unicode
categories here.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "find_identifiers",
    "find_words",
    "fold",
    "fold_name",
    "fold_words",
    "is_identifier",
    "rank_names",
    "split_identifier",
    "stem_as_index",
    "stem_words",
    "unify",
    "version_number",
]

# An acronym up to the capital that begins the next word; a word with its digits; an acronym at
# the end; digits alone. A letter that is not an ASCII capital counts as lower case.
_PART = re.compile(r"[A-Z]+(?=[A-Z][^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+\d*|[A-Z]+\d*|\d+")
_IDENTIFIER = re.compile(r"[@#_]?[^\W\d]\w*(?:\.\w+)*(?:\([\w:]*\))?")
_WORD = re.compile(r"[^\W\d]\w{1,79}")
_MARKED = re.compile(r".[A-Z]|[_.(@#]")
_CALL = re.compile(r"\(.*\)$|<.*>$", re.DOTALL)
_APOSTROPHES = re.compile(r"(?<=\w)['’](?=\w)")
_LONGEST_NAME = 200  # characters; a longer title is a sentence, which nobody types from memory


_VERSION = re.compile(r"\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_LONGEST_MAJOR = 9
"""Digits of the first part; a longer one is not a version, and does not fit into the database."""
_WORD_OF_TEXT = regex.compile(r"[\p{L}\p{N}\p{M}]++")
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


@lru_cache(maxsize=65536)
def split_identifier(name: str) -> tuple[str, ...]:
    """Split an identifier into its parts, in order, each once; single letters are left out.

    A single capital before a word belongs to it as well: `LazyVGrid` gives Lazy, VGrid, Grid.
    """
    found = list(_PART.finditer(name))
    parts: dict[str, None] = {}
    for position, match in enumerate(found):
        part = match.group()
        if len(part) > 1:
            parts[part] = None
        elif position + 1 < len(found) and match.end() == found[position + 1].start():
            whole = part + found[position + 1].group()
            if part.isupper() and len(whole) > 2:
                parts[whole] = None
    return tuple(parts)


def is_identifier(text: str) -> bool:
    """Return whether a query is an identifier of a program, not a word of a language.

    It has no spaces, and a capital inside, an underscore, a dot, parentheses, or @ or # before it.
    A capital only at the beginning may just start a sentence.
    """
    return bool(_IDENTIFIER.fullmatch(text) and _MARKED.search(text))


def find_identifiers(code: str, most: int) -> tuple[str, ...]:
    """Find the identifiers of code that are made of several words, in order, each once."""
    found = (word for word in dict.fromkeys(_WORD.findall(code)) if len(split_identifier(word)) > 1)
    return tuple(islice(found, most))


def fold_name(name: str) -> str:
    """Fold case and spaces, and drop the characters around a name: `@MainActor`, `print()`."""
    folded = " ".join(name.casefold().replace("\0", " ").split())
    folded = folded.lstrip("@#`\"'").rstrip("`\"'")
    return folded.removesuffix("()")


def rank_names(title: str, names: Iterable[str]) -> dict[str, int]:
    """Map each folded name of a page to its rank: 0 for the title, 1 for its end, 2 for others.

    `hash` ranks as high as `hash(into:)`; the end of `Unicode.Scalar` is `scalar`.
    """
    ranks: dict[str, int] = {}
    title = fold_name(title)
    base = _CALL.sub("", title)
    for name, rank in (
        (title, 0),
        (base, 0),
        (base.rsplit(".", 1)[-1] if " " not in base else "", 1),
        *((fold_name(name), 2) for name in names),
        *((_CALL.sub("", fold_name(name)), 2) for name in names),
    ):
        if name and len(name) <= _LONGEST_NAME:
            ranks.setdefault(name, rank)
    return ranks


def fold_words(text: str) -> tuple[str, ...]:
    """Split a text into folded words; `can't` is one."""
    return tuple(fold(word) for word in find_words(_APOSTROPHES.sub("", text)))


def version_number(version: str) -> int | None:
    """Turn `17`, `17.4` or `17.4.1` into a number.

    None if it does not begin with a digit, or has more digits than any version has.
    """
    match = _VERSION.match(version)
    if match is None:
        return None
    major, minor, patch = ((part or "0").lstrip("0") or "0" for part in match.groups())
    if len(major) > _LONGEST_MAJOR:
        return None
    return int(major) * 10_000 + _two_digits(minor) * 100 + _two_digits(patch)


def _two_digits(part: str) -> int:
    return int(part) if len(part) <= 2 else 99


def find_words(text: str) -> list[str]:
    """Find the words of a text as the index does, vowel signs included."""
    return _WORD_OF_TEXT.findall(text)


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
