"""A run judged by its gate: thresholds, failures, rules about a baseline, the outcome."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from cranfield.formats import show_milliseconds
from cranfield.gates.baseline_comparisons import compare_to_baseline
from cranfield.gates.failures import (
    find_not_judged,
    judge_failures,
    judge_grading,
    judge_means,
    judge_thresholds,
)
from cranfield.gates.gate_rules import (
    Cause,
    RuleResult,
    Severity,
    apply_thresholds,
    first_cause,
    name_threshold,
)
from cranfield.gates.losses import say_both
from cranfield.gates.query_outcomes import group_changes, judge_queries
from cranfield.measures import parse_measure
from cranfield.runs.holes import assume_irrelevant, find_holes
from cranfield.runs.summaries import summarise, take_percentiles
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import OpenQueries, QueryChange, SuiteComparison
    from cranfield.gates.baseline_comparisons import BaselineComparison
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gate_rules import ThresholdResults
    from cranfield.gates.query_outcomes import GroupChange, QueryOutcome
    from cranfield.model import RegressionRules, Threshold
    from cranfield.runs.holes import HoleBounds
    from cranfield.runs.records import Outcomes
    from cranfield.runs.runner import Run
    from cranfield.runs.summaries import Summary

__all__ = ["GatedRun", "Latency", "find_promotions", "gate_run", "judge_run"]


@dataclass(frozen=True, slots=True)
class Latency:
    """A percentile of the response time, such as `p95`, in seconds; `before` is the baseline's."""

    name: str
    seconds: float
    before: float | None = None
    at_most: float | None = None

    @property
    def is_above(self) -> bool:
        """Whether it is above the limit of the suite."""
        return self.at_most is not None and self.seconds > self.at_most


@dataclass(frozen=True, slots=True)
class Judgment:
    """What the thresholds and rules of a suite say about a run.

    `against` is the comparison with the baseline, None if there is none. `results` has everything
    that rules report, failures first. `lowest` are the means that thresholds are held to: those of
    the summary, or lower if queries are `not_judged`, which depend on unjudged hits. `latencies`
    fail a gate only if the suite has a rule for them: build machines vary.
    """

    run: Run
    baseline: Baseline | None
    outcomes: Outcomes
    summary: Summary
    lowest: Summary
    not_judged: OpenQueries
    thresholds: ThresholdResults
    against: BaselineComparison | None
    latencies: tuple[Latency, ...]
    results: tuple[RuleResult, ...]
    passed: bool

    @property
    def changes(self) -> tuple[QueryChange, ...]:
        """What became of the queries that the baseline has too; empty without one."""
        return self.against.changes if self.against else ()

    @property
    def cause(self) -> Cause | None:
        """What failed it, None if it passed."""
        return first_cause(each.cause for each in self.results if each.severity is Severity.FAIL)

    @property
    def is_reached(self) -> bool:
        """Whether the thresholds were reached, by means that leave no query out."""
        outcomes = self.outcomes
        return self.thresholds.passed and not outcomes.ungraded and not outcomes.missing


@dataclass(frozen=True, slots=True)
class GatedRun(Judgment):
    """A run, what its gate decided, and what became of its queries.

    `groups` are all queries and each category, before and after, by each measure that queries are
    judged by. `query_outcomes` judges every query in the order of the suite, and `unmet` names the
    measures by which it is not right. `holes` are how far unjudged hits leave each mean open.
    """

    groups: tuple[GroupChange, ...]
    query_outcomes: tuple[QueryOutcome, ...]
    unmet: tuple[tuple[str, ...], ...]
    holes: tuple[HoleBounds, ...]


