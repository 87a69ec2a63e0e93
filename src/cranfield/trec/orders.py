"""Sorting helpers that the readers of runs and judgments share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.keys import Keys

__all__ = ["Repeats", "find_repeats", "stable_order", "stretch_starts"]


class Repeats(NamedTuple):
    """Rows that have the key of an earlier row, in the order of the file, and those rows."""

    earlier: NDArray[np.int64]
    later: NDArray[np.int64]


def stable_order(numbers: NDArray[np.integer], below: int) -> NDArray[np.int64]:
    """Return the order that sorts numbers from 0 to `below` - 1 and keeps equals as they are."""
    # numpy sorts 16-bit numbers by radix, in linear time.
    narrow = numbers.astype(np.uint16) if below <= 1 << 16 else numbers
    return np.argsort(narrow, kind="stable")


def stretch_starts(keys: Keys) -> NDArray[np.int64]:
    """Return the first row of each stretch of equal keys."""
    new = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return np.flatnonzero(new)


def find_repeats(keys: Keys) -> Repeats:
    """Find the rows whose key occurred before."""
    in_order = np.sort(keys)
    if not np.any(in_order[1:] == in_order[:-1]):
        return Repeats(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    earlier, later = order[again], order[again + 1]
    by_line = np.argsort(later)
    return Repeats(earlier[by_line], later[by_line])
