"""How many hits rank above each judged one, and how many have its score."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.trec.judged_index import KeyTable, slots_for
from cranfield.trec_files import query_slots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cranfield.trec.run_table import RunTable, StretchQueries
    from cranfield.trec_files import Keys

__all__ = [
    "JudgedHits",
    "RankCounts",
    "SharedRows",
    "count_ranks",
    "find_shared_rows",
]

_ROWS_AT_ONCE = 1 << 15
"""The columns of this many rows stay in the processor's cache."""

_ROWS_A_PART = 1 << 19
_ROWS_A_JUDGED = 3
"""A part with fewer rows for each judged one would be sorted sooner than searched."""

_SIGN = np.uint64(1 << 63)
_SHARED_AT_ONCE = 1 << 16
"""The columns of this many rows stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHits:
    """The judged rows of a run: the rank of each, and what it is tied with.

    `above` counts the hits of its query with a higher score, `tied` those with the same score,
    itself included; `tie_position` is its position among these, from 0.
    """

    judgment: NDArray[np.int64]
    above: NDArray[np.int64]
    tied: NDArray[np.int64]
    tie_position: NDArray[np.int64]

    @staticmethod
    def joined(parts: Sequence[JudgedHits]) -> JudgedHits:
        """Put the hits of the parts of a run together."""
        columns = ((each.judgment, each.above, each.tied, each.tie_position) for each in parts)
        return JudgedHits(*map(np.concatenate, zip(*columns, strict=True)))

    def at(self, some: NDArray[np.int64]) -> JudgedHits:
        """Return some of the hits."""
        return JudgedHits(
            self.judgment[some], self.above[some], self.tied[some], self.tie_position[some]
        )


@dataclass(frozen=True, slots=True, eq=False)
class RankCounts:
    """For each judged row, how many rows of its query have a higher score and how many its own.

    `shared` has the rows that share query and score with the tied judged ones, if they had to be
    found.
    """

    above: NDArray[np.int64]
    tied: NDArray[np.int64]
    shared: SharedRows | None = None


class SharedRows(NamedTuple):
    """Rows with the key of a group of the given rows, and the index of each one's query.

    `group_of` is the group of each given row; `first` is one given row of each group.
    """

    row: NDArray[np.int64]
    query: NDArray[np.int32]
    group: NDArray[np.int64]
    group_of: NDArray[np.int64]
    first: NDArray[np.int64]


def count_ranks(table: RunTable, query: NDArray[np.int64]) -> RankCounts:
    """Count the rows above and level with each judged row; `query` is the index of its query.

    In a file that is in order, a row with other scores before and after it ranks where it is, and
    others are looked up in the falling scores of their query. In another file all rows are counted.
    """
    row = table.judged_row
    groups = table.groups
    if groups is None or not _is_falling(table.score, groups):
        return _count_unordered(table, query)
    start, size = groups.first_rows(len(table.retrieved))[query], table.retrieved[query]
    above, tied = row - start, np.ones(len(row), dtype=np.int64)
    score, last = table.score, len(table.score) - 1
    unsure = np.flatnonzero(
        ((score[np.maximum(row - 1, 0)] == score[row]) & (above > 0))
        | ((score[np.minimum(row + 1, last)] == score[row]) & (above < size - 1))
    )
    found = _look_up(score, score[row[unsure]], start[unsure], size[unsure])
    above[unsure], tied[unsure] = found.above, found.tied
    return RankCounts(above, tied)


def _is_falling(score: NDArray[np.float64], groups: StretchQueries) -> bool:
    """Return whether the scores of each query never rise."""
    rises = score[1:] > score[:-1]
    rises[groups.start[1:] - 1] = False
    return not rises.any()


def _look_up(
    falling: NDArray[np.float64],
    score: NDArray[np.float64],
    start: NDArray[np.int64],
    size: NDArray[np.int64],
) -> RankCounts:
    above = _count_until(falling, score, start, size, np.greater)
    tied = np.ones(len(score), dtype=np.int64)
    following = start + above + 1
    same = falling[np.minimum(following, len(falling) - 1)] == score
    more = np.flatnonzero(same & (above + 1 < size))
    not_below = _count_until(falling, score[more], start[more], size[more], np.greater_equal)
    tied[more] = not_below - above[more]
    return RankCounts(above, tied)


def _count_until(
    falling: NDArray[np.float64],
    score: NDArray[np.float64],
    start: NDArray[np.int64],
    size: NDArray[np.int64],
    compares: np.ufunc,
) -> NDArray[np.int64]:
    """Count by bisection the leading scores of each query that compare so to the given one."""
    low, high = start.copy(), start + size
    for _ in range(int(size.max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        # A finished search has low = high and looks at a row that no longer matters.
        going_on = compares(falling[np.minimum(middle, len(falling) - 1)], score) & (low < high)
        low = np.where(going_on, middle + 1, low)
        high = np.where(going_on, high, np.minimum(high, middle))
    return low - start


def _count_unordered(table: RunTable, query: NDArray[np.int64]) -> RankCounts:
    """Count the rows above and level with each judged row; `query` is the index of its query."""
    row = table.judged_row
    if len(row) == 0:
        return RankCounts(row, row)
    levels = _levels(table)
    own = levels.of(query, table.score[row])
    order = np.argsort(own)
    counts = _count_parts(table, levels, own[order])
    above, tied = np.empty(len(row), dtype=np.int64), np.empty(len(row), dtype=np.int64)
    above[order] = np.cumsum(table.retrieved)[query[order]] - counts.not_above
    tied[order] = counts.equal
    ranked = RankCounts(above, tied)
    return _split_levels(table, levels, query, ranked) if levels.cut else ranked


class _Levels(NamedTuple):
    """How query and score become one number: by query, then by score, both rising.

    A score counts from the lowest one. Its last bits, `cut` of them, are left out if there is
    no room for all.
    """

    lowest: np.uint64
    score_bits: np.uint64
    cut: np.uint64

    def of(self, query: NDArray[np.integer], score: NDArray[np.float64]) -> Keys:
        """Return the level of each row."""
        return (query.astype(np.uint64) << self.score_bits) | (self._steps(score) >> self.cut)

    def within(self, score: NDArray[np.float64]) -> Keys:
        """Return what the level of each row leaves out of its score."""
        return self._steps(score) & ((np.uint64(1) << self.cut) - np.uint64(1))

    def _steps(self, score: NDArray[np.float64]) -> Keys:
        return _rising(score) - self.lowest


class _Counts(NamedTuple):
    """How many rows are not above each of the judged levels, and how many equal to it."""

    not_above: NDArray[np.int32]
    equal: NDArray[np.int32]


def _levels(table: RunTable) -> _Levels:
    lowest, highest = _rising(np.array([table.score.min(), table.score.max()])).tolist()
    score_bits = (highest - lowest).bit_length()
    query_bits = (len(table.retrieved) - 1).bit_length()
    cut = max(score_bits + query_bits - 64, 0)
    return _Levels(np.uint64(lowest), np.uint64(score_bits - cut), np.uint64(cut))


def _rising(score: NDArray[np.float64]) -> Keys:
    """Return whole numbers in the order of the scores."""
    # Adding 0 makes -0.0, which equals 0.0, the same bits.
    bits = (score + 0.0).view(np.uint64)
    # The bits of a negative number rise as it falls.
    bits ^= (bits.view(np.int64) >> 63).view(np.uint64) | _SIGN
    return bits


def _count_parts(table: RunTable, levels: _Levels, judged: Keys) -> _Counts:
    """Count all rows, in parts that do not take much memory."""
    size = max(_ROWS_A_PART, _ROWS_A_JUDGED * len(judged))
    starts = range(0, len(table.score), size)
    total = _no_counts(len(judged))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for part in pool.map(partial(_count_part, table, levels, judged, size), starts):
            np.add(total.not_above, part.not_above, out=total.not_above)
            np.add(total.equal, part.equal, out=total.equal)
    return total


def _no_counts(judged: int) -> _Counts:
    return _Counts(np.zeros(judged, dtype=np.int32), np.zeros(judged, dtype=np.int32))


def _count_part(table: RunTable, levels: _Levels, judged: Keys, size: int, start: int) -> _Counts:
    rows = np.empty(min(size, len(table.score) - start), dtype=np.uint64)
    for some in range(0, len(rows), _ROWS_AT_ONCE):
        end = min(some + _ROWS_AT_ONCE, len(rows))
        query = table.queries.between(start + some, start + end)
        rows[some:end] = levels.of(query, table.score[start + some : start + end])
    rows.sort()
    counts = _no_counts(len(judged))
    for some in range(0, len(judged), _ROWS_AT_ONCE):
        these = slice(some, some + _ROWS_AT_ONCE)
        counts.not_above[these], counts.equal[these] = _count_among(rows, judged[these])
    return counts


def _count_among(rows: Keys, judged: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the rows, sorted by level, that are not above a judged level, and its equals."""
    not_above = np.searchsorted(rows, judged, side="right")
    # Most levels are those of one row or of none in this part: a look at two rows is enough.
    equal = (rows[not_above - 1] == judged).astype(np.int64)
    more = np.flatnonzero(equal)
    more = more[rows[not_above[more] - 2] == judged[more]]
    equal[more] = not_above[more] - np.searchsorted(rows, judged[more])
    return not_above, equal


