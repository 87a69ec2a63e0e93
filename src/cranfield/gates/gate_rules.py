"""What the rules of a suite's gate say: thresholds of means, and changes of queries.

A rule about changes also names which of them noise would hide.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cranfield.comparisons import Direction, repeats_needed
from cranfield.formats import count_queries
from cranfield.measures import parse_measure
from cranfield.model import Undefined
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.comparisons import MeasureChange, QueryChange
    from cranfield.model import RegressionRules, Suite, Threshold, Value
    from cranfield.runs.summaries import Summary

__all__ = [
    "Cause",
    "RuleResult",
    "Severity",
    "ThresholdResult",
    "ThresholdResults",
    "apply_rules",
    "apply_thresholds",
    "count_worse",
    "first_cause",
    "judge_noise",
    "judge_threshold",
    "name_ids",
    "name_threshold",
]

_HALF = 0.5
_STEADIER = "accept a run of a system that varies less"


class Severity(StrEnum):
    """What the result of a rule means for the gate."""

    FAIL = "fail"
    WARN = "warn"
    NOTE = "note"


class Cause(StrEnum):
    """What failed a gate; of several causes, the first here decides."""

    QUALITY = "quality"
    GRADING = "grading"
    """Answers that could not be graded: nobody knows whether they are right."""

    FAILURES = "failures"
    """Queries that the system did not answer, which says nothing of its quality."""


def first_cause(causes: Iterable[Cause | None]) -> Cause | None:
    """Return the cause that decides, None if nothing failed."""
    return min(filter(None, causes), key=list(Cause).index, default=None)


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The result of a rule, the queries it is about, and the cause if it failed."""

    rule: str
    severity: Severity
    message: str
    queries: tuple[str, ...] = ()
    cause: Cause = Cause.QUALITY


@dataclass(frozen=True, slots=True)
class ThresholdResult:
    """A threshold and the value of the run; an undefined value reaches no threshold.

    `not_judged` of the queries depend on unjudged hits, which are irrelevant in the value;
    `of_judged` is the value without these queries.
    """

    threshold: Threshold
    value: Value
    not_judged: int = 0
    of_judged: Value | None = None

    @property
    def reached(self) -> bool:
        """Whether the value is at least the threshold, up to the rounding of a mean."""
        return self._is_enough(self.value)

    @property
    def cause(self) -> Cause:
        """What keeps the value from the threshold: quality, unless nobody knows."""
        is_unknown = isinstance(self.value, Undefined)
        is_open = self._is_enough(self.of_judged)
        return Cause.GRADING if is_unknown or is_open else Cause.QUALITY

    def _is_enough(self, value: Value | None) -> bool:
        if value is None or isinstance(value, Undefined):
            return False
        return value >= self.threshold.at_least - TIE_TOLERANCE

    @property
    def outcome(self) -> str:
        """The result in a word or two."""
        below = "below, diagnostic" if self.threshold.diagnostic else "FAILED"
        result = "reached" if self.reached else below
        return f"{result} ({self.not_judged} not judged)" if self.not_judged else result


