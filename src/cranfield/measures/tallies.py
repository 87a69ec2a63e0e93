"""Counts and sums that measures share, on one graded ranking and over columns of many.

`numpy.bincount` adds its weights one after the other, so a query's sum is the sum that a loop over
its ranking forms. Pairwise sums (`add.reduce`, `add.reduceat`) would differ in the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cranfield.measures.columns import Floats, GradedColumns, Integers
    from cranfield.measures.measure import Measure

__all__ = [
    "UNKNOWN_JUDGMENTS",
    "count_above",
    "count_found",
    "count_grades",
    "count_per_query",
    "count_relevant",
    "divide",
    "keep_to_depth",
    "number_within_query",
    "relevant_hits",
    "sum_per_query",
]

UNKNOWN_JUDGMENTS = Undefined(
    "how many relevant documents exist is not known; judge a pool or give a set of ids"
)


def count_grades(grades: Iterable[int | None], rel: float) -> int:
    """Count the grades of `rel` or above; holes count for none."""
    return sum(grade is not None and grade >= rel for grade in grades)


def count_relevant(columns: GradedColumns, measure: Measure) -> Integers:
    """Count the relevant documents that exist for each query."""
    relevant = columns.judgment_query[columns.judgment_grade >= measure.number("rel")]
    return count_per_query(relevant, len(columns))


def count_found(columns: GradedColumns, measure: Measure) -> Integers:
    """Count the relevant hits of each query down to the cutoff."""
    return count_per_query(columns.hit_query[relevant_hits(columns, measure)], len(columns))


def relevant_hits(columns: GradedColumns, measure: Measure) -> NDArray[np.bool_]:
    """Mark the relevant hits down to the cutoff."""
    return keep_to_depth(columns, columns.hit_grade >= measure.number("rel"), measure)


def keep_to_depth(
    columns: GradedColumns, kept: NDArray[np.bool_], measure: Measure
) -> NDArray[np.bool_]:
    """Keep only hits down to the cutoff, if there is one."""
    return kept if measure.depth is None else kept & (columns.hit_rank <= measure.depth)


def count_per_query(query: Integers, size: int) -> Integers:
    """Count how often each query occurs."""
    return np.bincount(query, minlength=size)


def sum_per_query(query: Integers, weights: Floats, size: int) -> Floats:
    """Add up the weights of each query one after the other."""
    return np.bincount(query, weights=weights, minlength=size).astype(np.float64, copy=False)


def number_within_query(query: Integers, size: int) -> Integers:
    """Number the entries of each query 1, 2, 3 …; entries are ordered by query."""
    counts = np.bincount(query, minlength=size)
    first = np.cumsum(counts) - counts
    return np.arange(1, len(query) + 1) - first[query]


def count_above(columns: GradedColumns, counted: NDArray[np.bool_]) -> Integers:
    """Count, for each hit, the counted hits of its query that rank above it."""
    running: Integers = np.cumsum(counted) - counted
    counts = np.bincount(columns.hit_query, minlength=len(columns))
    first = np.cumsum(counts) - counts
    above: Integers = running - running[first[columns.hit_query]]
    return above


def divide(above: Floats | Integers, below: Floats | Integers) -> Floats:
    """Divide; 0 if there is nothing to divide by."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
