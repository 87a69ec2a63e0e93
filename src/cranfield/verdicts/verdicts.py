"""A verdict, not a p-value: better, worse, equivalent or cannot tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, log2
from typing import TYPE_CHECKING

from cranfield.statistics import queries_needed

if TYPE_CHECKING:
    from cranfield.verdicts.paired import PairedComparison

__all__ = ["Verdict", "VerdictKind", "decide"]

_FEWEST_PAIRS = 6
_TWO_WAYS = "the mean and the test point different ways: many small changes against a few large"


class VerdictKind(StrEnum):
    """What can be said of B against A."""

    BETTER = "better"
    WORSE = "worse"
    EQUIVALENT = "equivalent"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one comparison.

    `queries_needed` comes with *cannot tell*: how many queries it would take to confirm a
    difference of the size seen here, with a chance of four in five. `reason` says what else
    stands in the way.
    """

    kind: VerdictKind
    queries_needed: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        if self.reason:
            return f"{self.kind}: {self.reason}"
        if self.queries_needed is None:
            return self.kind
        return f"{self.kind}, {self.queries_needed} queries needed"


def decide(comparison: PairedComparison, *, alpha: float = 0.05) -> Verdict:
    """Judge a comparison by its corrected p and, where a margin was stated, its equivalence.

    Equivalence takes 6 pairs or more. Where none of them differs, the arms are equivalent
    whatever the margin. A difference that is both certain and within the margin is equivalent:
    too small to matter is what the margin says. Where the mean points one way and the test the
    other, there is no saying.
    """
    outcomes = comparison.effects.outcomes
    identical = outcomes.wins + outcomes.losses == 0
    within = comparison.equivalence is not None and comparison.equivalence.equivalent
    if (identical or within) and comparison.pairs >= _FEWEST_PAIRS:
        return Verdict(VerdictKind.EQUIVALENT)
    if comparison.p_adjusted is not None and comparison.p_adjusted < alpha:
        up = comparison.difference > 0
        if comparison.test.points_up not in (None, up):
            return Verdict(VerdictKind.CANNOT_TELL, reason=_TWO_WAYS)
        return Verdict(VerdictKind.BETTER if up else VerdictKind.WORSE)
    return Verdict(VerdictKind.CANNOT_TELL, _needed(comparison, alpha))


def _needed(comparison: PairedComparison, alpha: float) -> int | None:
    outcomes = comparison.effects.outcomes
    moved = outcomes.wins + outcomes.losses
    if comparison.difference == 0 or moved == 0:
        return None
    # Tested at once with others, a difference has to pass at a share of alpha. Even if all pairs
    # that differ do so in one direction, p is no less than 2 / 2ⁿ.
    share = alpha / comparison.compared
    fewest = max(_FEWEST_PAIRS, ceil(log2(2 / share)))
    least = max(ceil(fewest * comparison.pairs / moved), comparison.pairs + 1)
    if not comparison.student.sd:
        return least
    needed = queries_needed(abs(comparison.difference), comparison.student.sd, alpha=share).value
    return None if needed is None else max(needed, least)
