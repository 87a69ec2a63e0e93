"""A run judged by its gate: thresholds, failures, regressions against a baseline, the outcome."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from cranfield.gates.failures import judge_failures, judge_grading, judge_thresholds
from cranfield.gates.falls import say_both
from cranfield.gates.gate_rules import (
    Cause,
    RuleResult,
    Severity,
    apply_thresholds,
    first_cause,
    name_threshold,
)
from cranfield.gates.holes import find_not_judged, judge_means
from cranfield.gates.query_outcomes import group_changes, judge_queries
from cranfield.gates.regressions import compare_to_baseline
from cranfield.measures import parse_measure
from cranfield.runs import assume_irrelevant, summarise, take_percentiles
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.comparisons import OpenQueries
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gate_rules import ThresholdResults
    from cranfield.gates.headlines import HeadlineComparison
    from cranfield.gates.query_outcomes import GroupChange, QueryOutcome
    from cranfield.gates.regressions import Change, Regressions
    from cranfield.model import Threshold
    from cranfield.runs import Outcomes, Run, Summary

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

    `regressions` is None if there is no baseline. `results` has everything that rules report,
    failures first. `lowest` are the means that thresholds are held to: those of the summary, or
    lower if queries are `not_judged`, which hang on hits that nobody judged.
    """

    run: Run
    baseline: Baseline | None
    outcomes: Outcomes
    summary: Summary
    lowest: Summary
    not_judged: OpenQueries
    thresholds: ThresholdResults
    regressions: Regressions | None
    results: tuple[RuleResult, ...]
    passed: bool

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
    held to. `query_outcomes` judges every query in the order of the suite, and `unmet` names the
    measures by which it is not right. `latencies` are reported but never fail a gate: build
    machines vary.
    """

    groups: tuple[GroupChange, ...]
    query_outcomes: tuple[QueryOutcome, ...]
    unmet: tuple[tuple[str, ...], ...]
    latencies: tuple[Latency, ...]


def gate_run(
    run: Run,
    baseline: Baseline | None = None,
    *,
    notices: Sequence[RuleResult] = (),
    headline: HeadlineComparison | None = None,
) -> GatedRun:
    """Judge a run by the thresholds and rules of its suite, against a baseline if there is one.

    `notices` are further results to report with this run. `headline` is the result of
    `compare_headlines` if several suites are judged at once.
    """
    judged = judge_run(run, baseline, notices=notices, headline=headline)
    outcomes, regressions = judged.outcomes, judged.regressions
    judged_queries, unmet = judge_queries(run, outcomes, regressions, judged.not_judged.ids)
    return GatedRun(
        **{each.name: getattr(judged, each.name) for each in fields(judged)},
        groups=group_changes(run.header.measures, regressions),
        query_outcomes=judged_queries,
        unmet=unmet,
        latencies=_find_latencies(run, outcomes, baseline),
    )


def judge_run(
    run: Run,
    baseline: Baseline | None = None,
    *,
    notices: Sequence[RuleResult] = (),
    compared: Mapping[int, Change] | None = None,
    headline: HeadlineComparison | None = None,
) -> Judgment:
    """Judge a run as `gate_run` does, without what reports show of single queries.

    `compared` is the result of `compare_queries`, `headline` that of `compare_headlines`, if they
    are known already.
    """
    outcomes = run.outcomes()
    summary = summarise(run, outcomes)
    lowest_outcomes = assume_irrelevant(run, outcomes)
    lowest = summary if lowest_outcomes is outcomes else summarise(run, lowest_outcomes)
    thresholds = apply_thresholds(run.header.suite, summary, lowest)
    not_judged = find_not_judged(run, outcomes)
    regressions = compare_to_baseline(run, baseline, compared, headline) if baseline else None
    found = [*judge_failures(run, outcomes), *judge_grading(outcomes)]
    found += judge_thresholds(run, lowest_outcomes, thresholds)
    if regressions is None:
        found += [*judge_means(not_judged), *_judge_absence(thresholds)]
    else:
        found += regressions.results
        found = [say_both(each, regressions.headline) for each in found]
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
        regressions,
        results,
        passed,
    )


def _find_latencies(run: Run, outcomes: Outcomes, baseline: Baseline | None) -> tuple[Latency, ...]:
    """Return the times of a run with their limits and those of the baseline, by percentile."""
    at_most = run.header.suite.latency
    before = baseline.accepted.latency if baseline else {}
    return tuple(
        Latency(name, seconds, before.get(name), at_most.get(name))
        for name, seconds in take_percentiles(outcomes, at_most).items()
    )


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
