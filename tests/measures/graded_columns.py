"""Columns of rankings that were graded one by one."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from cranfield.measures import GradedColumns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Grades


def columns_of(graded: Mapping[str, Grades]) -> GradedColumns:
    """Build the columns of rankings graded one by one.

    Raises ValueError if judgments are unknown or several hits share a target: columns
    cannot hold these, the measure itself can.
    """
    for query, grades in graded.items():
        if grades.judgments is None or grades.targets is not None:
            raise ValueError(f"query {query!r} has unknown judgments or shared targets")
    hits = [
        (position, rank, grade)
        for position, grades in enumerate(graded.values())
        for rank, grade in enumerate(grades.ranked, start=1)
        if grade is not None
    ]
    judged = [sorted(grades.judgments or (), reverse=True) for grades in graded.values()]
    hit_columns = np.array(hits, dtype=np.int64).reshape(-1, 3)
    return GradedColumns(
        queries=tuple(graded),
        retrieved=np.array([len(grades.ranked) for grades in graded.values()], dtype=np.int64),
        hit_query=hit_columns[:, 0],
        hit_rank=hit_columns[:, 1],
        hit_grade=hit_columns[:, 2],
        judgment_query=np.repeat(np.arange(len(judged)), [len(each) for each in judged]),
        judgment_grade=np.array(list(chain.from_iterable(judged)), dtype=np.int64),
    )
