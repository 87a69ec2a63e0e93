"""A run judged by its gate: thresholds, failures, regressions against a baseline, the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.gates.latencies import find_latencies
from cranfield.gates.regressions import compare_to_baseline
from cranfield.gates.rules import RuleResult, Severity
from cranfield.gates.thresholds import apply_thresholds
from cranfield.measures import parse_measure
from cranfield.model import Undefined
from cranfield.runs import summarise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.gates.baselines import Baseline
    from cranfield.gates.latencies import Latency
    from cranfield.gates.regressions import Change, Regressions
    from cranfield.gates.thresholds import ThresholdResults
    from cranfield.model import Threshold
    from cranfield.runs import Outcomes, Run, Summary

__all__ = ["GatedRun", "find_promotions", "gate_run"]


@dataclass(frozen=True)
class GatedRun:
    """A run and what its gate decided; `regressions` is None if there is no baseline.

    `results` has everything that rules report, failures first. `latencies` are reported but never
    fail a gate: build machines vary.
    """

    run: Run
    baseline: Baseline | None
    outcomes: Outcomes
    summary: Summary
    thresholds: ThresholdResults
    regressions: Regressions | None
    latencies: tuple[Latency, ...]
    results: tuple[RuleResult, ...]
    passed: bool


def gate_run(
    run: Run,
    baseline: Baseline | None = None,
    *,
    notices: Sequence[RuleResult] = (),
    compared: Mapping[int, Change] | None = None,
) -> GatedRun:
    """Judge a run by the thresholds and rules of its suite, against a baseline if there is one.

    `notices` are further results to report with this run. `compared` is the result of
    `compare_queries`, if it is known already.
    """
    outcomes = run.outcomes()
    summary = summarise(run, outcomes)
    thresholds = apply_thresholds(run.header.suite, summary)
    regressions = compare_to_baseline(run, baseline, compared) if baseline else None
    found = [*_judge_failures(run, outcomes), *_judge_thresholds(thresholds)]
    if regressions is None:
        found += _judge_absence(thresholds)
    else:
        found += regressions.results
    results = _failures_first([*found, *notices])
    before = baseline.accepted.latency if baseline else {}
    return GatedRun(
        run=run,
        baseline=baseline,
        outcomes=outcomes,
        summary=summary,
        thresholds=thresholds,
        regressions=regressions,
        latencies=find_latencies(outcomes, run.header.suite.latency, before),
        results=results,
        passed=not any(each.severity is Severity.FAIL for each in results),
    )


def _failures_first(results: Sequence[RuleResult]) -> tuple[RuleResult, ...]:
    order = list(Severity)
    return tuple(sorted(results, key=lambda each: order.index(each.severity)))


def _judge_failures(run: Run, outcomes: Outcomes) -> list[RuleResult]:
    """Judge queries without an answer."""
    most = run.header.suite.rules.most_failures
    if outcomes.is_unanswered:
        return [RuleResult("answered", Severity.FAIL, "no query was answered")]
    pairs = zip(outcomes.queries, outcomes.statuses, strict=True)
    failed = tuple(query.id for query, status in pairs if status is None or status.is_failure)
    if most is None or len(failed) <= most:
        return []
    message = f"{len(failed)} queries were not answered; at most {most} may be"
    return [RuleResult("most_failures", Severity.FAIL, message, failed)]


def _judge_thresholds(thresholds: ThresholdResults) -> list[RuleResult]:
    found = []
    for each in thresholds.thresholds:
        if each.reached:
            continue
        threshold = each.threshold
        severity = Severity.WARN if threshold.diagnostic else Severity.FAIL
        value = "undefined" if isinstance(each.value, Undefined) else f"{each.value:.4f}"
        message = f"{_name(threshold)} is {value}; at least {threshold.at_least:g} is required"
        found.append(RuleResult("threshold", severity, message))
    return found


def _judge_absence(thresholds: ThresholdResults) -> list[RuleResult]:
    """Warn if a suite without a baseline has no threshold that can fail either."""
    if any(not each.threshold.diagnostic for each in thresholds.thresholds):
        return []
    message = "the suite has no threshold and no baseline: nothing can fail; accept a run"
    return [RuleResult("judged", Severity.WARN, message)]


def find_promotions(
    run: Run, earlier: Sequence[Run], baseline: Baseline | None = None
) -> list[RuleResult]:
    """Find the thresholds that could be raised: all of the last runs passed, and reached more.

    `earlier` are runs of the same suite and system, the newest last. A threshold is raised to
    the least that any of them reached, in steps of a hundredth.
    """
    count = run.header.suite.rules.promote_after
    if count is None or len(earlier) + 1 < count:
        return []
    last = [gate_run(each, baseline) for each in (*earlier[len(earlier) + 1 - count :], run)]
    if not all(each.passed for each in last):
        return []
    found = []
    for threshold in run.header.suite.gate:
        values = [_value(each.summary, threshold) for each in last]
        reached = [value for value in values if value is not None]
        least = int(min(reached, default=0.0) * 100) / 100
        if len(reached) == count and least > threshold.at_least:
            message = (
                f"{count} runs in a row reached {least:g} of {_name(threshold)}; "
                f"its threshold of {threshold.at_least:g} can be raised"
            )
            found.append(RuleResult("promotion", Severity.NOTE, message))
    return found


def _value(summary: Summary, threshold: Threshold) -> float | None:
    """Return the mean that a threshold is about, None if it is undefined."""
    category = threshold.category
    group = summary.categories.get(category) if category else summary.overall
    value = group.means.get(parse_measure(threshold.measure)) if group else None
    return value if isinstance(value, float) else None


def _name(threshold: Threshold) -> str:
    where = f" in {threshold.category}" if threshold.category else ""
    return f"{threshold.measure}{where}"