@dataclass(frozen=True, slots=True)
class ThresholdResults:
    """All thresholds of a suite. A diagnostic threshold cannot fail the gate."""

    thresholds: tuple[ThresholdResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every threshold that is not diagnostic was reached."""
        return all(each.reached or each.threshold.diagnostic for each in self.thresholds)


def apply_thresholds(
    suite: Suite, summary: Summary, lowest: Summary | None = None
) -> ThresholdResults:
    """Apply a suite's thresholds; those of a category that was not run are left out.

    `lowest` is the summary with all unjudged hits being irrelevant, if there are any:
    its means have to reach the thresholds.
    """
    results = []
    for threshold in suite.gate:
        name, measure = threshold.category, parse_measure(threshold.measure)
        if name and name not in summary.categories:
            continue
        known, group = (
            each.categories[name] if name else each.overall for each in (summary, lowest or summary)
        )
        not_judged = group.defined[measure] - known.defined[measure]
        of_judged = known.means[measure] if not_judged else None
        results.append(ThresholdResult(threshold, group.means[measure], not_judged, of_judged))
    return ThresholdResults(tuple(results))


def judge_threshold(result: ThresholdResult) -> RuleResult | None:
    """Say that a threshold was not reached; a diagnostic one is a warning."""
    if result.reached:
        return None
    threshold = result.threshold
    severity = Severity.WARN if threshold.diagnostic else Severity.FAIL
    milestone = f" at {threshold.milestone}" if threshold.milestone else ""
    required = f"at least {threshold.at_least:g} is required{milestone}"
    message = f"{name_threshold(threshold)} is {_show(result.value)}; {required}"
    if result.not_judged:
        depend = "depends" if result.not_judged == 1 else "depend"
        message += (
            f"; {count_queries(result.not_judged)} {depend} on unjudged hits, which count "
            f"as irrelevant; over the others it is {_show(result.of_judged)}"
        )
    return RuleResult("threshold", severity, message, cause=result.cause)


def _show(value: Value | None) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "undefined"


def name_threshold(threshold: Threshold) -> str:
    """Name the mean that a threshold is about: its measure, and its category if it has one."""
    where = f" in {threshold.category}" if threshold.category else ""
    return f"{threshold.measure}{where}"


def apply_rules(rules: RegressionRules, changes: Sequence[QueryChange]) -> list[RuleResult]:
    """Apply the rules about categories and new baselines; one with nothing to say is left out."""
    worse = [each for each in changes if each.beyond_noise is Direction.WORSE]
    improved = [each for each in changes if each.beyond_noise is Direction.IMPROVED]
    found = [
        _protected(rules, worse),
        _watched(rules, worse, improved),
        _acceptable(rules, worse, improved),
    ]
    return [each for each in found if each]


def _protected(rules: RegressionRules, worse: Sequence[QueryChange]) -> RuleResult | None:
    hit = [each for each in worse if each.query.category in rules.protected]
    if not hit:
        return None
    categories = ", ".join(dict.fromkeys(each.query.category for each in hit))
    message = f"{count_worse(hit)} in {categories}, where none may"
    return RuleResult("protected", Severity.FAIL, message, name_ids(hit))


def _watched(
    rules: RegressionRules, worse: Sequence[QueryChange], improved: Sequence[QueryChange]
) -> RuleResult | None:
    gained = [each for each in improved if each.query.category in rules.watched]
    lost = [each for each in worse if each.query.category not in rules.watched]
    if not (gained and lost):
        return None
    categories = ", ".join(dict.fromkeys(each.query.category for each in gained))
    message = f"{categories} improved while elsewhere {count_worse(lost)}"
    return RuleResult("watched", Severity.WARN, message, name_ids(lost))


def _acceptable(
    rules: RegressionRules, worse: Sequence[QueryChange], improved: Sequence[QueryChange]
) -> RuleResult | None:
    if rules.accept_at is None or worse or len(improved) < rules.accept_at:
        return None
    message = (
        f"{count_queries(len(improved))} improved and none got worse: this may be the new baseline"
    )
    return RuleResult("accept_at", Severity.NOTE, message, name_ids(improved))


def count_worse(changes: Sequence[QueryChange]) -> str:
    """Count queries that got worse; if they were repeated, say that noise does not explain it."""
    beyond = " by more than noise" if any(each.is_repeated for each in changes) else ""
    return f"{count_queries(len(changes))} got worse{beyond}"


def judge_noise(changes: Sequence[QueryChange]) -> list[RuleResult]:
    """Name the queries that are too noisy for a loss to be detected.

    A gate that cannot detect a loss of most queries has decided nothing: it fails.
    """
    judged = [(change, by) for change in changes if (by := change.deciding) is not None]
    noisy = [(change, by) for change, by in judged if by.is_undetectable]
    if not noisy:
        return []
    lower = [change for change, by in noisy if by.is_lower]
    are = "is" if len(noisy) == 1 else "are"
    count = count_queries(len(noisy))
    message = f"{count} {are} too noisy in the baseline for a loss to be detected"
    if remedy := _find_remedy([by for _, by in noisy]):
        message = f"{message}; {remedy}"
    if lower:
        message = f"{message}. {count_queries(len(lower))} of them scored lower"
    severity = Severity.WARN if lower else Severity.NOTE
    named = lower or [change for change, _ in noisy]
    found = [RuleResult("noise", severity, message, name_ids(named))]
    losable = [by for _, by in judged if max(by.repetitions_a) > TIE_TOLERANCE]
    if len(noisy) > _HALF * len(losable):
        blind = (
            f"{len(noisy)} of the {len(losable)} queries that could get worse are too noisy for a "
            "loss to be detected"
        )
        found.append(RuleResult("compared", Severity.FAIL, f"{blind}; {remedy or _STEADIER}"))
    return found


def _find_remedy(noisy: Sequence[MeasureChange]) -> str:
    """Say how many repetitions would make a loss of half of these queries detectable."""
    needed = sorted(
        count for each in noisy if (count := repeats_needed(each.repetitions_a)) is not None
    )
    middle = int(_HALF * (len(noisy) - 1))
    if middle >= len(needed):
        return ""
    return f"repeat each query {needed[middle]} times or more (--repeat {needed[middle]})"


def name_ids(changes: Sequence[QueryChange]) -> tuple[str, ...]:
    """Return the ids of the queries that changed."""
    return tuple(each.query.id for each in changes)
