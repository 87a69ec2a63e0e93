"""The same definitions over columns of judged hits.

`numpy.bincount` adds its weights one after the other, so that a query's sum is the sum that
`definitions` forms in a loop. Pairwise sums (`add.reduce`, `add.reduceat`) would not be.
"""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from cranfield.measures.columns import Column, Floats, GradedColumns, Integers
from cranfield.measures.definitions import INFERRED_AP_EPSILON, grade_above

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.measures.measure import Measure

__all__ = [
    "average_precision",
    "binary_preference",
    "discounted_gain",
    "expected_reciprocal_rank",
    "f1",
    "inferred_average_precision",
    "interpolated_precision",
    "judged_share",
    "normalised_discounted_gain",
    "precision",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
    "relevant_count",
    "relevant_retrieved_count",
    "retrieved_count",
    "success",
]


def precision(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.precision`."""
    return Column(_precision(columns, measure))


def recall(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.recall`."""
    return Column(_recall(columns, measure))


def f1(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.f1`."""
    right, found = _precision(columns, measure), _recall(columns, measure)
    return Column(_ratio(2.0 * right * found, right + found))


def success(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.success`."""
    return Column((_found(columns, measure) > 0).astype(np.float64))


def reciprocal_rank(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.reciprocal_rank`."""
    kept = _relevant_hits(columns, measure)
    query, rank = columns.hit_query[kept], columns.hit_rank[kept]
    first = np.ones(len(query), dtype=bool)
    first[1:] = query[1:] != query[:-1]
    values = np.zeros(len(columns))
    values[query[first]] = 1.0 / rank[first]
    return Column(values)


def r_precision(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.r_precision`."""
    relevant = _relevant(columns, measure)
    kept = _relevant_hits(columns, measure)
    query = columns.hit_query[kept]
    inside = query[columns.hit_rank[kept] <= relevant[query]]
    return Column(_ratio(_per_query(inside, len(columns)), relevant))


def average_precision(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.average_precision`."""
    kept = _relevant_hits(columns, measure)
    query = columns.hit_query[kept]
    precisions = _place(query, len(columns)) / columns.hit_rank[kept]
    totals = _sums(query, precisions, len(columns))
    return Column(_ratio(totals, _relevant(columns, measure)))


def discounted_gain(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.discounted_gain`."""
    return Column(
        _discounted(columns.hit_query, columns.hit_rank, columns.hit_grade, len(columns), measure)
    )


def normalised_discounted_gain(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.normalised_discounted_gain`."""
    size, query = len(columns), columns.judgment_query
    ideal = _discounted(query, _place(query, size), columns.judgment_grade, size, measure)
    return Column(_ratio(discounted_gain(columns, measure).values, ideal))


def expected_reciprocal_rank(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.expected_reciprocal_rank`.

    The chance of still reading is a running product within each query: the loop goes over the
    first relevant hit of all queries, then the second, and so on.
    """
    size, top = len(columns), measure.number("max")
    kept = _relevant_hits(columns, measure)
    query, rank, grade = columns.hit_query[kept], columns.hit_rank[kept], columns.hit_grade[kept]
    satisfied = (2.0**grade - 1.0) / 2.0**top
    place = _place(query, size)
    by_place = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place)[1:]) if len(place) else np.empty(0, dtype=np.int64)
    expected, still_reading = np.zeros(size), np.ones(size)
    for hits in np.split(by_place, ends[:-1]):
        at = query[hits]
        expected[at] += still_reading[at] * satisfied[hits] / rank[hits]
        still_reading[at] *= 1.0 - satisfied[hits]
    too_high = grade > top
    undefined: dict[int, str] = {}
    for bad, high in zip(query[too_high].tolist(), grade[too_high].tolist(), strict=True):
        undefined.setdefault(bad, grade_above(high, top).reason)
    expected[list(undefined)] = np.nan
    return Column(expected, undefined)


def rank_biased_precision(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.rank_biased_precision`."""
    persistence, rel = measure.number("p"), measure.number("rel")
    kept = _to_depth(columns, columns.hit_grade >= max(rel, 1), measure)
    query, rank = columns.hit_query[kept], columns.hit_rank[kept]
    highest = np.ones(len(columns))
    np.maximum.at(highest, columns.judgment_query, columns.judgment_grade)
    gain = np.ones(len(query)) if rel else columns.hit_grade[kept] / highest[query]
    weights = np.full(int(rank.max(initial=1)), persistence)
    weights[0] = 1.0
    weights = np.multiply.accumulate(weights)
    totals = _sums(query, gain * weights[rank - 1], len(columns))
    return Column((1.0 - persistence) * totals)


def binary_preference(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.binary_preference`."""
    relevant = _relevant(columns, measure)
    judged = columns.judgment_query[columns.judgment_grade >= 0]
    counted = np.minimum(relevant, _per_query(judged, len(columns)) - relevant)
    kept = columns.hit_grade >= measure.number("rel")
    query = columns.hit_query[kept]
    above = _before(columns, (columns.hit_grade >= 0) & ~kept)[kept]
    # Where nothing wrong is above, the pair count may be 0: such hits get the full 1.
    wrong_share = np.minimum(above, relevant[query]) / np.maximum(counted[query], 1)
    preferred = np.where(above > 0, 1.0 - wrong_share, 1.0)
    totals = _sums(query, preferred, len(columns))
    return Column(_ratio(totals, relevant))


def inferred_average_precision(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.inferred_average_precision`."""
    kept = columns.hit_grade >= measure.number("rel")
    query, above = columns.hit_query[kept], columns.hit_rank[kept] - 1
    right = _before(columns, kept)[kept]
    wrong = _before(columns, (columns.hit_grade >= 0) & ~kept)[kept]
    unsampled = _before(columns, columns.hit_grade < 0)[kept]
    pooled = (right + wrong + unsampled) / np.maximum(above, 1)
    estimate = (right + INFERRED_AP_EPSILON) / (right + wrong + 2 * INFERRED_AP_EPSILON)
    inferred = 1.0 / (above + 1.0) + (above / (above + 1.0)) * pooled * estimate
    inferred = np.where(above == 0, 1.0, inferred)
    totals = _sums(query, inferred, len(columns))
    return Column(_ratio(totals, _relevant(columns, measure)))


def interpolated_precision(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.interpolated_precision`."""
    level = (measure.cutoff or 0.0) * _relevant(columns, measure)
    needed = np.floor(level) + (level - np.floor(level) >= 0.5)
    kept = columns.hit_grade >= measure.number("rel")
    query = columns.hit_query[kept]
    found = _place(query, len(columns))
    enough = found >= needed[query]
    best = np.zeros(len(columns))
    np.maximum.at(best, query[enough], found[enough] / columns.hit_rank[kept][enough])
    return Column(best)


def judged_share(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.judged_share`."""
    depth = columns.retrieved
    if measure.depth is not None:
        depth = np.minimum(depth, measure.depth)
    judged = columns.hit_query[_to_depth(columns, columns.hit_grade >= 0, measure)]
    values = _per_query(judged, len(columns)) / np.maximum(depth, 1)
    empty = np.flatnonzero(depth == 0)
    values[empty] = np.nan
    return Column(values, dict.fromkeys(empty.tolist(), "nothing was retrieved"))


def retrieved_count(columns: GradedColumns, measure: Measure) -> Column:  # noqa: ARG001 - one signature for all
    """See `definitions.retrieved_count`."""
    return Column(columns.retrieved.astype(np.float64))


def relevant_count(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.relevant_count`."""
    return Column(_relevant(columns, measure).astype(np.float64))


def relevant_retrieved_count(columns: GradedColumns, measure: Measure) -> Column:
    """See `definitions.relevant_retrieved_count`."""
    return Column(_found(columns, measure).astype(np.float64))


def _precision(columns: GradedColumns, measure: Measure) -> Floats:
    found = _found(columns, measure)
    return _ratio(found, columns.retrieved) if measure.depth is None else found / measure.depth


def _recall(columns: GradedColumns, measure: Measure) -> Floats:
    return _ratio(_found(columns, measure), _relevant(columns, measure))


def _relevant(columns: GradedColumns, measure: Measure) -> Integers:
    relevant = columns.judgment_query[columns.judgment_grade >= measure.number("rel")]
    return _per_query(relevant, len(columns))


def _found(columns: GradedColumns, measure: Measure) -> Integers:
    return _per_query(columns.hit_query[_relevant_hits(columns, measure)], len(columns))


def _relevant_hits(columns: GradedColumns, measure: Measure) -> NDArray[np.bool_]:
    return _to_depth(columns, columns.hit_grade >= measure.number("rel"), measure)


def _to_depth(
    columns: GradedColumns, kept: NDArray[np.bool_], measure: Measure
) -> NDArray[np.bool_]:
    return kept if measure.depth is None else kept & (columns.hit_rank <= measure.depth)


def _per_query(query: Integers, size: int) -> Integers:
    return np.bincount(query, minlength=size)


def _sums(query: Integers, weights: Floats, size: int) -> Floats:
    """Add up the weights of each query one after the other."""
    return np.bincount(query, weights=weights, minlength=size).astype(np.float64, copy=False)


def _place(query: Integers, size: int) -> Integers:
    """Number the entries of each query 1, 2, 3 …; entries are ordered by query."""
    counts = np.bincount(query, minlength=size)
    first = np.cumsum(counts) - counts
    return np.arange(1, len(query) + 1) - first[query]


def _before(columns: GradedColumns, counted: NDArray[np.bool_]) -> Integers:
    """Count, for each hit, the counted hits of its query that stand above it."""
    running: Integers = np.cumsum(counted) - counted
    counts = np.bincount(columns.hit_query, minlength=len(columns))
    first = np.cumsum(counts) - counts
    above: Integers = running - running[first[columns.hit_query]]
    return above


def _ratio(above: Floats | Integers, below: Floats | Integers) -> Floats:
    """Divide, giving 0 where there is nothing to divide by."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)


def _discounted(
    query: Integers, rank: Integers, grade: Integers, size: int, measure: Measure
) -> Floats:
    kept = grade >= measure.number("rel")
    if measure.depth is not None:
        kept &= rank <= measure.depth
    query, rank, grade = query[kept], rank[kept], grade[kept]
    gains = grade.astype(np.float64)
    if measure.setting("gain") == "exp":
        gains = 2.0**gains - 1.0
    discounted = gains / _logarithms(int(rank.max(initial=1)).bit_length())[rank + 1]
    return _sums(query, discounted, size)


@lru_cache(maxsize=4)
def _logarithms(bits: int) -> Floats:
    """Tabulate log₂ for arguments up to 2^bits with the C library's log2, as `definitions` uses."""
    return np.array([0.0, *(log2(argument) for argument in range(1, (1 << bits) + 1))])
