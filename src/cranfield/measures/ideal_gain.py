"""Measures that follow the best possible ranking rank by rank: nDCGRel, RnDCG, G.

They are trec_eval's experimental measures, with its definitions.
"""

from __future__ import annotations

from itertools import accumulate
from math import log2
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.measures.columns import (
    UNKNOWN_JUDGMENTS,
    Floats,
    GradedColumns,
    Integers,
    MeasureColumn,
    accumulate_per_query,
    count_per_query,
    divide,
    number_within_query,
    sum_per_query,
)
from cranfield.measures.families import REL, Family, Parameter, register_family
from cranfield.measures.families import grade as parse_grade
from cranfield.measures.gain import GAIN, gain_of, gains_of, logarithms

if TYPE_CHECKING:
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__: list[str] = []


def discounted_gain_at_relevant(grades: Grades, measure: Measure) -> Value:
    """Mean, over all relevant documents, of nDCG at the rank of each one found.

    A document that was not found counts with nDCG at the end of the ranking.
    """
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    ideal = _ideal_sums(grades.judgments, measure)
    if not ideal:
        return 0.0
    found, gained, total = 0, 0.0, 0.0
    for rank, grade in enumerate(grades.earned, start=1):
        gain = 0.0 if grade is None else gain_of(grade, measure)
        if gain > 0:
            found += 1
            gained += gain / log2(rank + 1)
            total += gained / ideal[min(rank, len(ideal)) - 1]
    total += (len(ideal) - found) * gained / ideal[-1]
    return total / len(ideal)


def discounted_gain_at_relevant_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`discounted_gain_at_relevant` over columns."""
    hits, ideal = _hits(columns, measure), _ideal(columns, measure)
    relevant = ideal.counts
    at_hit = ideal.sums_at(hits.query, np.minimum(hits.rank, relevant[hits.query]))
    totals = sum_per_query(hits.query, hits.sums / at_hit, len(columns))
    missed = (relevant - hits.counts) * hits.totals()
    totals += divide(missed, ideal.totals())
    return MeasureColumn(divide(totals, relevant))


register_family(
    Family(
        name="nDCGRel",
        summary="mean of nDCG at the ranks of the relevant documents",
        example="nDCGRel",
        of_grades=discounted_gain_at_relevant,
        of_columns=discounted_gain_at_relevant_columns,
        parameters={"gain": GAIN, "rel": REL},
    )
)


def discounted_gain_at_levels(grades: Grades, measure: Measure) -> Value:
    """Mean of nDCG at the ranks where the best possible ranking passes to a lower grade.

    The end of the ranking is one more such rank if it lies two or more below the last relevant
    document of the best possible ranking.
    """
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    ideal = _ideal_sums(grades.judgments, measure)
    if not ideal:
        return 0.0
    gains = [0.0 if grade is None else gain_of(grade, measure) for grade in grades.earned]
    gained = [0.0, *accumulate(g / log2(rank + 1) for rank, g in enumerate(gains, start=1))]
    best = [*sorted(grades.judgments, reverse=True)[: len(ideal)], 0]
    ends = [rank for rank in range(1, len(best)) if best[rank] != best[rank - 1]]
    total, points = 0.0, len(ends)
    for rank in ends:
        total += gained[min(rank, len(gains))] / ideal[rank - 1]
    if len(gains) > len(ideal) + 1:
        total += gained[-1] / ideal[-1]
        points += 1
    return total / points


def discounted_gain_at_levels_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`discounted_gain_at_levels` over columns."""
    hits, ideal = _hits(columns, measure), _ideal(columns, measure)
    is_end = np.ones(len(ideal.query), dtype=bool)
    is_end[:-1] = (ideal.query[1:] != ideal.query[:-1]) | (ideal.grade[1:] != ideal.grade[:-1])
    query, rank = ideal.query[is_end], ideal.rank[is_end]
    gained = hits.sums_to(query, rank)
    totals = sum_per_query(query, gained / ideal.sums[is_end], len(columns))
    points = count_per_query(query, len(columns))
    longer = (columns.retrieved > ideal.counts + 1) & (ideal.counts > 0)
    totals += np.where(longer, divide(hits.totals(), ideal.totals()), 0.0)
    return MeasureColumn(divide(totals, points + longer))


register_family(
    Family(
        name="RnDCG",
        summary="mean of nDCG at the ranks where each grade ends in the best ranking",
        example="RnDCG",
        of_grades=discounted_gain_at_levels,
        of_columns=discounted_gain_at_levels_columns,
        is_monotone=True,
        parameters={"gain": GAIN, "rel": REL},
    )
)


