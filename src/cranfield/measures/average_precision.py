"""Measures over the ranks of all relevant documents: AP, IPrec, Bpref, infAP, GMAP."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

import numpy as np

from cranfield.measures.columns import (
    UNKNOWN_JUDGMENTS,
    Floats,
    GradedColumns,
    MeasureColumn,
    count_above,
    count_grades,
    count_per_query,
    count_relevant,
    divide,
    number_within_query,
    relevant_hits,
    sum_per_query,
)
from cranfield.measures.families import (
    REL,
    Family,
    recall_level,
    register_family,
    register_geometric,
    register_ranked,
    register_uncut,
)

if TYPE_CHECKING:
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__: list[str] = []

_EPSILON = 0.00001
"""Smoothing of infAP's estimated precision; trec_eval's value."""

_LEVELS = tuple(tenth / 10 for tenth in range(10, -1, -1))
"""Recall levels, added from the highest down, as in trec_eval."""


def average_precision(grades: Grades, measure: Measure) -> Value:
    """Mean, over all relevant documents, of the precision at the rank of each one found."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    found, total = 0, 0.0
    for rank, grade in enumerate(grades.earned[: measure.depth], start=1):
        if grade is not None and grade >= rel:
            found += 1
            total += found / rank
    relevant = count_grades(grades.judgments, rel)
    return total / relevant if relevant else 0.0


def average_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`average_precision` over columns."""
    kept = relevant_hits(columns, measure)
    query = columns.hit_query[kept]
    precisions = number_within_query(query, len(columns)) / columns.hit_rank[kept]
    totals = sum_per_query(query, precisions, len(columns))
    return MeasureColumn(divide(totals, count_relevant(columns, measure)))


register_ranked(
    "AP",
    "mean precision at each relevant document",
    average_precision,
    average_precision_columns,
    aliases=("MAP",),
)


register_geometric(
    "GMAP", "geometric mean of AP over queries", average_precision, average_precision_columns
)


def interpolated_precision(grades: Grades, measure: Measure) -> Value:
    """Highest precision at any rank where recall is at least the cutoff.

    The recall level becomes a number of documents by rounding half up, as in trec_eval 10
    (version 9 rounded up from 0.1).
    """
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    return _interpolated(grades, grades.judgments, measure, measure.cutoff or 0.0)


def _interpolated(
    grades: Grades, judgments: tuple[int, ...], measure: Measure, recall: float
) -> float:
    rel = measure.number("rel")
    level = recall * count_grades(judgments, rel)
    needed = floor(level) + (level - floor(level) >= 0.5)
    found, best = 0, 0.0
    for rank, grade in enumerate(grades.earned, start=1):
        if grade is not None and grade >= rel:
            found += 1
            if found >= needed:
                best = max(best, found / rank)
    return best


def interpolated_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`interpolated_precision` over columns."""
    return MeasureColumn(_interpolations(columns, measure, measure.cutoff or 0.0))


def _interpolations(columns: GradedColumns, measure: Measure, recall: float) -> Floats:
    level = recall * count_relevant(columns, measure)
    needed = np.floor(level) + (level - np.floor(level) >= 0.5)
    kept = columns.hit_grade >= measure.number("rel")
    query = columns.hit_query[kept]
    found = number_within_query(query, len(columns))
    enough = found >= needed[query]
    best = np.zeros(len(columns))
    np.maximum.at(best, query[enough], found[enough] / columns.hit_rank[kept][enough])
    return best


register_family(
    Family(
        name="IPrec",
        summary="interpolated precision at a level of recall",
        example="IPrec@0.5",
        of_grades=interpolated_precision,
        of_columns=interpolated_precision_columns,
        is_monotone=True,
        parameters={"rel": REL},
        cutoff=recall_level,
        needs_cutoff=True,
    )
)


def eleven_point_precision(grades: Grades, measure: Measure) -> Value:
    """Mean of the interpolated precision at the recall levels 0, 0.1, 0.2 … 1."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    total = 0.0
    for recall in _LEVELS:
        total += _interpolated(grades, grades.judgments, measure, recall)
    return total / len(_LEVELS)


def eleven_point_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`eleven_point_precision` over columns."""
    totals = np.zeros(len(columns))
    for recall in _LEVELS:
        totals += _interpolations(columns, measure, recall)
    return MeasureColumn(totals / len(_LEVELS))


