"""How queries are split into those that tune and those that are held out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.sweeps.samples import make_table

from cranfield.sweeps.sweep_plan import fold_queries, hold_out, is_too_small

SIZES = st.dictionaries(
    st.tuples(st.sampled_from(["one", "two"]), st.sampled_from(["", "odd", "even"])),
    st.integers(1, 30),
    min_size=1,
)


@given(SIZES, st.floats(0.1, 0.9), st.integers(0, 1000))
def test_every_category_gives_its_share_within_one_query(
    sizes: dict[tuple[str, str], int], share: float, seed: int
) -> None:
    table = make_table(sizes)
    held = hold_out(table, share, seed)
    for rows in table.groups().values():
        assert abs(float(np.sum(held[rows])) - share * len(rows)) <= 1.0
    for suite in table.suite_ids:
        own = table.of_suite(suite)
        assert abs(float(np.sum(held & own)) - share * int(np.sum(own))) <= 1.0


@given(SIZES, st.integers(2, 6), st.integers(0, 1000))
def test_folds_differ_by_at_most_one_query_in_each_category(
    sizes: dict[tuple[str, str], int], folds: int, seed: int
) -> None:
    table = make_table(sizes)
    found = fold_queries(table, folds, seed)
    for rows in table.groups().values():
        counts = np.bincount(found[rows], minlength=folds)
        assert counts.max() - counts.min() <= 1
    whole = np.bincount(found, minlength=folds)
    assert whole.max() - whole.min() <= 1


def test_the_seed_decides_the_split_and_nothing_else_does() -> None:
    table = make_table({("one", "odd"): 20, ("one", "even"): 20})
    assert np.array_equal(hold_out(table, 0.5, 1), hold_out(table, 0.5, 1))
    assert not np.array_equal(hold_out(table, 0.5, 1), hold_out(table, 0.5, 2))


def test_a_suite_with_fewer_than_twenty_held_out_is_too_small() -> None:
    table = make_table({("big", ""): 60, ("small", ""): 38})
    assert is_too_small(table, hold_out(table, 0.5, 1)) == "small"
    assert is_too_small(table, hold_out(table, 0.6, 1)) == ""
