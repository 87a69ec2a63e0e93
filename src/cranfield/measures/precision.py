"""How many hits are right, and where the first one is: P, RelP, R, F1, Success, RR, RPrec."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

import numpy as np

from cranfield.measures.columns import (
    UNKNOWN_JUDGMENTS,
    Floats,
    GradedColumns,
    Integers,
    MeasureColumn,
    count_found,
    count_grades,
    count_per_query,
    count_relevant,
    divide,
    relevant_hits,
)
from cranfield.measures.families import (
    REL,
    Family,
    multiple,
    register_family,
    register_ranked,
    register_uncut,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__: list[str] = []


def precision(grades: Grades, measure: Measure) -> Value:
    """Share of the first k hits that are relevant; without k, of all hits."""
    return _precision(grades, measure.cutoff, measure.number("rel"))


def precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`precision` over columns."""
    return MeasureColumn(_precisions(columns, measure))


register_ranked(
    "P",
    "share of the first k hits that are relevant",
    precision,
    precision_columns,
    aliases=("Precision",),
)


def relative_precision(grades: Grades, measure: Measure) -> Value:
    """Precision over the highest possible: relevant hits / the smaller of hits and relevant."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    depth = measure.depth or len(grades.ranked)
    possible = min(depth, count_grades(grades.judgments, rel))
    return count_grades(grades.earned[:depth], rel) / possible if possible else 0.0


def relative_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`relative_precision` over columns."""
    depth = columns.retrieved if measure.depth is None else np.int64(measure.depth)
    possible = np.minimum(depth, count_relevant(columns, measure))
    return MeasureColumn(divide(count_found(columns, measure), possible))


register_ranked(
    "RelP",
    "P over the highest that is possible in k hits",
    relative_precision,
    relative_precision_columns,
)


def recall(grades: Grades, measure: Measure) -> Value:
    """Share of the relevant documents found in the first k hits."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    return _recall(grades, grades.judgments, measure.cutoff, measure.number("rel"))


def recall_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`recall` over columns."""
    return MeasureColumn(_recalls(columns, measure))


register_ranked(
    "R",
    "share of the relevant documents in the first k hits",
    recall,
    recall_columns,
    aliases=("Recall",),
)


def f1(grades: Grades, measure: Measure) -> Value:
    """Harmonic mean of precision and recall."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    found = _recall(grades, grades.judgments, measure.cutoff, rel)
    right = _precision(grades, measure.cutoff, rel)
    return 2.0 * right * found / (right + found) if right + found > 0 else 0.0


def f1_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`f1` over columns."""
    right, found = _precisions(columns, measure), _recalls(columns, measure)
    return MeasureColumn(divide(2.0 * right * found, right + found))


register_ranked("F1", "harmonic mean of P and R", f1, f1_columns)


def set_average_precision(grades: Grades, measure: Measure) -> Value:
    """Precision times recall of all hits, in any order."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    found = count_grades(grades.earned, rel)
    possible = len(grades.ranked) * count_grades(grades.judgments, rel)
    return found * found / possible if possible else 0.0


def set_average_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`set_average_precision` over columns."""
    found = count_found(columns, measure)
    possible = columns.retrieved * count_relevant(columns, measure)
    return MeasureColumn(divide(found * found, possible))


register_uncut(
    "SetAP", "P times R of all hits", set_average_precision, set_average_precision_columns
)


def success(grades: Grades, measure: Measure) -> Value:
    """1 if any of the first k hits is relevant, else 0."""
    return float(count_grades(grades.ranked[: measure.depth], measure.number("rel")) > 0)


def success_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`success` over columns."""
    return MeasureColumn((count_found(columns, measure) > 0).astype(np.float64))


register_ranked(
    "Success",
    "whether the first k hits hold a relevant one",
    success,
    success_columns,
    needs_cutoff=True,
)


def reciprocal_rank(grades: Grades, measure: Measure) -> Value:
    """1 / rank of the first relevant hit; 0 if there is none in the first k."""
    rel = measure.number("rel")
    for rank, grade in enumerate(grades.ranked[: measure.depth], start=1):
        if grade is not None and grade >= rel:
            return 1.0 / rank
    return 0.0


def reciprocal_rank_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`reciprocal_rank` over columns."""
    kept = relevant_hits(columns, measure)
    query, rank = columns.hit_query[kept], columns.hit_rank[kept]
    first = np.ones(len(query), dtype=bool)
    first[1:] = query[1:] != query[:-1]
    values = np.zeros(len(columns))
    values[query[first]] = 1.0 / rank[first]
    return MeasureColumn(values)


register_ranked(
    "RR",
    "1 / rank of the first relevant hit",
    reciprocal_rank,
    reciprocal_rank_columns,
    aliases=("MRR",),
)


def r_precision(grades: Grades, measure: Measure) -> Value:
    """Precision at R, the number of relevant documents, or at a multiple of R.

    A multiple becomes a rank by adding 0.9 and rounding down, as in trec_eval.
    """
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    rel = measure.number("rel")
    relevant = count_grades(grades.judgments, rel)
    depth = relevant if measure.cutoff is None else floor(measure.cutoff * relevant + 0.9)
    return count_grades(grades.earned[:depth], rel) / depth if depth else 0.0


def r_precision_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`r_precision` over columns."""
    depth: Integers | Floats = count_relevant(columns, measure)
    if measure.cutoff is not None:
        depth = np.floor(measure.cutoff * depth + 0.9)
    kept = relevant_hits(columns, measure)
    query = columns.hit_query[kept]
    inside = query[columns.hit_rank[kept] <= depth[query]]
    return MeasureColumn(divide(count_per_query(inside, len(columns)), depth))


register_uncut(
    "RPrec",
    "precision at the number of relevant documents",
    r_precision,
    r_precision_columns,
    aliases=("Rprec",),
)
register_family(
    Family(
        name="RPrecMult",
        summary="precision at a multiple of the number of relevant documents",
        example="RPrecMult@0.5",
        of_grades=r_precision,
        of_columns=r_precision_columns,
        is_monotone=True,
        parameters={"rel": REL},
        cutoff=multiple,
        needs_cutoff=True,
    )
)


def _precision(grades: Grades, cutoff: float | None, rel: float) -> float:
    depth = len(grades.ranked) if cutoff is None else int(cutoff)
    return count_grades(grades.ranked[:depth], rel) / depth if depth else 0.0


def _recall(grades: Grades, judgments: Sequence[int], cutoff: float | None, rel: float) -> float:
    depth = None if cutoff is None else int(cutoff)
    relevant = count_grades(judgments, rel)
    return count_grades(grades.earned[:depth], rel) / relevant if relevant else 0.0


def _precisions(columns: GradedColumns, measure: Measure) -> Floats:
    found = count_found(columns, measure)
    return divide(found, columns.retrieved) if measure.depth is None else found / measure.depth


def _recalls(columns: GradedColumns, measure: Measure) -> Floats:
    return divide(count_found(columns, measure), count_relevant(columns, measure))
