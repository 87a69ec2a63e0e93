"""Measures of graded gain: DCG, nDCG, ERR, RBP, RBPResidual."""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from cranfield.measures.columns import (
    UNKNOWN_JUDGMENTS,
    Floats,
    GradedColumns,
    Integers,
    MeasureColumn,
    divide,
    keep_to_depth,
    number_within_query,
    relevant_hits,
    sum_per_query,
)
from cranfield.measures.families import (
    REL,
    Family,
    Parameter,
    one_of,
    proper_fraction,
    register_family,
    whole_number,
)
from cranfield.measures.families import grade as parse_grade
from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__ = ["GAIN", "gain_of", "gains_of", "logarithms"]

GAIN = Parameter(one_of("linear", "exp"), "linear")


def discounted_gain(grades: Grades, measure: Measure) -> Value:
    """Σ gain / log₂(rank + 1) over the first k hits; every match counts."""
    return _discounted(grades.ranked, measure)


def discounted_gain_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`discounted_gain` over columns."""
    return MeasureColumn(
        _discounted_sums(
            columns.hit_query, columns.hit_rank, columns.hit_grade, len(columns), measure
        )
    )


register_family(
    Family(
        name="DCG",
        summary="discounted gain, every match counted",
        example="DCG@10",
        of_grades=discounted_gain,
        of_columns=discounted_gain_columns,
        is_monotone=True,
        is_bounded=False,
        parameters={"gain": GAIN, "rel": REL},
        cutoff=whole_number,
    )
)


def normalised_discounted_gain(grades: Grades, measure: Measure) -> Value:
    """Discounted gain over that of the best possible ranking (Järvelin & Kekäläinen 2002)."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    ideal = _discounted(sorted(grades.judgments, reverse=True), measure)
    return _discounted(grades.earned, measure) / ideal if ideal > 0 else 0.0


def normalised_discounted_gain_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`normalised_discounted_gain` over columns."""
    size, query = len(columns), columns.judgment_query
    ideal = _discounted_sums(
        query, number_within_query(query, size), columns.judgment_grade, size, measure
    )
    return MeasureColumn(divide(discounted_gain_columns(columns, measure).values, ideal))


register_family(
    Family(
        name="nDCG",
        summary="discounted gain, 1 for the best possible ranking",
        example="nDCG@10",
        of_grades=normalised_discounted_gain,
        of_columns=normalised_discounted_gain_columns,
        is_monotone=True,
        parameters={"gain": GAIN, "rel": REL},
        cutoff=whole_number,
    ),
    aliases=("NDCG",),
)


def _discounted(ranked: Sequence[int | None], measure: Measure) -> float:
    total = 0.0
    for rank, grade in enumerate(ranked[: measure.depth], start=1):
        if grade is not None:
            total += gain_of(grade, measure) / log2(rank + 1)
    return total


def _discounted_sums(
    query: Integers, rank: Integers, grade: Integers, size: int, measure: Measure
) -> Floats:
    kept = grade >= measure.number("rel")
    if measure.depth is not None:
        kept &= rank <= measure.depth
    query, rank, grade = query[kept], rank[kept], grade[kept]
    return sum_per_query(query, gains_of(grade, measure) / logarithms(rank + 1), size)


def gain_of(grade: float, measure: Measure) -> float:
    """Return what a grade earns; 0 below `rel`."""
    if grade < measure.number("rel"):
        return 0.0
    return 2.0**grade - 1.0 if measure.setting("gain") == "exp" else float(grade)


def gains_of(grade: Integers, measure: Measure) -> Floats:
    """Return what grades earn, all of them `rel` or above."""
    gains = grade.astype(np.float64)
    return 2.0**gains - 1.0 if measure.setting("gain") == "exp" else gains


def logarithms(arguments: Integers) -> Floats:
    """Return log₂ of positive whole numbers, equal to the C library's to the last bit."""
    return _logarithm_table(int(arguments.max(initial=1)).bit_length())[arguments]


@lru_cache(maxsize=4)
def _logarithm_table(bits: int) -> Floats:
    """Tabulate log₂ for arguments up to 2^bits with the C library's log2, as the loop uses."""
    return np.array([0.0, *(log2(argument) for argument in range(1, (1 << bits) + 1))])


def expected_reciprocal_rank(grades: Grades, measure: Measure) -> Value:
    """Expected 1 / rank at which a reader is satisfied (Chapelle et al. 2009).

    A hit of grade g satisfies with probability (2^g - 1) / 2^max.
    """
    rel, top = measure.number("rel"), measure.number("max")
    expected, still_reading = 0.0, 1.0
    for rank, grade in enumerate(grades.ranked[: measure.depth], start=1):
        if grade is None or grade < rel:
            continue
        if grade > top:
            return _grade_above(grade, top)
        satisfied = (2.0**grade - 1.0) / 2.0**top
        expected += still_reading * satisfied / rank
        still_reading *= 1.0 - satisfied
    return expected


