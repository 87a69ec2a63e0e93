"""A run before its gate: thresholds, failures, what it lost against a baseline, and the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cranfield.gates.latencies import find_latencies
from cranfield.gates.regressions import RuleResult, Severity, compare_to_baseline
from cranfield.gates.thresholds import apply_gate
from cranfield.measures import parse_measure
from cranfield.model import Undefined
from cranfield.runs import Run, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates.baselines import Baseline
    from cranfield.gates.latencies import Latency
    from cranfield.gates.regressions import Regressions
    from cranfield.gates.thresholds import GateResult
    from cranfield.runs import Outcomes, Summary

__all__ = ["GatedRun", "find_promotions"]


@dataclass(frozen=True)
class GatedRun:
    """A run, and the baseline it is held to, if any.

    `promotions` are thresholds to raise; `notices` is what was noticed around the run.
    """

    run: Run
    baseline: Baseline | None = None
    promotions: tuple[str, ...] = ()
    notices: tuple[RuleResult, ...] = ()

    @cached_property
    def outcomes(self) -> Outcomes:
        """What became of every query."""
        return self.run.outcomes()

    @cached_property
    def summary(self) -> Summary:
        """The means."""
        return summarise(self.run, self.outcomes)

    @cached_property
    def thresholds(self) -> GateResult:
        """What the suite asks of any run."""
        return apply_gate(self.run.header.suite, self.summary)

    @cached_property
    def regressions(self) -> Regressions | None:
        """What the run lost against the baseline."""
        return compare_to_baseline(self.run, self.baseline) if self.baseline else None

    @cached_property
    def latencies(self) -> tuple[Latency, ...]:
        """How long answers took; this is told, and judges nothing."""
        before = self.baseline.accepted.latency if self.baseline else {}
        return find_latencies(self.outcomes, self.run.header.suite.latency, before)

    @cached_property
    def results(self) -> tuple[RuleResult, ...]:
        """Everything that a rule had to say, failures first."""
        found = [*_judge_failures(self), *_judge_thresholds(self), *_judge_nothing(self)]
        found += self.regressions.results if self.regressions else ()
        found += self.notices
        found += [RuleResult("promotion", Severity.NOTE, each) for each in self.promotions]
        order = list(Severity)
        return tuple(sorted(found, key=lambda each: order.index(each.severity)))

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not any(each.severity is Severity.FAIL for each in self.results)


def _judge_failures(gated: GatedRun) -> list[RuleResult]:
    """Judge queries without an answer."""
    most = gated.run.header.suite.rules.most_failures
    if gated.outcomes.is_unanswered:
        return [RuleResult("answered", Severity.FAIL, "no query was answered")]
    pairs = zip(gated.outcomes.queries, gated.outcomes.statuses, strict=True)
    failed = tuple(query.id for query, status in pairs if status is None or status.is_failure)
    if most is None or len(failed) <= most:
        return []
    message = f"{len(failed)} queries were not answered; at most {most} may be"
    return [RuleResult("most_failures", Severity.FAIL, message, failed)]


def _judge_nothing(gated: GatedRun) -> list[RuleResult]:
    """Warn where there is nothing that could fail."""
    hard = [each for each in gated.thresholds.thresholds if not each.threshold.diagnostic]
    if hard or gated.baseline:
        return []
    message = "the suite has no threshold and no baseline: nothing could fail; accept a run"
    return [RuleResult("judged", Severity.WARN, message)]


def _judge_thresholds(gated: GatedRun) -> list[RuleResult]:
    """Judge the means."""
    found = []
    for each in gated.thresholds.thresholds:
        if each.reached:
            continue
        threshold = each.threshold
        severity = Severity.WARN if threshold.diagnostic else Severity.FAIL
        value = "undefined" if isinstance(each.value, Undefined) else f"{each.value:.4f}"
        where = f" in {threshold.category}" if threshold.category else ""
        message = f"{threshold.measure}{where} is {value}; {threshold.at_least:g} is asked"
        found.append(RuleResult("threshold", severity, message))
    return found


def find_promotions(
    run: Run, earlier: Sequence[Run], baseline: Baseline | None = None
) -> tuple[str, ...]:
    """Say which thresholds could be raised: all of the last runs passed, and reached more.

    `earlier` are runs of the same suite and system, the newest last. A threshold is raised to
    the least that any of them reached, in steps of a hundredth.
    """
    count = run.header.suite.rules.promote_after
    if count is None or len(earlier) + 1 < count:
        return ()
    runs = [GatedRun(each, baseline) for each in (*earlier[len(earlier) + 1 - count :], run)]
    if not all(each.passed for each in runs):
        return ()
    last = [each.summary for each in runs]
    found = []
    for threshold in run.header.suite.gate:
        measure = parse_measure(threshold.measure)
        groups = [
            summary.categories.get(threshold.category) if threshold.category else summary.overall
            for summary in last
        ]
        values = [group.means.get(measure) if group else None for group in groups]
        reached = [value for value in values if isinstance(value, float)]
        least = int(min(reached, default=0.0) * 100) / 100
        if len(reached) == count and least > threshold.at_least:
            where = f" in {threshold.category}" if threshold.category else ""
            found.append(
                f"{count} runs in a row reached {least:g} of {threshold.measure}{where}; "
                f"its threshold of {threshold.at_least:g} can be raised"
            )
    return tuple(found)
