"""What changed in a document since it was judged."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.judgments import Judgment

__all__ = ["ContentChange", "DiffLine", "LineState", "diff_lines"]

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