def gate_run(
    run: Run,
    baseline: Baseline | None = None,
    *,
    notices: Sequence[RuleResult] = (),
    comparison: SuiteComparison | None = None,
) -> GatedRun:
    """Judge a run by the thresholds and rules of its suite, against a baseline if there is one.

    `notices` are further results to report with this run. `comparison` is the result of
    `compare_with_baselines` if several suites are judged at once.
    """
    judged = judge_run(run, baseline, notices=notices, comparison=comparison)
    judged_queries, unmet = judge_queries(
        run, judged.outcomes, judged.changes, judged.not_judged.ids
    )
    return GatedRun(
        **{each.name: getattr(judged, each.name) for each in fields(judged)},
        groups=group_changes(run.header.measures, judged.changes),
        query_outcomes=judged_queries,
        unmet=unmet,
        holes=find_holes(run),
    )


def judge_run(
    run: Run,
    baseline: Baseline | None = None,
    *,
    notices: Sequence[RuleResult] = (),
    comparison: SuiteComparison | None = None,
) -> Judgment:
    """Judge a run as `gate_run` does, without what reports show of single queries."""
    outcomes = run.outcomes()
    summary = summarise(run, outcomes)
    lowest_outcomes = assume_irrelevant(run, outcomes)
    lowest = summary if lowest_outcomes is outcomes else summarise(run, lowest_outcomes)
    thresholds = apply_thresholds(run.header.suite, summary, lowest)
    not_judged = find_not_judged(run, outcomes)
    against = compare_to_baseline(run, baseline, comparison) if baseline else None
    latencies = _find_latencies(run, outcomes, baseline)
    found = [*judge_failures(run, outcomes), *judge_grading(outcomes)]
    found += judge_thresholds(run, lowest_outcomes, thresholds)
    if against is None:
        found += [*judge_means(not_judged), *_judge_absence(thresholds)]
    else:
        found += [*against.results, *judge_latencies(run.header.suite.rules, latencies)]
    if against and against.comparison:
        found = [say_both(each, against.comparison.headline) for each in found]
    results = _failures_first([*found, *notices])
    passed = not any(each.severity is Severity.FAIL for each in results)
    return Judgment(
        run,
        baseline,
        outcomes,
        summary,
        lowest,
        not_judged,
        thresholds,
        against,
        latencies,
        results,
        passed,
    )


def _find_latencies(run: Run, outcomes: Outcomes, baseline: Baseline | None) -> tuple[Latency, ...]:
    """Return the times of a run with their limits and those of the baseline, by percentile."""
    at_most, factors = run.header.suite.latency, run.header.suite.rules.latency
    before = baseline.accepted.latency if baseline else {}
    return tuple(
        Latency(name, seconds, before.get(name), at_most.get(name))
        for name, seconds in take_percentiles(outcomes, (*at_most, *factors)).items()
    )


def judge_latencies(rules: RegressionRules, latencies: Sequence[Latency]) -> list[RuleResult]:
    """Fail on a percentile that is more than its factor times that of the baseline."""
    found = []
    for each in latencies:
        factor = rules.latency.get(each.name)
        if factor is None or each.before is None or each.seconds <= factor * each.before:
            continue
        message = (
            f"{each.name} of the response time is {show_milliseconds(each.seconds)}, "
            f"{each.seconds / each.before:.1f} times the {show_milliseconds(each.before)} of the "
            f"baseline; at most {factor:g} times is allowed, by the suite's rule latency"
        )
        found.append(RuleResult("latency", Severity.FAIL, message))
    return found


def _failures_first(results: Sequence[RuleResult]) -> tuple[RuleResult, ...]:
    order = list(Severity)
    return tuple(sorted(results, key=lambda each: order.index(each.severity)))


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
    last = [judge_run(each, baseline) for each in (*earlier[len(earlier) + 1 - count :], run)]
    if not all(each.passed for each in last):
        return []
    found = []
    for threshold in run.header.suite.gate:
        values = [_value(each.lowest, threshold) for each in last]
        reached = [value for value in values if value is not None]
        least = math.floor(min(reached, default=0.0) * 100 + TIE_TOLERANCE) / 100
        if len(reached) == count and least > threshold.at_least:
            message = (
                f"{count} runs in a row reached {least:g} of {name_threshold(threshold)}; "
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
