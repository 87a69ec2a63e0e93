"""A verdict, not a p-value: better, worse, equivalent or cannot tell, and the rule that decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from html import escape
from math import ceil, log2
from typing import TYPE_CHECKING

from cranfield.errors import ComparisonError
from cranfield.statistics.sample_size import (
    minimum_detectable_effect,
    queries_for_equivalence,
    queries_needed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.measures import Measure
    from cranfield.statistics.paired_columns import PairedComparison

__all__ = [
    "ALPHA",
    "FEWEST_PAIRS",
    "UNDECIDED",
    "Verdict",
    "VerdictKind",
    "decide",
    "detectable_difference",
    "require_margin",
    "settle_verdict",
]

ALPHA = 0.05
"""How often a verdict of better or worse may be wrong, if nothing differs."""
FEWEST_PAIRS = 6
"""With five pairs that all differ in one direction, a two-sided p is still 2 / 2⁵ > 0.05."""
_LITTLE_SPREAD = 0.001
"""Differences that are all equal are planned as if they had this share of themselves as spread."""
_NO_CHANGE = "no query differs, and these are too few queries to rule out a rare change"


class VerdictKind(StrEnum):
    """What can be said of B against A."""

    BETTER = "better"
    WORSE = "worse"
    EQUIVALENT = "equivalent"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one comparison.

    *Cannot tell* comes with `queries_needed`: with how many queries, if they went on like these, a
    verdict could be expected with a power of 0.8. `reason` names an obstacle.
    """

    kind: VerdictKind
    queries_needed: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        text = f"{self.kind}: {self.reason}" if self.reason else str(self.kind)
        if self.queries_needed is None:
            return text
        return f"{text}, {self.queries_needed} queries needed"

    def _repr_html_(self) -> str:
        return f"<b>{self.kind}</b>{escape(str(self).removeprefix(str(self.kind)))}"


UNDECIDED = Verdict(VerdictKind.CANNOT_TELL)
"""The verdict if no query has a value in both arms."""


def settle_verdict(result: PairedComparison | None, *refused: Verdict | None) -> Verdict:
    """Return the first verdict that stands in the way of others, or else that of the figures.

    `refused` are what failures and missing judgments leave to say, in the order of their weight;
    None if they leave the verdict to the figures. Without any pair, nothing is decided.
    """
    stands = next((verdict for verdict in refused if verdict is not None), None)
    return stands or (result.verdict if result else UNDECIDED)


def decide(comparison: PairedComparison) -> Verdict:
    """Decide by the corrected p-values of the mean difference.

    Equivalent: the difference surely lies within the margin, which says what is too small to
    matter; this is so even if it is significant. Better or worse: the sign-flip test and the
    interval both leave out 0. Otherwise we cannot tell.
    """
    if comparison.p_equivalent is not None and comparison.p_equivalent < ALPHA:
        return Verdict(VerdictKind.EQUIVALENT)
    if comparison.p_adjusted is not None and comparison.p_adjusted < ALPHA:
        return Verdict(VerdictKind.BETTER if comparison.difference > 0 else VerdictKind.WORSE)
    reason = "" if _differing(comparison) else _NO_CHANGE
    return Verdict(VerdictKind.CANNOT_TELL, _needed(comparison), reason)


def detectable_difference(comparison: PairedComparison) -> float | None:
    """Return the smallest difference that these pairs detect with a power of 0.8.

    Tested at once with others, it has to pass at a share of alpha. None without spread.
    """
    if not comparison.student.sd or comparison.pairs < FEWEST_PAIRS:
        return None
    return minimum_detectable_effect(
        comparison.student.sd,
        comparison.pairs,
        alpha=ALPHA / comparison.compared,
        span=comparison.interval.span,
    ).value


def _differing(comparison: PairedComparison) -> int:
    return comparison.effects.outcomes.wins + comparison.effects.outcomes.losses


def _needed(comparison: PairedComparison) -> int | None:
    """Return how many queries would be enough for a verdict of any kind."""
    counts = [_needed_to_differ(comparison), _needed_to_be_alike(comparison)]
    return min((count for count in counts if count is not None), default=None)


def _needed_to_differ(comparison: PairedComparison) -> int | None:
    differing = _differing(comparison)
    if comparison.difference == 0 or differing == 0:
        return None
    # Tested at once with others, a difference has to pass at a share of alpha. Even if all pairs
    # that differ do so in one direction, p is never less than 2 / 2ⁿ.
    share = ALPHA / comparison.compared
    fewest = max(FEWEST_PAIRS, ceil(log2(2 / share)))
    least = max(ceil(fewest * comparison.pairs / differing), comparison.pairs + 1)
    spread = comparison.student.sd or abs(comparison.difference) * _LITTLE_SPREAD
    needed = queries_needed(
        abs(comparison.difference), spread, alpha=share, span=comparison.interval.span
    ).value
    return None if needed is None else max(needed, least)


def _needed_to_be_alike(comparison: PairedComparison) -> int | None:
    if comparison.equivalence is None:
        return None
    needed = queries_for_equivalence(
        comparison.difference,
        comparison.student.sd or 0.0,
        margin=comparison.equivalence.margin,
        alpha=ALPHA / comparison.compared,
        span=comparison.interval.span,
    )
    return None if needed is None else max(needed, comparison.pairs + 1)


_MOST = 1.0
"""The largest possible difference of a bounded measure."""


def require_margin(margin: float | None, measures: Iterable[Measure]) -> None:
    """Refuse a margin that is not positive, or that no difference of a measure could exceed."""
    if margin is None:
        return
    if not margin > 0:
        raise ComparisonError(f"a margin has to be positive, such as 0.02; got {margin:g}")
    for measure in measures:
        if measure.family.is_quality and measure.family.is_bounded and margin >= _MOST:
            raise ComparisonError(
                f"a margin of {margin:g} would make any two systems equivalent: values of "
                f"{measure} differ by {_MOST:g} at most; choose a smaller margin, such as 0.02"
            )
