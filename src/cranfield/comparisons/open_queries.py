"""Queries that cannot be compared because hits that nobody judged decide about them.

Such a hit stands above the right one more often where a system is worse. So the queries that are
left are no sample of all: beyond a stated share of open ones, there is no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.comparisons.failures import MOST_FAILED
from cranfield.verdicts import Verdict, VerdictKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cranfield.model import Query

__all__ = ["MOST_OPEN", "NOTHING_IS_RIGHT", "OpenQueries", "find_open_queries", "refuse_open"]

MOST_OPEN = MOST_FAILED
"""If a larger share of the queries hangs on hits that nobody judged, there is no verdict."""

NOTHING_IS_RIGHT = Verdict(
    VerdictKind.CANNOT_TELL,
    reason="nothing says what is right: judge hits with `cranfield judge`, or write into the "
    "suite what to expect",
)
"""The verdict on a list of queries without right answers, whatever their measures say."""


@dataclass(frozen=True, slots=True)
class OpenQueries:
    """The answered queries of a comparison whose value hangs on hits that nobody judged."""

    queries: int
    ids: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many queries are open."""
        return len(self.ids)

    @property
    def is_too_many(self) -> bool:
        """Whether so many are open that the rest says nothing about the whole."""
        return self.count > MOST_OPEN * self.queries

    def __str__(self) -> str:
        hang = "hangs" if self.count == 1 else "hang"
        return f"{self.count} of {self.queries} queries {hang} on hits that nobody judged"


def find_open_queries(queries: Sequence[Query], is_open: NDArray[np.bool_]) -> OpenQueries:
    """Name the queries that are open."""
    pairs = zip(queries, is_open.tolist(), strict=True)
    return OpenQueries(len(queries), tuple(query.id for query, each in pairs if each))


def refuse_open(found: OpenQueries, advice: str) -> Verdict | None:
    """Return the verdict if too many queries are open; None if the others may decide.

    `advice` says what judges the hits that decide.
    """
    if not found.is_too_many:
        return None
    remedy = f'judge them with {advice}, or set holes = "irrelevant" in [judging]'
    return Verdict(VerdictKind.CANNOT_TELL, reason=f"{found}; {remedy}")
