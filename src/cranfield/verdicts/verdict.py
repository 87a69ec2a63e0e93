"""A verdict, not a p-value: better, worse, equivalent or cannot tell, and the rule that decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, log2
from typing import TYPE_CHECKING

from cranfield.statistics import minimum_detectable_effect, queries_needed

if TYPE_CHECKING:
    from cranfield.verdicts.paired import PairedComparison

__all__ = ["UNDECIDED", "Verdict", "VerdictKind", "decide", "detectable_difference"]

_ALPHA = 0.05
_FEWEST_PAIRS = 6
"""With five pairs that all differ in one direction, a two-sided p is still 2 / 2⁵ > 0.05."""
_OPPOSITE = "the mean and the test point different ways: many small changes against a few large"


class VerdictKind(StrEnum):
    """What can be said of B against A."""

    BETTER = "better"
    WORSE = "worse"
    EQUIVALENT = "equivalent"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one comparison.

    *Cannot tell* comes with `queries_needed`: how many queries it would take to confirm a
    difference of the observed size, with a power of 0.8. `reason` names another obstacle.
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


UNDECIDED = Verdict(VerdictKind.CANNOT_TELL)
"""The verdict if no query has a value in both arms."""


def decide(comparison: PairedComparison) -> Verdict:
    """Decide by the corrected p-value and, if a margin was given, by equivalence.

    Equivalence takes at least 6 pairs. If no pair differs, the arms are equivalent whatever the
    margin. A significant difference within the margin is equivalent: the margin says what is too
    small to matter. If the mean and the test point in opposite directions, nothing is decided.
    """
    within = comparison.equivalence is not None and comparison.equivalence.equivalent
    if (within or not _differing(comparison)) and comparison.pairs >= _FEWEST_PAIRS:
        return Verdict(VerdictKind.EQUIVALENT)
    if comparison.p_adjusted is not None and comparison.p_adjusted < _ALPHA:
        up = comparison.difference > 0
        if _points_up(comparison.test.p_greater) not in (None, up):
            return Verdict(VerdictKind.CANNOT_TELL, reason=_OPPOSITE)
        return Verdict(VerdictKind.BETTER if up else VerdictKind.WORSE)
    return Verdict(VerdictKind.CANNOT_TELL, _needed(comparison))


def detectable_difference(comparison: PairedComparison) -> float | None:
    """Return the smallest difference that these pairs detect with a power of 0.8.

    Tested at once with others, it has to pass at a share of alpha. None without spread.
    """
    if not comparison.student.sd or comparison.pairs < _FEWEST_PAIRS:
        return None
    share = _ALPHA / comparison.compared
    return minimum_detectable_effect(comparison.student.sd, comparison.pairs, alpha=share).value


def _points_up(p_greater: float | None) -> bool | None:
    """Return whether a test favours B; None if it favours neither arm."""
    return None if p_greater is None or p_greater == 0.5 else p_greater < 0.5


def _differing(comparison: PairedComparison) -> int:
    return comparison.effects.outcomes.wins + comparison.effects.outcomes.losses


def _needed(comparison: PairedComparison) -> int | None:
    differing = _differing(comparison)
    if comparison.difference == 0 or differing == 0:
        return None
    # Tested at once with others, a difference has to pass at a share of alpha. Even if all pairs
    # that differ do so in one direction, p is no less than 2 / 2ⁿ.
    share = _ALPHA / comparison.compared
    fewest = max(_FEWEST_PAIRS, ceil(log2(2 / share)))
    least = max(ceil(fewest * comparison.pairs / differing), comparison.pairs + 1)
    if not comparison.student.sd:
        return least
    needed = queries_needed(abs(comparison.difference), comparison.student.sd, alpha=share).value
    return None if needed is None else max(needed, least)
