"""Hash tables from 64-bit keys to positions, filled and asked for whole arrays at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.keys import Keys

__all__ = ["Found", "KeyTable", "slots_for"]

_EMPTY = -1


class Found(NamedTuple):
    """Rows whose key is in a table, and the position of that key."""

    row: NDArray[np.int64]
    position: NDArray[np.int64]

    def at(self, some: NDArray[np.bool_]) -> Found:
        """Return some of what was found."""
        return Found(self.row[some], self.position[some])


def slots_for(count: int) -> int:
    """Return a number of slots for that many keys: a power of two, at most an eighth taken."""
    return int(1 << max((8 * count).bit_length(), 16))


class KeyTable:
    """Positions of distinct keys, by open addressing: a taken slot sends a key to the next one.

    The caller says at which slot the search for a key starts (`home`), from 0 to `slots` - 1, so
    that keys asked for together can stand together.
    """

    def __init__(self, keys: Keys, homes: NDArray[np.int64], slots: int) -> None:
        self._keys = keys
        self._slots = slots
        self._table = np.full(slots, _EMPTY, dtype=np.int32)
        # One byte a slot: most questions are answered here, in a quarter of the memory.
        self._taken = np.zeros(slots, dtype=bool)
        waiting, at = np.arange(len(keys), dtype=np.int32), homes
        while len(waiting):
            free = np.flatnonzero(self._table[at] == _EMPTY)
            self._table[at[free]] = waiting[free]
            self._taken[at[free]] = True
            # Of several keys put into one slot the last one stays.
            left = self._table[at] != waiting
            waiting, at = waiting[left], (at[left] + 1) & (self._slots - 1)

    def positions(self, keys: Keys, homes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the position of each key, -1 for one that is not in the table.

        Made for keys that are nearly all there: most are at home, and only the others searched.
        """
        if len(self._keys) == 0:
            return np.full(len(keys), _EMPTY, dtype=np.int64)
        positions: NDArray[np.int64] = self._table[homes].astype(np.int64)
        # An empty slot leads to the last key, which is not at home there and differs.
        elsewhere = np.flatnonzero(self._keys[positions] != keys)
        if len(elsewhere):
            found = self.find(keys[elsewhere], homes[elsewhere])
            positions[elsewhere] = _EMPTY
            positions[elsewhere[found.row]] = found.position
        return positions

    def find(self, keys: Keys, homes: NDArray[np.int64]) -> Found:
        """Return the rows whose key is in the table, in no particular order."""
        row = np.flatnonzero(self._taken[homes])
        at = homes[row]
        rows, positions = [], []
        while len(row):
            position = self._table[at]
            equal = self._keys[position] == keys[row]
            rows.append(row[equal])
            positions.append(position[equal])
            at = (at + 1) & (self._slots - 1)
            row, at = row[~equal], at[~equal]
            going_on = self._taken[at]
            row, at = row[going_on], at[going_on]
        if not rows:
            return Found(row, row)
        return Found(np.concatenate(rows), np.concatenate(positions).astype(np.int64))
