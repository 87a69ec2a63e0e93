"""What became of each query: every one lands in exactly one bucket."""

from __future__ import annotations

from enum import StrEnum

from cranfield.statistics import TIE_TOLERANCE

__all__ = ["Bucket", "bucket_of"]


class Bucket(StrEnum):
    """How the rank of the first right hit changed from A to B."""

    ADDED = "added"
    """Not found in A, found in B."""

    FIXED = "fixed"
    """Found below rank 1 in A, at rank 1 in B."""

    IMPROVED = "improved"
    """Found in both, higher in B, or of more worth."""

    UNCHANGED_FIRST = "unchanged at rank 1"
    UNCHANGED_BELOW = "unchanged below"
    DEGRADED = "degraded"
    """Found in both, lower in B, or of less worth."""

    REMOVED = "removed from rank 1"
    """At rank 1 in A, found below in B."""

    LOST = "lost"
    """Found in A, not found in B."""

    NEVER = "never found"

    @property
    def is_loss(self) -> bool:
        """Whether B is worse for the query."""
        return self in (Bucket.DEGRADED, Bucket.REMOVED, Bucket.LOST)

    @property
    def is_change(self) -> bool:
        """Whether B differs from A for the query."""
        return self.is_loss or self in (Bucket.ADDED, Bucket.FIXED, Bucket.IMPROVED)


def bucket_of(rank_a: int | None, rank_b: int | None, difference: float = 0.0) -> Bucket:
    """Return the bucket of a query by the rank of its first right hit, None if not found.

    `difference` is what the class's first measure gained. Where it moved and the rank did not,
    or the other way, the query is improved or degraded as the measure says.
    """
    bucket = _by_rank(rank_a, rank_b)
    if difference > TIE_TOLERANCE and (bucket.is_loss or not bucket.is_change):
        return Bucket.IMPROVED
    if difference < -TIE_TOLERANCE and not bucket.is_loss:
        return Bucket.DEGRADED
    return bucket


def _by_rank(rank_a: int | None, rank_b: int | None) -> Bucket:
    if rank_a is None:
        return Bucket.NEVER if rank_b is None else Bucket.ADDED
    if rank_b is None:
        return Bucket.LOST
    if rank_a == rank_b:
        return Bucket.UNCHANGED_FIRST if rank_a == 1 else Bucket.UNCHANGED_BELOW
    if rank_a == 1:
        return Bucket.REMOVED
    if rank_b == 1:
        return Bucket.FIXED
    return Bucket.IMPROVED if rank_b < rank_a else Bucket.DEGRADED
