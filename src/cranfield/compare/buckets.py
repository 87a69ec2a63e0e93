"""What became of each query: every one lands in exactly one bucket."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Bucket", "bucket_of"]


class Bucket(StrEnum):
    """How the rank of the first right hit changed from A to B."""

    ADDED = "added"
    """Not found in A, found in B."""

    FIXED = "fixed"
    """Found below rank 1 in A, at rank 1 in B."""

    IMPROVED = "improved"
    """Found below rank 1 in both, higher in B."""

    UNCHANGED_FIRST = "unchanged at rank 1"
    UNCHANGED_BELOW = "unchanged below"
    DEGRADED = "degraded"
    """Found below rank 1 in A, lower in B."""

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


def bucket_of(rank_a: int | None, rank_b: int | None) -> Bucket:
    """Return the bucket of a query by the rank of its first right hit, None if not found."""
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
