"""Many graded rankings at once, as columns, and the counts and sums that measures share.

Columns hold only what was judged. `numpy.bincount` adds its weights one after the other, so a
query's sum is the sum that a loop over its ranking forms. Pairwise sums (`add.reduce`,
`add.reduceat`) would differ in the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, log
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.model import Grades, Undefined, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cranfield.measures.measure import Measure

__all__ = [
    "UNKNOWN_JUDGMENTS",
    "Floats",
    "GradedColumns",
    "Integers",
    "MeasureColumn",
    "accumulate_per_query",
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

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

_LOWEST_OF_GEOMETRIC = 0.00001
"""A value below this counts as this in a geometric mean, which one 0 would make 0; trec_eval's."""

UNKNOWN_JUDGMENTS = Undefined(
    "how many relevant documents exist is not known; judge a pool or give a set of ids"
)


@dataclass(frozen=True, slots=True, eq=False)
class MeasureColumn:
    """One measure's value for each query; NaN exactly if `undefined` gives a reason."""

    values: Floats
    undefined: Mapping[int, str] = field(default_factory=dict)

    def value(self, query: int) -> Value:
        """Return the value of the query at this position."""
        if query in self.undefined:
            return Undefined(self.undefined[query])
        return float(self.values[query])

    def replaced(self, queries: Integers, others: MeasureColumn) -> MeasureColumn:
        """Return this column with the values at some positions taken from another."""
        values = self.values.copy()
        values[queries] = others.values
        taken = {int(queries[place]): reason for place, reason in others.undefined.items()}
        kept = {query: why for query, why in self.undefined.items() if query not in queries}
        return MeasureColumn(values, {**kept, **taken})

    def mean(self) -> Value:
        """Return the mean over the queries that have a value.

        Summed one after the other in query order, as trec_eval does: a pairwise sum can differ
        in the last bit and with it in the last printed digit.
        """
        total = self.total()
        if isinstance(total, Undefined):
            return total
        return total / (len(self.values) - len(self.undefined))

    def total(self) -> Value:
        """Return the sum over the queries that have a value, in query order."""
        return self._sum(self.values)

    def geometric_mean(self) -> Value:
        """Return the geometric mean over the queries that have a value, each at least 0.00001."""
        raised = np.maximum(self.values, _LOWEST_OF_GEOMETRIC)
        total = self._sum(np.array([log(value) for value in raised.tolist()]))
        if isinstance(total, Undefined):
            return total
        return exp(total / (len(self.values) - len(self.undefined)))

    def _sum(self, values: Floats) -> Value:
        defined = values[~np.isnan(values)]
        if len(defined) == 0:
            reason = next(iter(self.undefined.values()), "there is no query to measure")
            return Undefined(reason)
        return float(np.add.accumulate(defined)[-1])


@dataclass(frozen=True, slots=True, eq=False)
class GradedColumns:
    """The graded rankings of many queries whose judgments are known.

    Unjudged hits are not stored: `hit_rank` shows where they must have been. Hits are
    ordered by query, then rank; judgments by query, then grade, highest first. Queries are
    positions in `queries`.
    """

    queries: tuple[str, ...]
    retrieved: Integers
    hit_query: Integers
    hit_rank: Integers
    hit_grade: Integers
    judgment_query: Integers
    judgment_grade: Integers

    def __len__(self) -> int:
        return len(self.queries)

    def grades(self, query: int) -> Grades:
        """Return one query's graded ranking."""
        first, last = np.searchsorted(self.hit_query, [query, query + 1])
        ranked: list[int | None] = [None] * int(self.retrieved[query])
        ranks = self.hit_rank[first:last].tolist()
        for rank, grade in zip(ranks, self.hit_grade[first:last].tolist(), strict=True):
            ranked[rank - 1] = grade
        first, last = np.searchsorted(self.judgment_query, [query, query + 1])
        return Grades(tuple(ranked), tuple(self.judgment_grade[first:last].tolist()))


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


def accumulate_per_query(query: Integers, weights: Floats, size: int) -> Floats:
    """Return the running sum within the query at each entry, added one after the other.

    The loop goes over the first entry of all queries, then the second, and so on; entries are
    ordered by query.
    """
    place = number_within_query(query, size)
    by_place = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place)[1:]) if len(place) else np.empty(0, dtype=np.int64)
    running, totals = np.zeros(len(query)), np.zeros(size)
    for entries in np.split(by_place, ends[:-1]):
        totals[query[entries]] += weights[entries]
        running[entries] = totals[query[entries]]
    return running


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