register_uncut(
    "IPrec11",
    "mean of IPrec at recall 0, 0.1 … 1",
    eleven_point_precision,
    eleven_point_precision_columns,
)


def binary_preference(grades: Grades, measure: Measure) -> Value:
    """Share of judged pairs ranked the right way round (Buckley & Voorhees 2004)."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    relevant = count_grades(grades.judgments, rel)
    counted = min(relevant, count_grades(grades.judgments, 0) - relevant)
    above, total = 0, 0.0
    for grade in grades.earned:
        if grade is None or grade < 0:
            continue
        if grade < rel:
            above += 1
        else:
            total += 1.0 - min(above, relevant) / counted if above else 1.0
    return total / relevant if relevant else 0.0


def binary_preference_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`binary_preference` over columns."""
    relevant = count_relevant(columns, measure)
    judged = columns.judgment_query[columns.judgment_grade >= 0]
    counted = np.minimum(relevant, count_per_query(judged, len(columns)) - relevant)
    kept = columns.hit_grade >= measure.number("rel")
    query = columns.hit_query[kept]
    above = count_above(columns, (columns.hit_grade >= 0) & ~kept)[kept]
    # Where nothing wrong is above, the pair count may be 0: such hits get the full 1.
    wrong_share = np.minimum(above, relevant[query]) / np.maximum(counted[query], 1)
    preferred = np.where(above > 0, 1.0 - wrong_share, 1.0)
    totals = sum_per_query(query, preferred, len(columns))
    return MeasureColumn(divide(totals, relevant))


register_uncut(
    "Bpref",
    "share of judged pairs in the right order",
    binary_preference,
    binary_preference_columns,
)


register_geometric(
    "GMBpref", "geometric mean of Bpref over queries", binary_preference, binary_preference_columns
)


def inferred_average_precision(grades: Grades, measure: Measure) -> Value:
    """AP estimated from a sampled pool (Yilmaz & Aslam 2006); negative grades were not sampled."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    right, wrong, unsampled, total = 0, 0, 0, 0.0
    for above, grade in enumerate(grades.earned):
        if grade is None:
            continue
        if grade < 0:
            unsampled += 1
        elif grade < rel:
            wrong += 1
        else:
            total += _inferred_precision(above, right, wrong, unsampled)
            right += 1
    relevant = count_grades(grades.judgments, rel)
    return total / relevant if relevant else 0.0


def inferred_average_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`inferred_average_precision` over columns."""
    kept = columns.hit_grade >= measure.number("rel")
    query, above = columns.hit_query[kept], columns.hit_rank[kept] - 1
    right = count_above(columns, kept)[kept]
    wrong = count_above(columns, (columns.hit_grade >= 0) & ~kept)[kept]
    unsampled = count_above(columns, columns.hit_grade < 0)[kept]
    pooled = (right + wrong + unsampled) / np.maximum(above, 1)
    estimate = (right + _EPSILON) / (right + wrong + 2 * _EPSILON)
    inferred = 1.0 / (above + 1.0) + (above / (above + 1.0)) * pooled * estimate
    inferred = np.where(above == 0, 1.0, inferred)
    totals = sum_per_query(query, inferred, len(columns))
    return MeasureColumn(divide(totals, count_relevant(columns, measure)))


register_uncut(
    "infAP",
    "AP estimated from a sampled pool",
    inferred_average_precision,
    inferred_average_precision_columns,
    # It can rise when an unsampled hit moves above a relevant one.
    is_monotone=False,
)


def _inferred_precision(above: int, right: int, wrong: int, unsampled: int) -> float:
    if above == 0:
        return 1.0
    pooled = (right + wrong + unsampled) / above
    estimate = (right + _EPSILON) / (right + wrong + 2 * _EPSILON)
    return 1.0 / (above + 1.0) + (above / (above + 1.0)) * pooled * estimate
