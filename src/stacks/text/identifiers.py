"""Identifiers, names and words in the form they are compared in.

A programmer who looks for `LazyVGrid` types *grid* or *lazy grid*. The parts of an identifier
are found by its capitals and its separators; a run of capitals is an acronym, which gives its
last letter to the word that follows (`URLSession` is URL and Session).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from stacks.text.natural import find_words, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "find_identifiers",
    "fold_name",
    "fold_words",
    "is_identifier",
    "rank_names",
    "split_identifier",
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


_VERSION = re.compile(r"\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_LONGEST_MAJOR = 9
"""Digits of the first part; a longer one is not a version, and does not fit into the database."""


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
