"""Byte strings as 64-bit numbers, and pairs of them as one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cranfield.trec.blocks import Block
    from cranfield.trec.fields import Column

__all__ = [
    "SHARED_KEY",
    "Keys",
    "check_stretches",
    "document_keys",
    "field_keys",
    "pair_keys",
    "pair_slots",
    "query_slots",
    "same_bytes",
    "same_ids",
]

Keys: TypeAlias = NDArray[np.uint64]

# Odd multipliers: multiplying by one is a bijection of 64-bit numbers.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_UNSPREAD = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
_QUERY = np.uint64(0xD6E8FEB86659FD93)
_FOLD = np.uint64(0xA0761D6478BD642F)
_HALF = np.uint64(32)

SHARED_KEY = "two ids share a 64-bit key, which chance never does; please report these files"

_FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
"""Masks that keep the first 0 to 8 bytes of a word."""


def field_keys(block: Block, column: Column) -> Keys:
    """Return a key for each field: the bytes themselves up to eight of them, beyond that a hash."""
    keys = _word(block, column, 0)
    for at in range(8, int(column.length.max(initial=0)), 8):
        longer = np.flatnonzero(column.length > at)
        # Scatter what came before over all 64 bits, so that the next word cannot undo it.
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


def same_bytes(left: Block, these: Column, right: Block, those: Column) -> NDArray[np.bool_]:
    """Tell, row by row, whether two fields of two blocks hold the same bytes."""
    same = np.equal(these.length, those.length)
    for at in range(0, int(these.length.max(initial=0)), 8):
        same &= _word(left, these, at) == _word(right, those, at)
    return same


def same_ids(left: Block, these: Column, right: Block, those: Column) -> NDArray[np.bool_]:
    """Tell, row by row, whether ids with equal keys are equal.

    Ids of up to eight bytes are their own key: of these only the lengths are compared.
    """
    same = np.equal(these.length, those.length)
    long = np.flatnonzero(these.length > 8)
    if len(long):
        same[long] &= same_bytes(left, these.at(long), right, those.at(long))
    return same


def check_stretches(block: Block, column: Column, starts: NDArray[np.int64]) -> None:
    """Make sure that the rows of each stretch of equal keys hold equal ids."""
    if column.is_short:
        return
    first = np.repeat(starts, np.diff(starts, append=len(column.start)))
    different = np.flatnonzero(~same_ids(block, column, block, column.at(first)))
    if len(different):
        raise block.error(int(column.start[different[0]]), SHARED_KEY)


def _word(block: Block, column: Column, at: int) -> Keys:
    """Load the eight bytes from place `at` of each field, 0 beyond its end."""
    if at == 0:
        return block.words_from(column.start) & _FIRST_BYTES[np.minimum(column.length, 8)]
    # Fields shorter than `at` load whatever follows them, which the mask then removes.
    kept = np.clip(column.length - at, 0, 8)
    return block.words_from(column.start + np.minimum(at, column.length)) & _FIRST_BYTES[kept]
