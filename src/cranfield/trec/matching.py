"""Which rows of a run are judged, found without much work on the rows that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.trec.keys import home_slots, same_bytes
from cranfield.trec.tables import Found, KeyTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cranfield.trec.blocks import Block
    from cranfield.trec.fields import Column
    from cranfield.trec.keys import Keys
    from cranfield.trec.qrels import Qrels

__all__ = ["JudgedIndex"]

_WINDOWS_PER_SLOT = 64
"""So many queries share a slot on average that no stretch of the table fills up by chance."""


class JudgedIndex:
    """Finds the judgment of each judged row, by key and then by the bytes themselves.

    The judgments of one query stand near each other in the table, so that the rows of one
    query, which mostly come together, look at little memory.
    """

    def __init__(self, qrels: Qrels) -> None:
        self.qrels = qrels
        slots = KeyTable.slots_for(len(qrels))
        window = _WINDOWS_PER_SLOT * slots // max(len(qrels.queries), _WINDOWS_PER_SLOT)
        self._window_bits = window.bit_length() - 1
        self._table = KeyTable(slots)
        self._table.add(qrels.pair, self._homes(qrels.query_key, qrels.pair))

    def find(self, block: Block, queries: Keys, pairs: Keys, documents: Column) -> Found:
        """Return the rows whose document is judged for their query, and the judgments."""
        row, judgment = self._table.find(pairs, self._homes(queries, pairs))
        theirs = self.qrels.documents.at(judgment)
        # An equal key with other bytes would be another document.
        same = same_bytes(block, documents.at(row), self.qrels.block, theirs)
        return Found(row[same], judgment[same])

    def _homes(self, queries: Keys, pairs: Keys) -> NDArray[np.int64]:
        return home_slots(queries, pairs, self._table.slots, self._window_bits)