def _split_levels(
    table: RunTable, levels: _Levels, query: NDArray[np.int64], counts: RankCounts
) -> RankCounts:
    """Count again among the rows of one level, by what the level leaves out of the scores."""
    unsure = np.flatnonzero(counts.tied > 1)
    if len(unsure) == 0:
        return counts
    row = table.judged_row[unsure]
    shared = find_shared_rows(table, row, query[unsure], levels.of)
    rest = levels.within(table.score[shared.row])
    if np.array_equal(rest, levels.within(table.score[row[shared.first]])[shared.group]):
        return RankCounts(counts.above, counts.tied, shared)
    finer = np.sort(_finer(levels, shared.group, rest))
    own = _finer(levels, shared.group_of, levels.within(table.score[row]))
    not_above = np.searchsorted(finer, own, side="right")
    above, tied = counts.above.copy(), counts.tied.copy()
    above[unsure] += np.cumsum(np.bincount(shared.group))[shared.group_of] - not_above
    tied[unsure] = not_above - np.searchsorted(finer, own)
    return RankCounts(above, tied)


def _finer(levels: _Levels, group: NDArray[np.int64], rest: Keys) -> Keys:
    return (group.astype(np.uint64) << levels.cut) | rest


def find_shared_rows(
    table: RunTable,
    rows: NDArray[np.int64],
    query: NDArray[np.int64],
    keys_of: Callable[[NDArray[np.integer], NDArray[np.float64]], Keys],
) -> SharedRows:
    """Find the rows of the same queries whose key is that of a given row, in no particular order.

    `keys_of` makes keys of query indexes and scores; `query` has those of the given rows.
    """
    keys, first, group_of = np.unique(
        keys_of(query, table.score[rows]), return_index=True, return_inverse=True
    )
    slots = slots_for(len(keys))
    groups = KeyTable(keys, query_slots(keys, slots), slots)
    asked = np.zeros(len(table.retrieved), dtype=bool)
    asked[query] = True
    row, row_query = table.queries.rows_of(asked)
    shared, group = [], []
    for some in range(0, len(row), _SHARED_AT_ONCE):
        these = slice(some, some + _SHARED_AT_ONCE)
        row_keys = keys_of(row_query[these], table.score[row[these]])
        found = groups.find(row_keys, query_slots(row_keys, slots))
        shared.append(found.row + some)
        group.append(found.position)
    at = np.concatenate(shared)
    return SharedRows(row[at], row_query[at], np.concatenate(group), group_of, first)
