"""All rows of a run that have something in common with some of its judged rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.trec.keys import query_slots
from cranfield.trec.tables import KeyTable, slots_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cranfield.trec.keys import Keys
    from cranfield.trec.run_tables import RunTable

__all__ = ["Sharing", "rows_sharing"]

_ROWS_AT_ONCE = 1 << 16
"""So many rows' columns stay in the processor's cache."""


class Sharing(NamedTuple):
    """Rows with the key of a group of the given rows, and the number of each one's query.

    `group_of` is the group of each given row; `first` is one given row of each group.
    """

    row: NDArray[np.int64]
    number: NDArray[np.int32]
    group: NDArray[np.int64]
    group_of: NDArray[np.int64]
    first: NDArray[np.int64]


def rows_sharing(
    table: RunTable,
    rows: NDArray[np.int64],
    number: NDArray[np.int64],
    keys_of: Callable[[NDArray[np.integer], NDArray[np.float64]], Keys],
) -> Sharing:
    """Find the rows of the same queries whose key is that of a given row, in no particular order.

    `keys_of` makes keys of query numbers and scores; `number` has those of the given rows.
    """
    keys, first, group_of = np.unique(
        keys_of(number, table.score[rows]), return_index=True, return_inverse=True
    )
    slots = slots_for(len(keys))
    groups = KeyTable(keys, query_slots(keys, slots), slots)
    asked = np.zeros(len(table.retrieved), dtype=bool)
    asked[number] = True
    row, row_number = table.rows_of(asked)
    shared, group = [], []
    for some in range(0, len(row), _ROWS_AT_ONCE):
        these = slice(some, some + _ROWS_AT_ONCE)
        row_keys = keys_of(row_number[these], table.score[row[these]])
        found = groups.find(row_keys, query_slots(row_keys, slots))
        shared.append(found.row + some)
        group.append(found.position)
    at = np.concatenate(shared)
    return Sharing(row[at], row_number[at], np.concatenate(group), group_of, first)
