"""Whether the means of a run reach the thresholds of its suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.measures import parse_measure
from cranfield.model import Undefined
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from cranfield.model import Suite, Threshold, Value
    from cranfield.runs import Summary

__all__ = ["ThresholdResult", "ThresholdResults", "apply_thresholds"]


@dataclass(frozen=True, slots=True)
class ThresholdResult:
    """A threshold and the value of the run; an undefined value reaches no threshold."""

    threshold: Threshold
    value: Value

    @property
    def reached(self) -> bool:
        """Whether the value is at least the threshold, up to the rounding of a mean."""
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
class ThresholdResults:
    """All thresholds of a suite. A diagnostic threshold cannot fail the gate."""

    thresholds: tuple[ThresholdResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every threshold that is not diagnostic was reached."""
        return all(each.reached or each.threshold.diagnostic for each in self.thresholds)


def apply_thresholds(suite: Suite, summary: Summary) -> ThresholdResults:
    """Apply a suite's thresholds; those of a category that was not run are left out."""
    results = []
    for threshold in suite.gate:
        group = summary.overall
        if threshold.category:
            if threshold.category not in summary.categories:
                continue
            group = summary.categories[threshold.category]
        results.append(ThresholdResult(threshold, group.means[parse_measure(threshold.measure)]))
    return ThresholdResults(tuple(results))
