"""Which hits two runs share: what can be said of queries whose right hits nobody has named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.comparisons.paired_runs import PairedRuns
    from cranfield.runs.runner import Run

__all__ = ["Overlap", "describe_overlap", "measure_overlap"]

_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Overlap:
    """How alike two runs are in their first hits.

    `share` is the mean over queries of the hits in both, divided by those in either; two empty
    answers are alike. `identical` counts the queries with the same hits in the same order.
    """

    queries: int
    share: float
    identical: int
    depth: int = _DEPTH


def measure_overlap(runs: PairedRuns) -> Overlap:
    """Compare the first hits of the paired queries, of the first repetition."""
    hits_a, hits_b = _first_hits(runs.a), _first_hits(runs.b)
    pairs = [
        (hits_a.get(place_a, ()), hits_b.get(place_b, ()))
        for place_a, place_b in zip(runs.places_a, runs.places_b, strict=True)
    ]
    shares = [len(set(a) & set(b)) / (len(set(a) | set(b)) or 1) or float(a == b) for a, b in pairs]
    return Overlap(len(pairs), sum(shares) / len(pairs), sum(a == b for a, b in pairs))


def describe_overlap(runs: PairedRuns) -> Iterator[str]:
    """Say how alike two runs of unjudged queries are; nothing if right hits are known."""
    if runs.has_right_answers:
        return
    found = measure_overlap(runs)
    yield (
        f"nothing says which hits are right, so this is no verdict on quality; the first "
        f"{found.depth} hits of both share {found.share:.0%} on average, and "
        f"{found.identical} of {found.queries} rankings are the same"
    )


def _first_hits(run: Run) -> dict[int, tuple[str, ...]]:
    return {
        answer.place: tuple(hit.id for hit in answer.response.hits[:_DEPTH])
        for answer in run.store.answers(run.header.id)
        if answer.repeat == 0
    }
