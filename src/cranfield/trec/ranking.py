"""From the columns of a run to the place of each judged document in its query's ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.run_tables import RunTable

__all__ = ["JudgedHits", "OrderedRows", "TieGroups", "find_ties", "order_rows"]

_ROWS_AT_ONCE = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class OrderedRows:
    """The rows by query and falling score; `row` is None if the file has them in that order."""

    row: NDArray[np.int64] | None
    score: NDArray[np.float64]
    group_start: NDArray[np.int64]

    def rows_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows that stand at these places."""
        return places if self.row is None else self.row[places]

    def places_of(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the places of distinct rows in rising order, and which row stands at each."""
        by_row = np.argsort(rows)
        if self.row is None:
            return rows[by_row], by_row
        wanted = np.zeros(len(self.score), dtype=bool)
        wanted[rows] = True
        places = np.flatnonzero(wanted[self.row])
        return places, by_row[np.searchsorted(rows[by_row], self.row[places])]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHits:
    """The judged rows of a run in rank order: where each stands, and what it is tied with.

    `above` counts the hits of its query with a higher score, `tied` those with the same score,
    itself included; `place` is its place among these, from 0.
    """

    judgment: NDArray[np.int64]
    above: NDArray[np.int64]
    tied: NDArray[np.int64]
    place: NDArray[np.int64]

    def at(self, some: NDArray[np.int64]) -> JudgedHits:
        """Return some of the hits."""
        return JudgedHits(self.judgment[some], self.above[some], self.tied[some], self.place[some])


@dataclass(frozen=True, slots=True, eq=False)
class TieGroups:
    """Runs of equal scores among the ordered rows of one query: first place and size."""

    start: NDArray[np.int64]
    size: NDArray[np.int64]

    def of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the group that holds each place, -1 for none."""
        if len(self.start) == 0:
            return np.full(len(places), -1)
        group = np.searchsorted(self.start, places, side="right") - 1
        inside = (group >= 0) & (places < self.start[group] + self.size[group])
        return np.where(inside, group, -1)


def order_rows(table: RunTable) -> OrderedRows:
    """Order the rows by query and falling score."""
    starts = table.group_starts()
    if table.is_grouped:
        rises = table.score[1:] > table.score[:-1]
        rises[starts[1:] - 1] = False
        if not rises.any():
            return OrderedRows(None, table.score, starts)
        row, score = np.arange(len(table.score)), table.score.copy()
    else:
        row = table.group_order()
        score = table.score[row]
    sizes = np.diff(starts, append=len(score))
    for size in np.unique(sizes).tolist():
        alike = starts[sizes == size]
        step = max(_ROWS_AT_ONCE // size, 1)
        for some in range(0, len(alike), step):
            places = alike[some : some + step, None] + np.arange(size)
            falling = np.argsort(-score[places], axis=1)
            row[places] = np.take_along_axis(row[places], falling, axis=1)
            score[places] = np.take_along_axis(score[places], falling, axis=1)
    return OrderedRows(row, score, starts)


def find_ties(ordered: OrderedRows) -> TieGroups:
    """Find the groups of equal scores within each query."""
    equal = ordered.score[1:] == ordered.score[:-1]
    equal[ordered.group_start[1:] - 1] = False
    later = np.flatnonzero(equal) + 1
    if len(later) == 0:
        return TieGroups(later, later)
    opens = np.flatnonzero(np.diff(later, prepend=-1) != 1)
    return TieGroups(later[opens] - 1, np.diff(opens, append=len(later)) + 1)
