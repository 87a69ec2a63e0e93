"""Where judged rows stand in a file of any order, counted in one pass that moves no row.

The judged scores of each query are few and sorted. Each row of the file is placed among those of
its query; how many rows fall before each judged score is how many stand above it.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.trec.orders import stable_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec.run_tables import RunTable

__all__ = ["Standing", "count_standing"]

_ROWS_AT_ONCE = 1 << 15
"""So many rows' columns stay in the processor's cache."""

_ROWS_A_COUNT = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """For each judged row, how many rows of its query have a higher score and how many its own."""

    above: NDArray[np.int64]
    tied: NDArray[np.int64]


class _Judged(NamedTuple):
    """The judged scores by query, highest first; where each query's start and end.

    `reached_score` holds each score one place later, and room to step beyond the last.
    """

    score: NDArray[np.float64]
    reached_score: NDArray[np.float64]
    first: NDArray[np.int64]
    end: NDArray[np.int64]


def count_standing(table: RunTable, number: NDArray[np.int64]) -> Standing:
    """Find where each judged row stands; `number` is the number of its query."""
    row = table.judged_row
    if len(row) == 0:
        return Standing(row, row)
    falling = np.argsort(-table.score[row])
    order = falling[stable_order(number[falling], len(table.retrieved))]
    counts = np.bincount(number, minlength=len(table.retrieved))
    end = np.cumsum(counts)
    score = table.score[row[order]]
    room = np.full(int(counts.max()) + 1, -np.inf)
    judged = _Judged(score, np.concatenate((room[:1], score, room)), end - counts, end)
    before, equal = _tally(table, judged)
    above, tied = np.empty(len(row), dtype=np.int64), np.empty(len(row), dtype=np.int64)
    running = np.cumsum(before)
    first = judged.first[number[order]]
    above[order] = running - running[first] + before[first]
    tied[order] = equal[_last_of_equals(judged.score, first)]
    return Standing(above, tied)


def _tally(table: RunTable, judged: _Judged) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the rows that come just before each judged score, and those equal to it."""
    threads = os.cpu_count() or 1
    cuts = np.linspace(0, len(table.score), threads + 1).astype(np.int64).tolist()
    work = partial(_tally_rows, table, judged)
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(work, cuts[:-1], cuts[1:]))
    before = np.sum([part[0] for part in parts], axis=0)
    equal = np.sum([part[1] for part in parts], axis=0)
    return before, equal


def _tally_rows(
    table: RunTable, judged: _Judged, start: int, stop: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tally some rows; places are counted as soon as there are many, to keep few of them."""
    size = len(judged.score)
    before_counts, equal_counts = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for batch in range(start, stop, _ROWS_A_COUNT):
        before, equal = _places(table, judged, batch, min(batch + _ROWS_A_COUNT, stop))
        before_counts += np.bincount(before, minlength=size)
        equal_counts += np.bincount(equal, minlength=size)
    return before_counts, equal_counts


def _places(
    table: RunTable, judged: _Judged, start: int, stop: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the judged scores that rows come just before, and those that rows equal."""
    before, equal = [], []
    for some in range(start, stop, _ROWS_AT_ONCE):
        end = min(some + _ROWS_AT_ONCE, stop)
        number, value = table.row_numbers(some, end), table.score[some:end]
        place = _place_among(judged, number, value)
        before.append(place[place < judged.end[number]])
        same = (place > judged.first[number]) & (judged.score[place - 1] == value)
        equal.append(place[same] - 1)
    return np.concatenate(before), np.concatenate(equal)


def _place_among(
    judged: _Judged, number: NDArray[np.int32], value: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the place of the first judged score below each value.

    Steps of halving length are taken while the score at their end is not below the value.
    """
    place, end = judged.first[number], judged.end[number]
    longest = int((judged.end - judged.first).max())
    step = 1 << (longest.bit_length() - 1)
    while step:
        reached = place + step
        taken = judged.reached_score[reached] >= value
        taken &= reached <= end
        place = np.where(taken, reached, place)
        step >>= 1
    return place


def _last_of_equals(score: NDArray[np.float64], first: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of the last judged score that equals each, in the same query."""
    new = np.ones(len(score), dtype=bool)
    new[1:] = (score[1:] != score[:-1]) | (first[1:] != first[:-1])
    starts = np.flatnonzero(new)
    last = np.append(starts[1:], len(score)) - 1
    places: NDArray[np.int64] = last[np.cumsum(new) - 1]
    return places
