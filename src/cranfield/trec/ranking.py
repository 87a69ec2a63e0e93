"""From the columns of a run to the place of each judged document in its query's ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.run_tables import RunTable

__all__ = ["JudgedHits", "TieGroups", "find_ties", "order_rows"]

_ROWS_AT_ONCE = 1 << 18


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


def order_rows(table: RunTable) -> NDArray[np.int64] | None:
    """Order the rows by query and falling score; None if the file has them in that order."""
    if table.is_grouped:
        rises = table.score[1:] > table.score[:-1]
        rises[table.stretch_start[1:] - 1] = False
        if not rises.any():
            return None
        order = np.arange(len(table.score))
    else:
        order = _stable_order(table.row_query(), len(table.queries))
    first, sizes = table.first_places(), table.retrieved
    for size in np.unique(sizes).tolist():
        starts = first[sizes == size]
        step = max(_ROWS_AT_ONCE // size, 1)
        for some in range(0, len(starts), step):
            places = starts[some : some + step, None] + np.arange(size)
            rows = order[places]
            falling = np.argsort(-table.score[rows], axis=1)
            order[places] = np.take_along_axis(rows, falling, axis=1)
    return order


def find_ties(table: RunTable, order: NDArray[np.int64] | None) -> TieGroups:
    """Find the groups of equal scores within each query."""
    score = table.score if order is None else table.score[order]
    equal = score[1:] == score[:-1]
    first = table.first_places()
    equal[first[first > 0] - 1] = False
    later = np.flatnonzero(equal) + 1
    if len(later) == 0:
        return TieGroups(later, later)
    opens = np.flatnonzero(np.diff(later, prepend=-1) != 1)
    return TieGroups(later[opens] - 1, np.diff(opens, append=len(later)) + 1)


def _stable_order(query: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    # numpy sorts 16-bit numbers by radix, in linear time.
    narrow = query.astype(np.uint16) if count <= 1 << 16 else query
    return np.argsort(narrow, kind="stable")
