"""Whether a run reaches what its suite asks of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.measures import parse_measure
from cranfield.model import Undefined
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from cranfield.model import Suite, Threshold, Value
    from cranfield.runs import Summary

__all__ = ["GateResult", "ThresholdResult", "apply_gate"]


@dataclass(frozen=True, slots=True)
class ThresholdResult:
    """A threshold and what was reached; an undefined value has reached nothing."""

    threshold: Threshold
    value: Value

    @property
    def reached(self) -> bool:
        """Whether the value is at least what is asked, up to the rounding of a mean."""
        if isinstance(self.value, Undefined):
            return False
        return self.value >= self.threshold.at_least - TIE_TOLERANCE

    @property
    def outcome(self) -> str:
        """The result in a word or two."""
        if self.reached:
            return "reached"
        return "below, diagnostic" if self.threshold.diagnostic else "FAILED"


@dataclass(frozen=True, slots=True)
class GateResult:
    """All thresholds of a suite. Only those that are not diagnostic can fail the gate."""

    thresholds: tuple[ThresholdResult, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing that counts fell short."""
        return all(each.reached or each.threshold.diagnostic for each in self.thresholds)


def apply_gate(suite: Suite, summary: Summary) -> GateResult:
    """Apply a suite's thresholds; those of a category that was not asked are left out."""
    results = []
    for threshold in suite.gate:
        group = summary.overall
        if threshold.category:
            if threshold.category not in summary.categories:
                continue
            group = summary.categories[threshold.category]
        results.append(ThresholdResult(threshold, group.means[parse_measure(threshold.measure)]))
    return GateResult(tuple(results))
