"""Hash tables from 64-bit keys to positions, and the judged rows of a run found in them.

Tables are filled and searched for whole arrays at a time. Most rows are not judged and cost one
look-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.trec_files import pair_slots, query_slots, same_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec_files import FieldColumn, Keys, Qrels, TextBlock

__all__ = ["JudgedIndex", "KeyMatches", "KeyTable", "slots_for"]

_EMPTY = -1

_QUERIES_PER_SLOT = 16
"""So many windows overlap at each slot on average that no part of the table fills up by chance."""

_CACHED_SLOTS = 1 << 18
"""A table of this many one-byte slots fits in the processor's cache."""


class KeyMatches(NamedTuple):
    """Rows whose key is in a table, and the position of that key."""

    row: NDArray[np.int64]
    position: NDArray[np.int64]

    def at(self, some: NDArray[np.bool_]) -> KeyMatches:
        """Return some of what was found."""
        return KeyMatches(self.row[some], self.position[some])


def slots_for(count: int) -> int:
    """Return a number of slots for that many keys: a power of two, at most an eighth taken."""
    return int(1 << max((8 * count).bit_length(), 16))


class KeyTable:
    """Positions of distinct keys, by open addressing: a taken slot sends a key to the next one.

    The caller says at which slot the search for a key starts (`home`), from 0 to `slots` - 1, so
    that keys searched for together can be near each other.
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

        Made for keys that are nearly all present: most are at home, only the others are searched.
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

    def find(self, keys: Keys, homes: NDArray[np.int64]) -> KeyMatches:
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
            return KeyMatches(row, row)
        return KeyMatches(np.concatenate(rows), np.concatenate(positions).astype(np.int64))


class JudgedIndex:
    """Finds queries and judgments by key, and confirms them by their bytes.

    The judgments of one query are near each other in the table, so the rows of one query,
    which are mostly adjacent, look at little memory.
    """

    def __init__(self, qrels: Qrels) -> None:
        self.qrels = qrels
        # Looked at for every block; the judgments may be many.
        self._short_queries = qrels.query_ids.is_short
        self._short_documents = qrels.documents.is_short
        self._query_slots = slots_for(len(qrels.queries))
        homes = query_slots(qrels.query_keys, self._query_slots)
        self._queries = KeyTable(qrels.query_keys, homes, self._query_slots)
        self._pair_slots = slots_for(len(qrels))
        self._window = _window(self._pair_slots, len(qrels.queries))
        homes = self._homes(qrels.query_keys[qrels.query], qrels.pair)
        self._pairs = KeyTable(qrels.pair, homes, self._pair_slots)

    def positions(
        self, block: TextBlock, ids: FieldColumn, rows: NDArray[np.int64], keys: Keys
    ) -> NDArray[np.int64]:
        """Return the position of some rows' queries among the judged ones, -1 if not judged.

        `ids` are those of all rows, `keys` those of the asked ones.
        """
        positions = self._queries.positions(keys, query_slots(keys, self._query_slots))
        if not (self._short_queries and ids.is_short):
            row = np.flatnonzero(positions >= 0)
            found = KeyMatches(row, positions[row])
            positions.fill(-1)
            verified = self._verified(found, block, ids.at(rows), self.qrels.query_ids)
            positions[verified.row] = verified.position
        return positions

    def find(
        self, block: TextBlock, queries: Keys, pairs: Keys, documents: FieldColumn
    ) -> KeyMatches:
        """Return the rows whose document is judged for a query of their key, and the judgments."""
        found = self._pairs.find(pairs, self._homes(queries, pairs))
        if self._short_documents and documents.is_short:
            return found
        return self._verified(found, block, documents, self.qrels.documents)

    def _verified(
        self, found: KeyMatches, block: TextBlock, ours: FieldColumn, theirs: FieldColumn
    ) -> KeyMatches:
        """Keep the matches whose bytes are equal too; short ids are their own keys."""
        those = theirs.at(found.position)
        return found.at(same_ids(block, ours.at(found.row), self.qrels.block, those))

    def _homes(self, queries: Keys, pairs: Keys) -> NDArray[np.int64]:
        return pair_slots(queries, pairs, self._pair_slots, self._window)


def _window(slots: int, queries: int) -> int:
    """Return how many slots the judgments of one query are spread over, a power of two."""
    if slots <= _CACHED_SLOTS:
        return slots
    share = slots * _QUERIES_PER_SLOT // max(queries, _QUERIES_PER_SLOT)
    return int(1 << (share.bit_length() - 1))
