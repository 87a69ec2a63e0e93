"""Which rows of a run are judged, found without much work on the rows that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.trec.keys import pair_slots, query_slots, same_ids
from cranfield.trec.tables import Found, KeyTable, slots_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.blocks import Block
    from cranfield.trec.fields import Column
    from cranfield.trec.keys import Keys
    from cranfield.trec.qrels import Qrels

__all__ = ["JudgedIndex"]

_QUERIES_PER_SLOT = 16
"""So many windows hold each slot on average that no part of the table fills up by chance."""

_CACHED_SLOTS = 1 << 18
"""A table of so many one-byte slots stays in the processor's cache as a whole."""


class JudgedIndex:
    """Finds queries and judgments by key, and makes sure of judgments by their bytes.

    The judgments of one query stand near each other in the table, so that the rows of one
    query, which mostly come together, look at little memory.
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
        self, block: Block, ids: Column, rows: NDArray[np.int64], keys: Keys
    ) -> NDArray[np.int64]:
        """Return the position of some rows' queries among the judged ones, -1 if not judged.

        `ids` are those of all rows, `keys` those of the asked ones.
        """
        positions = self._queries.positions(keys, query_slots(keys, self._query_slots))
        if not (self._short_queries and ids.is_short):
            row = np.flatnonzero(positions >= 0)
            found = Found(row, positions[row])
            positions.fill(-1)
            verified = self._verified(found, block, ids.at(rows), self.qrels.query_ids)
            positions[verified.row] = verified.position
        return positions

    def find(self, block: Block, queries: Keys, pairs: Keys, documents: Column) -> Found:
        """Return the rows whose document is judged for a query of their key, and the judgments."""
        found = self._pairs.find(pairs, self._homes(queries, pairs))
        if self._short_documents and documents.is_short:
            return found
        return self._verified(found, block, documents, self.qrels.documents)

    def _verified(self, found: Found, block: Block, ours: Column, theirs: Column) -> Found:
        """Keep what is found by key and is equal by its bytes; short ids are their own keys."""
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
