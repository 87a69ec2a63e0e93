"""Sorting helpers that the readers of runs and judgments share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.keys import Keys

__all__ = ["Repeats", "find_repeats", "stable_order", "stretch_starts"]

_ROWS_AT_ONCE = 1 << 16
"""So many rows' columns stay in the processor's cache."""

_MOST_BITS = 24
"""A table with a place for each number of so many bits takes little memory."""


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
    """Find the rows whose key occurred before; keys are spread evenly over 64 bits."""
    rows = _suspects(keys)
    some = keys[rows]
    order = np.argsort(some, kind="stable")
    again = np.flatnonzero(some[order[1:]] == some[order[:-1]])
    earlier, later = rows[order[again]], rows[order[again + 1]]
    by_line = np.argsort(later)
    return Repeats(earlier[by_line], later[by_line])


def _suspects(keys: Keys) -> NDArray[np.int64]:
    """Return a few rows in their order, among them all whose key is that of another row.

    The first halves of keys sort in half the time and memory; few are equal by chance.
    """
    halves = np.empty(len(keys), dtype=np.uint32)
    np.right_shift(keys, np.uint64(32), out=halves, casting="unsafe")
    halves.sort()
    repeated = halves[1:][halves[1:] == halves[:-1]]
    if len(repeated) == 0:
        return np.empty(0, dtype=np.int64)
    # Of the rows whose half occurs once, one in 64 begins with the same bits as a repeated one.
    bits = min((64 * len(repeated)).bit_length(), _MOST_BITS)
    marked = np.zeros(1 << bits, dtype=bool)
    marked[repeated >> np.uint32(32 - bits)] = True
    rows = []
    for start in range(0, len(keys), _ROWS_AT_ONCE):
        first_bits = keys[start : start + _ROWS_AT_ONCE] >> np.uint64(64 - bits)
        rows.append(np.flatnonzero(marked[first_bits.view(np.int64)]) + start)
    return np.concatenate(rows)
