"""The parts of a sweep's queries: those to tune on and those held out, or folds.

Queries are split by suite and category, so that each part has its share of both. Which query goes
where follows from the seed and the queries alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.suites import hash_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cranfield.model import Query, Suite

__all__ = ["FEWEST_HELD_OUT", "QueryTable", "fold_queries", "hold_out", "is_too_small"]

FEWEST_HELD_OUT = 20
"""If a suite has fewer queries to hold out, all are used by nested cross-validation."""


@dataclass(frozen=True, slots=True)
class QueryTable:
    """The queries of all suites of a sweep in one order: the rows of every score."""

    suites: tuple[str, ...]
    queries: tuple[Query, ...]
    measures: dict[str, str]
    """The headline measure of each suite."""

    @classmethod
    def of(cls, suites: Sequence[Suite], measures: dict[str, str]) -> QueryTable:
        """List the queries of suites."""
        pairs = [(suite.id, query) for suite in suites for query in suite.asked]
        return cls(tuple(suite for suite, _ in pairs), tuple(each for _, each in pairs), measures)

    @property
    def suite_ids(self) -> list[str]:
        """The suites, each once."""
        return list(dict.fromkeys(self.suites))

    def of_suite(self, suite: str) -> NDArray[np.bool_]:
        """Return which rows belong to a suite."""
        return np.array([each == suite for each in self.suites], dtype=np.bool_)

    def groups(self) -> dict[tuple[str, str], list[int]]:
        """Return the rows of each suite and category."""
        found: dict[tuple[str, str], list[int]] = {}
        pairs = zip(self.suites, self.queries, strict=True)
        for row, (suite, query) in enumerate(pairs):
            found.setdefault((suite, query.category), []).append(row)
        return found


def hold_out(table: QueryTable, share: float, seed: int) -> NDArray[np.bool_]:
    """Return which queries are held out: a share of each category of each suite."""
    held = np.zeros(len(table.queries), dtype=np.bool_)
    carried = dict.fromkeys(table.suites, 0.0)
    for (suite, _), rows in table.groups().items():
        # What rounding leaves over is carried to the suite's next category.
        carried[suite] += share * len(rows)
        count = min(round(carried[suite]), len(rows))
        carried[suite] -= count
        held[_shuffle(table, rows, seed)[:count]] = True
    return held


def is_too_small(table: QueryTable, held: NDArray[np.bool_]) -> str:
    """Return the suite that would have too few queries held out; empty if none has."""
    for suite in table.suite_ids:
        if int(np.sum(held & table.of_suite(suite))) < FEWEST_HELD_OUT:
            return suite
    return ""


def fold_queries(table: QueryTable, folds: int, seed: int) -> NDArray[np.intp]:
    """Return the fold of each query; each has its share of each category of each suite."""
    found = np.zeros(len(table.queries), dtype=np.intp)
    first = 0
    for rows in table.groups().values():
        for place, row in enumerate(_shuffle(table, rows, seed)):
            found[row] = (first + place) % folds
        first += len(rows)
    return found


def _shuffle(table: QueryTable, rows: list[int], seed: int) -> list[int]:
    def key(row: int) -> bytes:
        name = f"{seed}\0{table.suites[row]}\0{hash_query(table.queries[row])}"
        return hashlib.sha256(name.encode()).digest()

    return sorted(rows, key=key)
