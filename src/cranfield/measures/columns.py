"""Many graded rankings at once, as columns; holds only what was judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.model import Grades, Undefined, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Floats", "GradedColumns", "Integers", "MeasureColumn"]

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


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
        defined = self.values[~np.isnan(self.values)]
        if len(defined) == 0:
            reason = next(iter(self.undefined.values()), "there is no query to measure")
            return Undefined(reason)
        return float(np.add.accumulate(defined)[-1])


@dataclass(frozen=True, slots=True, eq=False)
class GradedColumns:
    """The graded rankings of many queries whose judgments are known.

    Hits that nobody judged are not stored: `hit_rank` shows where they must have been. Hits are
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

    @classmethod
    def from_grades(cls, graded: Mapping[str, Grades]) -> GradedColumns:
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
        return cls(
            queries=tuple(graded),
            retrieved=_integers([len(grades.ranked) for grades in graded.values()]),
            hit_query=hit_columns[:, 0],
            hit_rank=hit_columns[:, 1],
            hit_grade=hit_columns[:, 2],
            judgment_query=np.repeat(np.arange(len(judged)), [len(each) for each in judged]),
            judgment_grade=_integers(list(chain.from_iterable(judged))),
        )

    def grades(self, query: int) -> Grades:
        """Return one query's graded ranking."""
        first, last = np.searchsorted(self.hit_query, [query, query + 1])
        ranked: list[int | None] = [None] * int(self.retrieved[query])
        ranks = self.hit_rank[first:last].tolist()
        for rank, grade in zip(ranks, self.hit_grade[first:last].tolist(), strict=True):
            ranked[rank - 1] = grade
        first, last = np.searchsorted(self.judgment_query, [query, query + 1])
        return Grades(tuple(ranked), tuple(self.judgment_grade[first:last].tolist()))


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)
