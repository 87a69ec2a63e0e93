"""Keys that occur twice are found, and none that only look alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.trec_files import keys as keys_module
from cranfield.trec_files.keys import find_repeats, pair_slots, query_slots

ALIKE = [first << 32 | last for first in (0, 1, 2**31, 2**32 - 1) for last in (0, 1, 2**32 - 1)]


@given(st.lists(st.one_of(st.sampled_from(ALIKE), st.integers(0, 2**64 - 1)), max_size=30))
def test_repeats_are_the_rows_whose_key_came_before(keys: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys_module, "_ROWS_AT_ONCE", 4)
        earlier, later = find_repeats(np.array(keys, dtype=np.uint64))
    again = [row for row, key in enumerate(keys) if key in keys[:row]]
    assert later.tolist() == again
    assert [keys[row] for row in earlier.tolist()] == [keys[row] for row in again]
    assert all(first < second for first, second in zip(earlier, later, strict=True))


def test_more_repeats_than_the_table_of_beginnings_has_room_for() -> None:
    keys = np.arange(400_000, dtype=np.uint64) << np.uint64(40)
    earlier, later = find_repeats(np.concatenate((keys, keys)))
    assert earlier.tolist() == list(range(400_000))
    assert later.tolist() == list(range(400_000, 800_000))


@given(
    queries=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20),
    pairs=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20),
    window=st.sampled_from([1 << 4, 1 << 10, 1 << 16]),
)
def test_the_pairs_of_a_query_share_a_window_of_slots(
    queries: list[int], pairs: list[int], window: int
) -> None:
    slots = 1 << 16
    for query in queries:
        asked = np.full(len(pairs), query, dtype=np.uint64)
        found = pair_slots(asked, np.array(pairs, dtype=np.uint64), slots, window)
        assert np.all((found >= 0) & (found < slots))
        first = 0 if window == slots else int(query_slots(asked[:1], slots)[0])
        assert np.all((found - first) % slots < window)
