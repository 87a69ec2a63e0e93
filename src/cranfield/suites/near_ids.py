"""Ids that are nearly the same: written in another way, or misspelt."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import regex

from cranfield_shared.names import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["KnownIds", "fold_id"]

_MOST_COMPARED = 2000
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
        near = near_names(folded, similar[:_MOST_COMPARED], 1)
        return self._by_folded[near[0]] if near else ""


def _last_part(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2]


def _may_be(one: str, other: str) -> bool:
    """Return whether two folded ids are of similar length, and begin or end alike."""
    close = abs(len(one) - len(other)) <= max(3, len(other) // 4)
    return close and (one[:2] == other[:2] or one[-3:] == other[-3:])