def gain_against_ideal(grades: Grades, measure: Measure) -> Value:
    """Σ gain / log₂(2 + what the best ranking has gained so far − what this one has) / Σ best gain.

    In the best ranking a hit below the last relevant document counts 1. With `rel`, the gain is 1
    for relevant and 0 for the rest.
    """
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = int(measure.number("rel"))
    best = sorted((grade for grade in grades.judgments if grade >= max(rel, 1)), reverse=True)
    ideal = [0, *accumulate(1 if rel else grade for grade in best)]
    gained, total = 0, 0.0
    for rank, grade in enumerate(grades.earned, start=1):
        if grade is not None and grade >= max(rel, 1):
            gain = 1 if rel else grade
            gained += gain
            reached = ideal[min(rank, len(best))] + max(rank - len(best), 0)
            total += gain / log2(2 + reached - gained)
    return total / ideal[-1] if best else 0.0


def gain_against_ideal_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`gain_against_ideal` over columns."""
    rel, size = int(measure.number("rel")), len(columns)
    kept = columns.hit_grade >= max(rel, 1)
    query, rank, gain = columns.hit_query[kept], columns.hit_rank[kept], columns.hit_grade[kept]
    best = columns.judgment_grade >= max(rel, 1)
    best_query, best_gain = columns.judgment_query[best], columns.judgment_grade[best]
    if rel:
        gain, best_gain = np.ones_like(gain), np.ones_like(best_gain)
    best_rank = number_within_query(best_query, size)
    ideal = _Sums.of(best_query, best_rank, best_gain.astype(np.float64), best_gain, size)
    relevant = ideal.counts[query]
    reached = ideal.sums_at(query, np.minimum(rank, relevant)) + np.maximum(rank - relevant, 0)
    gained = accumulate_per_query(query, gain.astype(np.float64), size)
    behind = (2 + reached - gained).astype(np.int64)
    totals = sum_per_query(query, gain / logarithms(behind), size)
    return MeasureColumn(divide(totals, ideal.totals()))


register_family(
    Family(
        name="G",
        summary="gain discounted by how far the best ranking is ahead; with rel, binary",
        example="G",
        of_grades=gain_against_ideal,
        of_columns=gain_against_ideal_columns,
        parameters={"rel": Parameter(parse_grade, 0)},
    )
)


def _ideal_sums(judgments: tuple[int, ...], measure: Measure) -> list[float]:
    """Return the DCG of the best possible ranking at each rank down to the last relevant one."""
    gains = [gain_of(grade, measure) for grade in sorted(judgments, reverse=True)]
    relevant = [gain for gain in gains if gain > 0]
    return list(accumulate(gain / log2(rank + 1) for rank, gain in enumerate(relevant, start=1)))


class _Sums(NamedTuple):
    """Entries ordered by query and rank, with the running sum of their weights in each query."""

    query: Integers
    rank: Integers
    grade: Integers
    sums: Floats
    counts: Integers
    first: Integers

    @classmethod
    def of(
        cls, query: Integers, rank: Integers, weights: Floats, grade: Integers, size: int
    ) -> _Sums:
        counts = count_per_query(query, size)
        sums = accumulate_per_query(query, weights, size)
        return cls(query, rank, grade, sums, counts, np.cumsum(counts) - counts)

    def totals(self) -> Floats:
        """Return the whole sum of each query, 0 if it has no entry."""
        return self.sums_at(np.arange(len(self.counts)), self.counts)

    def sums_at(self, query: Integers, number: Integers) -> Floats:
        """Return the sums of the first entries of queries, so many each; 0 for none."""
        padded = np.append(self.sums, 0.0)
        return np.where(number > 0, padded[self.first[query] + number - 1], 0.0)

    def sums_to(self, query: Integers, rank: Integers) -> Floats:
        """Return the sums of the entries of queries down to a rank."""
        width = int(max(self.rank.max(initial=0), rank.max(initial=0))) + 1
        keys = self.query * width + self.rank
        number = np.searchsorted(keys, query * width + rank, side="right") - self.first[query]
        return self.sums_at(query, number)


def _hits(columns: GradedColumns, measure: Measure) -> _Sums:
    kept = columns.hit_grade >= measure.number("rel")
    query, rank, grade = columns.hit_query[kept], columns.hit_rank[kept], columns.hit_grade[kept]
    return _discounted(query, rank, grade, columns, measure)


def _ideal(columns: GradedColumns, measure: Measure) -> _Sums:
    kept = columns.judgment_grade >= measure.number("rel")
    query, grade = columns.judgment_query[kept], columns.judgment_grade[kept]
    rank = number_within_query(query, len(columns))
    return _discounted(query, rank, grade, columns, measure)


def _discounted(
    query: Integers, rank: Integers, grade: Integers, columns: GradedColumns, measure: Measure
) -> _Sums:
    weights = gains_of(grade, measure) / logarithms(rank + 1)
    return _Sums.of(query, rank, weights, grade, len(columns))
