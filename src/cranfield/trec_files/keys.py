"""Ids as 64-bit keys, pairs of them as one key, and rows whose keys are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from cranfield.trec_files.fields import FieldColumn
    from cranfield.trec_files.text_blocks import TextBlock

__all__ = [
    "SHARED_KEY",
    "Keys",
    "Repeats",
    "check_stretches",
    "document_keys",
    "field_keys",
    "find_duplicate",
    "find_repeats",
    "pair_keys",
    "pair_slots",
    "query_slots",
    "same_bytes",
    "same_ids",
    "stretch_starts",
]

Keys: TypeAlias = NDArray[np.uint64]
Identify: TypeAlias = "Callable[[list[int]], Iterable[Hashable]]"
"""Returns what rows, given in ascending order, say: equal if they are the same."""

# Odd multipliers: multiplying by one is a bijection of 64-bit numbers.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_UNSPREAD = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
_QUERY = np.uint64(0xD6E8FEB86659FD93)
_FOLD = np.uint64(0xA0761D6478BD642F)
_HALF = np.uint64(32)

SHARED_KEY = "two ids share a 64-bit key, which chance never does; please report these files"

_FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
"""Masks that keep the first 0 to 8 bytes of a word."""

_ROWS_AT_ONCE = 1 << 16
"""The columns of this many rows stay in the processor's cache."""

_FEWEST_READ = 64
_READ_MORE = 32
"""How many repeats are looked at, and how many times as many if none was a duplicate."""

_MOST_BITS = 24
"""A table with an entry for each number of this many bits takes little memory."""


def field_keys(block: TextBlock, column: FieldColumn) -> Keys:
    """Return a key for each field: the bytes themselves up to eight of them, beyond that a hash."""
    keys = _word(block, column, 0)
    for at in range(8, int(column.length.max(initial=0)), 8):
        longer = np.flatnonzero(column.length > at)
        # Scatter what came before over all 64 bits, so the next word cannot undo it.
        scattered = keys[longer] * _FOLD
        scattered ^= scattered >> _HALF
        keys[longer] = (scattered * _SPREAD) ^ _word(block, column.at(longer), at)
    return keys


def pair_keys(queries: Keys, documents: Keys) -> Keys:
    """Return one key for each query and document together, spread evenly over 64 bits."""
    return (documents ^ (queries * _QUERY)) * _SPREAD


def document_keys(pairs: Keys, queries: Keys) -> Keys:
    """Undo `pair_keys`: return the documents' keys."""
    return (pairs * _UNSPREAD) ^ (queries * _QUERY)


def query_slots(queries: Keys, slots: int) -> NDArray[np.int64]:
    """Return a slot of a table for each query."""
    return ((queries * _QUERY) >> np.uint64(65 - slots.bit_length())).view(np.int64)


def pair_slots(queries: Keys, pairs: Keys, slots: int, window: int) -> NDArray[np.int64]:
    """Return a slot for each pair: the query chooses a window of slots, the pair one within it."""
    if window == slots:
        return (pairs >> np.uint64(65 - slots.bit_length())).view(np.int64)
    home = query_slots(queries, slots)
    home += (pairs >> np.uint64(65 - window.bit_length())).view(np.int64)
    home &= slots - 1
    return home


def same_bytes(
    left: TextBlock, these: FieldColumn, right: TextBlock, those: FieldColumn
) -> NDArray[np.bool_]:
    """Return, row by row, whether two fields of two blocks hold the same bytes."""
    same = np.equal(these.length, those.length)
    for at in range(0, int(these.length.max(initial=0)), 8):
        same &= _word(left, these, at) == _word(right, those, at)
    return same


def same_ids(
    left: TextBlock, these: FieldColumn, right: TextBlock, those: FieldColumn
) -> NDArray[np.bool_]:
    """Return, row by row, whether ids with equal keys are equal.

    Ids of up to eight bytes are their own key: of these only the lengths are compared.
    """
    same = np.equal(these.length, those.length)
    long = np.flatnonzero(these.length > 8)
    if len(long):
        same[long] &= same_bytes(left, these.at(long), right, those.at(long))
    return same


def check_stretches(block: TextBlock, column: FieldColumn, starts: NDArray[np.int64]) -> None:
    """Check that the rows of each stretch of equal keys hold equal ids."""
    if column.is_short:
        return
    first = np.repeat(starts, np.diff(starts, append=len(column.start)))
    different = np.flatnonzero(~same_ids(block, column, block, column.at(first)))
    if len(different):
        raise block.error(int(column.start[different[0]]), SHARED_KEY)


class Repeats(NamedTuple):
    """Rows that have the key of an earlier row, in the order of the file, and those rows."""

    earlier: NDArray[np.int64]
    later: NDArray[np.int64]


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


def find_duplicate(repeats: Repeats, identify: Identify) -> int | None:
    """Return the first row that is an earlier one again, by what both rows say; None if none is.

    Between two equal rows there may be others that only share their key, so each is compared
    with all before it. Without such rows the first repeat is a duplicate: few are read at first.
    """
    read = _FEWEST_READ
    while True:
        # Of so few rows; np.unique would load numpy's masked arrays.
        rows = sorted({*repeats.earlier[:read].tolist(), *repeats.later[:read].tolist()})
        before: set[Hashable] = set()
        for row, identity in zip(rows, identify(rows), strict=True):
            if identity in before:
                return int(row)
            before.add(identity)
        if read >= len(repeats.later):
            return None
        read *= _READ_MORE


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


def _word(block: TextBlock, column: FieldColumn, at: int) -> Keys:
    """Load the eight bytes from offset `at` of each field, 0 beyond its end."""
    if at == 0:
        return block.words_from(column.start) & _FIRST_BYTES[np.minimum(column.length, 8)]
    # Fields shorter than `at` load whatever follows them, which the mask then removes.
    kept = np.clip(column.length - at, 0, 8)
    return block.words_from(column.start + np.minimum(at, column.length)) & _FIRST_BYTES[kept]
