"""Tables of keys find every key, however many start at the same slot, and no other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.trec.judged_index import KeyTable

SLOTS = 64
KEYS = st.sets(st.integers(0, 40), max_size=20)


@given(present=KEYS, absent=KEYS, crowding=st.sampled_from([1, 3, SLOTS]))
def test_keys_that_share_a_home_are_all_found(
    present: set[int], absent: set[int], crowding: int
) -> None:
    """All homes are near the last slot, so keys go on at the first one."""

    def homes_of(keys: np.ndarray) -> np.ndarray:
        return (SLOTS - 2 + keys.astype(np.int64) % crowding) % SLOTS

    keys = np.array(sorted(present), dtype=np.uint64)
    asked = np.array(sorted(present | absent), dtype=np.uint64)
    table = KeyTable(keys, homes_of(keys), SLOTS)
    expected = [sorted(present).index(key) if key in present else -1 for key in asked.tolist()]
    assert table.positions(asked, homes_of(asked)).tolist() == expected
    found = table.find(asked, homes_of(asked))
    assert dict(zip(found.row.tolist(), found.position.tolist(), strict=True)) == {
        row: position for row, position in enumerate(expected) if position >= 0
    }
