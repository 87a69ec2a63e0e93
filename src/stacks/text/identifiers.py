"""Identifiers as people remember them: whole, and in parts.

A programmer who looks for `LazyVGrid` types *grid* or *lazy grid*. The parts of an identifier
are found by its capitals and its separators; a run of capitals is an acronym, which gives its
last letter to the word that follows (`URLSession` is URL and Session).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

__all__ = ["find_identifiers", "is_identifier", "split_identifier"]

# An acronym up to the capital that begins the next word; a word with its digits; an acronym at
# the end; digits alone. A letter that is no ASCII capital counts as small.
_PART = re.compile(r"[A-Z]+(?=[A-Z][^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+\d*|[A-Z]+\d*|\d+")
_IDENTIFIER = re.compile(r"[@#_]?[^\W\d]\w*(?:\.\w+)*(?:\([\w:]*\))?")
_WORD = re.compile(r"[^\W\d]\w{1,79}")
_MARKED = re.compile(r".[A-Z]|[_.(@#]")


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
    """Tell whether a query is one name of a program, not a word of a language.

    It has no spaces, and a capital inside, an underscore, a dot, parentheses, or @ or # before it.
    A capital at the beginning alone may be a word at the beginning of a sentence.
    """
    return bool(_IDENTIFIER.fullmatch(text) and _MARKED.search(text))


def find_identifiers(code: str, most: int) -> tuple[str, ...]:
    """Find the identifiers of code that are made of several words, in order, each once."""
    found = (word for word in dict.fromkeys(_WORD.findall(code)) if len(split_identifier(word)) > 1)
    return tuple(islice(found, most))
