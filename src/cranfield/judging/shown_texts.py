"""What raters see of a text: the words of the query in it, and what changed since it was judged."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.judgments import Judgment

__all__ = [
    "ContentChange",
    "DiffLine",
    "LineState",
    "TextPart",
    "diff_lines",
    "split_matches",
]

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


_MOST_LINES = 2000
"""Lines of a text that are compared one by one; the time grows with their square."""


class LineState(StrEnum):
    """Whether a line is in both texts, or in one of them."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


class DiffLine(NamedTuple):
    """A line of a diff."""

    state: LineState
    text: str


@dataclass(frozen=True, slots=True)
class ContentChange:
    """A document that was judged with other content: the judgment, and both texts.

    `before` is None if the text that was judged is not known any more.
    """

    judgment: Judgment
    before: str | None
    after: str

    @property
    def lines(self) -> tuple[DiffLine, ...]:
        """The lines of both texts, in order; none if the earlier text is not known."""
        return () if self.before is None else diff_lines(self.before, self.after)


def diff_lines(before: str, after: str) -> tuple[DiffLine, ...]:
    """Compare two texts line by line.

    The beginning and the end that both share are kept; if more is between than can be compared,
    all of it is replaced.
    """
    old, new = before.splitlines(), after.splitlines()
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    between = _compare(old[start : len(old) - end], new[start : len(new) - end])
    return (
        *_all(LineState.KEPT, old[:start]),
        *between,
        *_all(LineState.KEPT, new[len(new) - end :]),
    )


def _shared(old: list[str], new: list[str]) -> int:
    """Count the lines with which both begin."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(old), len(new)))


def _compare(old: list[str], new: list[str]) -> Iterator[DiffLine]:
    if max(len(old), len(new)) > _MOST_LINES:
        yield from _all(LineState.REMOVED, old)
        yield from _all(LineState.ADDED, new)
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            yield from _all(LineState.KEPT, old[first:last])
        else:
            yield from _all(LineState.REMOVED, old[first:last])
            yield from _all(LineState.ADDED, new[start:end])


def _all(state: LineState, lines: list[str]) -> Iterator[DiffLine]:
    return (DiffLine(state, line) for line in lines)
