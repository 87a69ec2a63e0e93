"""The words of a query in a text, so that raters see at a glance why it was found."""

from __future__ import annotations

from typing import NamedTuple

import regex

__all__ = ["TextPart", "split_matches"]

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}_]+")
_SHORTEST = 3
_SHORTEST_STEM = 4


class TextPart(NamedTuple):
    """A piece of a text; `matches` if it is a word of the query."""

    text: str
    matches: bool


def split_matches(text: str, query: str) -> list[TextPart]:
    """Split a text at the words that begin as words of the query do; the parts join to the text.

    Words of one or two characters are left alone, unless the query has no other.
    """
    words = [found.casefold() for found in _WORD.findall(query)]
    wanted = {word for word in words if len(word) >= _SHORTEST} or set(words)
    parts: list[TextPart] = []
    start = 0
    for found in _WORD.finditer(text):
        if _is_wanted(found.group().casefold(), wanted):
            if found.start() > start:
                parts.append(TextPart(text[start : found.start()], matches=False))
            parts.append(TextPart(found.group(), matches=True))
            start = found.end()
    if start < len(text):
        parts.append(TextPart(text[start:], matches=False))
    return parts


def _is_wanted(word: str, wanted: set[str]) -> bool:
    """Return whether a word is wanted, or differs from one by an ending (-s, -ed, -ing)."""
    if word in wanted:
        return True
    return any(
        min(len(word), len(each)) >= _SHORTEST_STEM
        and abs(len(word) - len(each)) <= 3
        and (word.startswith(each) or each.startswith(word))
        for each in wanted
    )
