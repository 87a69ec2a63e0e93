"""What was returned, judged and relevant, in numbers: NumRet, NumRel, Utility, Judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.measures.columns import (
    UNKNOWN_JUDGMENTS,
    GradedColumns,
    MeasureColumn,
    count_found,
    count_grades,
    count_per_query,
    count_relevant,
    keep_to_depth,
)
from cranfield.measures.families import (
    REL,
    Family,
    register_family,
    register_uncut,
    whole_number,
)
from cranfield.model import Undefined

if TYPE_CHECKING:
    from cranfield.measures.measure import Measure
    from cranfield.model import Grades, Value

__all__: list[str] = []


def retrieved_count(grades: Grades, measure: Measure) -> Value:  # noqa: ARG001 - one signature for all
    """Count the hits."""
    return float(len(grades.ranked))


def retrieved_count_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:  # noqa: ARG001 - one signature for all
    """`retrieved_count` over columns."""
    return MeasureColumn(columns.retrieved.astype(np.float64))


register_family(
    Family(
        name="NumRet",
        summary="hits returned",
        example="NumRet",
        of_grades=retrieved_count,
        of_columns=retrieved_count_columns,
        is_monotone=True,
        is_count=True,
        is_bounded=False,
        is_quality=False,
        needs_hits=False,
        hint="for relevant hits, use NumRelRet(rel=…)",
    )
)


def relevant_count(grades: Grades, measure: Measure) -> Value:
    """Count the relevant documents that exist."""
    if grades.judgments is None:
        return UNKNOWN_JUDGMENTS
    return float(count_grades(grades.judgments, measure.number("rel")))


def relevant_count_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`relevant_count` over columns."""
    return MeasureColumn(count_relevant(columns, measure).astype(np.float64))


register_uncut(
    "NumRel", "relevant documents that exist", relevant_count, relevant_count_columns, is_count=True
)


def relevant_retrieved_count(grades: Grades, measure: Measure) -> Value:
    """Count the relevant documents found."""
    return float(count_grades(grades.earned, measure.number("rel")))


def relevant_retrieved_count_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`relevant_retrieved_count` over columns."""
    return MeasureColumn(count_found(columns, measure).astype(np.float64))


register_uncut(
    "NumRelRet",
    "relevant documents found",
    relevant_retrieved_count,
    relevant_retrieved_count_columns,
    is_count=True,
)


def nonrelevant_retrieved_count(grades: Grades, measure: Measure) -> Value:
    """Count the hits that were judged not relevant."""
    judged = count_grades(grades.earned, 0)
    return float(judged - count_grades(grades.earned, measure.number("rel")))


def nonrelevant_retrieved_count_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`nonrelevant_retrieved_count` over columns."""
    judged = count_per_query(columns.hit_query[columns.hit_grade >= 0], len(columns))
    return MeasureColumn((judged - count_found(columns, measure)).astype(np.float64))


register_uncut(
    "NumNonrelRet",
    "hits judged not relevant",
    nonrelevant_retrieved_count,
    nonrelevant_retrieved_count_columns,
    is_count=True,
)


def utility(grades: Grades, measure: Measure) -> Value:
    """Relevant hits minus all other hits."""
    found = count_grades(grades.earned, measure.number("rel"))
    return float(found - (len(grades.ranked) - found))


def utility_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`utility` over columns."""
    found = count_found(columns, measure)
    return MeasureColumn((found - (columns.retrieved - found)).astype(np.float64))


register_family(
    Family(
        name="Utility",
        summary="relevant hits minus all other hits",
        example="Utility",
        of_grades=utility,
        of_columns=utility_columns,
        is_monotone=True,
        is_bounded=False,
        parameters={"rel": REL},
    )
)


def judged_share(grades: Grades, measure: Measure) -> Value:
    """Share of the first k hits that somebody judged."""
    seen = grades.ranked[: measure.depth]
    if not seen:
        return Undefined("nothing was retrieved")
    return count_grades(seen, 0) / len(seen)


def judged_share_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`judged_share` over columns."""
    depth = columns.retrieved
    if measure.depth is not None:
        depth = np.minimum(depth, measure.depth)
    judged = columns.hit_query[keep_to_depth(columns, columns.hit_grade >= 0, measure)]
    values = count_per_query(judged, len(columns)) / np.maximum(depth, 1)
    empty = np.flatnonzero(depth == 0)
    values[empty] = np.nan
    return MeasureColumn(values, dict.fromkeys(empty.tolist(), "nothing was retrieved"))


register_family(
    Family(
        name="Judged",
        summary="share of the first k hits that somebody judged",
        example="Judged@10",
        of_grades=judged_share,
        of_columns=judged_share_columns,
        is_monotone=True,
        cutoff=whole_number,
        is_quality=False,
        hint="for hits judged relevant, use P(rel=…)",
    )
)


def unjudged_share(grades: Grades, measure: Measure) -> Value:
    """Unjudged hits in the first k / k; fewer hits than k are not unjudged ones."""
    seen = grades.ranked[: measure.depth]
    return (len(seen) - count_grades(seen, 0)) / (measure.depth or 1)


def unjudged_share_columns(columns: GradedColumns, measure: Measure) -> MeasureColumn:
    """`unjudged_share` over columns."""
    seen = np.minimum(columns.retrieved, measure.depth or 1)
    judged = columns.hit_query[keep_to_depth(columns, columns.hit_grade >= 0, measure)]
    return MeasureColumn((seen - count_per_query(judged, len(columns))) / (measure.depth or 1))


register_family(
    Family(
        name="Unjudged",
        summary="unjudged hits in the first k, over k",
        example="Unjudged@10",
        of_grades=unjudged_share,
        of_columns=unjudged_share_columns,
        cutoff=whole_number,
        needs_cutoff=True,
        is_quality=False,
        hint="for the share of the hits returned, use Judged",
    )
)
