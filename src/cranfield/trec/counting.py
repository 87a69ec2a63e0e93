"""Where judged rows stand in a file of any order, counted in sorted numbers that move no row.

Query and score of a row make one 64-bit number, its level. The place of a judged row's level among
the sorted levels of all rows says how many rows of its query stand above it.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.trec.sharing import rows_sharing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.keys import Keys
    from cranfield.trec.run_tables import RunTable
    from cranfield.trec.sharing import Sharing

__all__ = ["Standing", "count_standing"]

_ROWS_AT_ONCE = 1 << 15
"""So many rows' columns stay in the processor's cache."""

_ROWS_A_PART = 1 << 19
_ROWS_A_JUDGED = 3
"""A part with fewer rows for each judged one would be sorted sooner than searched."""

_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """For each judged row, how many rows of its query have a higher score and how many its own.

    `sharing` has the rows that share query and score with the judged ones which are tied, where
    these had to be found.
    """

    above: NDArray[np.int64]
    tied: NDArray[np.int64]
    sharing: Sharing | None = None


class _Levels(NamedTuple):
    """How query and score become one number: by query, then by score, both rising.

    A score counts from the lowest one. Its last bits, `cut` of them, are left out where there is
    no room for all.
    """

    lowest: np.uint64
    score_bits: np.uint64
    cut: np.uint64

    def of(self, number: NDArray[np.integer], score: NDArray[np.float64]) -> Keys:
        """Return the level of each row."""
        return (number.astype(np.uint64) << self.score_bits) | (self._steps(score) >> self.cut)

    def within(self, score: NDArray[np.float64]) -> Keys:
        """Return what the level of each row leaves out of its score."""
        return self._steps(score) & ((np.uint64(1) << self.cut) - np.uint64(1))

    def _steps(self, score: NDArray[np.float64]) -> Keys:
        return _rising(score) - self.lowest


class _Counts(NamedTuple):
    """How many rows are not above each of the judged levels, and how many equal to it."""

    not_above: NDArray[np.int32]
    equal: NDArray[np.int32]


def count_standing(table: RunTable, number: NDArray[np.int64]) -> Standing:
    """Find where each judged row stands; `number` is the number of its query."""
    row = table.judged_row
    if len(row) == 0:
        return Standing(row, row)
    levels = _levels(table)
    own = levels.of(number, table.score[row])
    order = np.argsort(own)
    counts = _count_parts(table, levels, own[order])
    above, tied = np.empty(len(row), dtype=np.int64), np.empty(len(row), dtype=np.int64)
    above[order] = np.cumsum(table.retrieved)[number[order]] - counts.not_above
    tied[order] = counts.equal
    standing = Standing(above, tied)
    return _told_apart(table, levels, number, standing) if levels.cut else standing


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
        number = table.row_numbers(start + some, start + end)
        rows[some:end] = levels.of(number, table.score[start + some : start + end])
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


def _told_apart(
    table: RunTable, levels: _Levels, number: NDArray[np.int64], standing: Standing
) -> Standing:
    """Count again among the rows of one level, by what the level leaves out of the scores."""
    unsure = np.flatnonzero(standing.tied > 1)
    if len(unsure) == 0:
        return standing
    row = table.judged_row[unsure]
    shared = rows_sharing(table, row, number[unsure], levels.of)
    rest = levels.within(table.score[shared.row])
    if np.array_equal(rest, levels.within(table.score[row[shared.first]])[shared.group]):
        return Standing(standing.above, standing.tied, shared)
    finer = np.sort(_finer(levels, shared.group, rest))
    own = _finer(levels, shared.group_of, levels.within(table.score[row]))
    not_above = np.searchsorted(finer, own, side="right")
    above, tied = standing.above.copy(), standing.tied.copy()
    above[unsure] += np.cumsum(np.bincount(shared.group))[shared.group_of] - not_above
    tied[unsure] = not_above - np.searchsorted(finer, own)
    return Standing(above, tied)


def _finer(levels: _Levels, group: NDArray[np.int64], rest: Keys) -> Keys:
    return (group.astype(np.uint64) << levels.cut) | rest
