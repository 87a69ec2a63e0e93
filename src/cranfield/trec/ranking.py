"""How many hits rank above each judged one, and how many have its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.trec.unordered_ranking import RankCounts, count_unordered_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.trec.run_table import RunTable

__all__ = ["JudgedHits", "count_ranks"]


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


def count_ranks(table: RunTable, query: NDArray[np.int64]) -> RankCounts:
    """Count the rows above and level with each judged row; `query` is the index of its query.

    In a file that is in order, a row with other scores before and after it ranks where it is, and
    others are looked up in the falling scores of their query. In another file all rows are counted.
    """
    row = table.judged_row
    if not _is_falling(table):
        return count_unordered_ranks(table, query)
    start, size = table.starts()[query], table.retrieved[query]
    above, tied = row - start, np.ones(len(row), dtype=np.int64)
    score, last = table.score, len(table.score) - 1
    unsure = np.flatnonzero(
        ((score[np.maximum(row - 1, 0)] == score[row]) & (above > 0))
        | ((score[np.minimum(row + 1, last)] == score[row]) & (above < size - 1))
    )
    found = _look_up(score, score[row[unsure]], start[unsure], size[unsure])
    above[unsure], tied[unsure] = found.above, found.tied
    return RankCounts(above, tied)


def _is_falling(table: RunTable) -> bool:
    """Return whether each query's rows are adjacent and their scores never rise."""
    if not table.is_grouped:
        return False
    rises = table.score[1:] > table.score[:-1]
    rises[table.stretch_start[1:] - 1] = False
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