def expected_reciprocal_rank_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`expected_reciprocal_rank` over columns.

    The chance of still reading is a running product within each query: the loop goes over the
    first relevant hit of all queries, then the second, and so on.
    """
    size, top = len(columns), measure.number("max")
    kept = relevant_hits(columns, measure)
    query, rank, grade = columns.hit_query[kept], columns.hit_rank[kept], columns.hit_grade[kept]
    satisfied = (2.0**grade - 1.0) / 2.0**top
    place = number_within_query(query, size)
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
        undefined.setdefault(bad, _grade_above(high, top).reason)
    expected[list(undefined)] = np.nan
    return MeasureColumn(expected, undefined)


register_family(
    Family(
        name="ERR",
        summary="expected reciprocal rank of satisfaction, grades 0 to max",
        example="ERR@20",
        of_grades=expected_reciprocal_rank,
        of_columns=expected_reciprocal_rank_columns,
        is_monotone=True,
        parameters={"max": Parameter(parse_grade, 4), "rel": REL},
        cutoff=whole_number,
    )
)


def _grade_above(grade: float, top: float) -> Undefined:
    """Say that ERR's scale is too short for the data."""
    return Undefined(f"grade {int(grade)} is above max={int(top)}; ask for ERR(max={int(grade)})")


def rank_biased_precision(grades: Grades, measure: Measure) -> Value:
    """(1 - p) Σ gain · p^(rank - 1) (Moffat & Zobel 2008).

    The gain is the grade over the query's highest judged grade, as in trec_eval; with `rel`
    it is 1 for relevant and 0 for the rest.
    """
    persistence, rel = measure.number("p"), measure.number("rel")
    highest = 1
    if rel == 0:
        if grades.judgments is None:
            return UNKNOWN_JUDGMENTS
        highest = max(grades.judgments, default=0)
    total, weight = 0.0, 1.0
    for grade in grades.ranked[: measure.depth]:
        if grade is not None and grade >= max(rel, 1):
            total += (1.0 if rel else grade / highest) * weight
        weight *= persistence
    return (1.0 - persistence) * total


def rank_biased_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`rank_biased_precision` over columns."""
    persistence, rel = measure.number("p"), measure.number("rel")
    kept = keep_to_depth(columns, columns.hit_grade >= max(rel, 1), measure)
    query, rank = columns.hit_query[kept], columns.hit_rank[kept]
    highest = np.ones(len(columns))
    np.maximum.at(highest, columns.judgment_query, columns.judgment_grade)
    gain = np.ones(len(query)) if rel else columns.hit_grade[kept] / highest[query]
    weights = np.full(int(rank.max(initial=1)), persistence)
    weights[0] = 1.0
    weights = np.multiply.accumulate(weights)
    totals = sum_per_query(query, gain * weights[rank - 1], len(columns))
    return MeasureColumn((1.0 - persistence) * totals)


register_family(
    Family(
        name="RBP",
        summary="rank-biased precision with persistence p; with rel, binary",
        example="RBP(p=0.8)",
        of_grades=rank_biased_precision,
        of_columns=rank_biased_precision_columns,
        is_monotone=True,
        parameters={
            "p": Parameter(proper_fraction, 0.8, always_shown=True),
            "rel": Parameter(parse_grade, 0),
        },
        cutoff=whole_number,
    )
)


def rank_biased_residual(grades: Grades, measure: Measure) -> Value:
    """How far RBP could rise if all unjudged hits, and all below the last, were of full gain.

    0 if every hit was judged, as in trec_eval.
    """
    persistence = measure.number("p")
    total, weight = 0.0, 1.0
    for grade in grades.ranked:
        if grade is None or grade < 0:
            total += weight
        weight *= persistence
    return weight + (1.0 - persistence) * total if total else 0.0


def rank_biased_residual_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`rank_biased_residual` over columns, which hold no unjudged hits: those are what is left."""
    persistence = measure.number("p")
    weights = np.full(int(columns.retrieved.max(initial=0)) + 1, persistence)
    weights[0] = 1.0
    weights = np.multiply.accumulate(weights)
    judged = columns.hit_grade >= 0
    ranks = columns.hit_rank[judged]
    ends = np.searchsorted(columns.hit_query[judged], np.arange(len(columns) + 1))
    values = np.zeros(len(columns))
    for query, size in enumerate(columns.retrieved.tolist()):
        unjudged = weights[:size].copy()
        unjudged[ranks[ends[query] : ends[query + 1]] - 1] = 0.0
        total = np.add.accumulate(unjudged)[-1] if size else 0.0
        values[query] = weights[size] + (1.0 - persistence) * total if total else 0.0
    return MeasureColumn(values)


register_family(
    Family(
        name="RBPResidual",
        summary="how far RBP could rise if the unjudged hits were judged",
        example="RBPResidual(p=0.8)",
        of_grades=rank_biased_residual,
        of_columns=rank_biased_residual_columns,
        parameters={"p": Parameter(proper_fraction, 0.8, always_shown=True)},
        is_quality=False,
    )
)
