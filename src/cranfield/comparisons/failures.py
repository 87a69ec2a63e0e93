"""What the arms of a comparison did not answer: a finding of its own, never a matter of quality."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.verdicts import Verdict, VerdictKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.model import Query, Status

__all__ = ["MOST_FAILED", "ArmFailures", "find_failures", "refuse_verdict"]

MOST_FAILED = 0.1
"""If an arm failed to answer a larger share of the queries, there is no verdict."""


@dataclass(frozen=True, slots=True)
class ArmFailures:
    """The queries of a comparison that one arm did not answer, counted by status."""

    name: str
    queries: int
    statuses: Mapping[Status, int]
    ids: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many queries failed."""
        return len(self.ids)

    @property
    def is_too_many(self) -> bool:
        """Whether so many failed that the rest says nothing about the whole."""
        return self.count > MOST_FAILED * self.queries

    def __str__(self) -> str:
        return f"{self.count} of {self.queries} queries failed in {self.name}"


def find_failures(
    name: str, queries: Sequence[Query], statuses: Sequence[Status | None]
) -> ArmFailures:
    """Count what an arm did not answer."""
    failed = [
        (query.id, status)
        for query, status in zip(queries, statuses, strict=True)
        if status is not None and status.is_failure
    ]
    counts = Counter(status for _, status in failed)
    ids = tuple(query_id for query_id, _ in failed)
    return ArmFailures(name, len(queries), dict(sorted(counts.items())), ids)


def refuse_verdict(failures: Iterable[ArmFailures]) -> Verdict | None:
    """Return the verdict if too many queries failed in an arm; None if the others may decide."""
    found = [str(each) for each in failures if each.is_too_many]
    return Verdict(VerdictKind.CANNOT_TELL, reason=", ".join(found)) if found else None
