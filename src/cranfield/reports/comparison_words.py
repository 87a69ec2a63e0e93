"""A comparison in words: what a reader wants to know before any figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cranfield.comparisons import Bucket, Direction, VerdictKind
from cranfield.formats import (
    Line,
    Lines,
    Tone,
    count_of,
    count_queries,
    name_queries,
    show_p,
    show_rank,
    show_value,
)
from cranfield.suites import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cranfield.comparisons import (
        ArmFailures,
        Comparison,
        QueryChange,
        SuiteComparison,
    )
    from cranfield.statistics import Verdict

__all__ = [
    "count_changes",
    "describe_buckets",
    "describe_failures",
    "describe_move",
    "describe_noise",
    "describe_open",
    "describe_outcome",
    "describe_suite",
    "describe_verdict",
    "describe_verdict_alone",
    "verdict_tone",
]

_MOST_NAMED = 10
_TOLD = {
    VerdictKind.BETTER: "is better at {}",
    VerdictKind.WORSE: "is worse at {}",
    VerdictKind.EQUIVALENT: "is no different for {}",
    VerdictKind.CANNOT_TELL: "may or may not differ for {}: too few queries to tell",
}
_TOO_MANY_FAILED = "may or may not differ for {}: too many queries were not answered"
_TOO_MANY_OPEN = "may or may not differ for {}: too many queries depend on unjudged hits"
_NOTHING_IS_RIGHT = "may or may not differ for {}: nothing says what is right"
_OUTCOMES = (*_TOLD.values(), _TOO_MANY_FAILED, _TOO_MANY_OPEN, _NOTHING_IS_RIGHT)
_TONES = {VerdictKind.BETTER: Tone.GOOD, VerdictKind.WORSE: Tone.BAD}


def verdict_tone(verdict: Verdict) -> Tone:
    """Return whether a verdict is good news."""
    return _TONES.get(verdict.kind, Tone.NEUTRAL)


def describe_outcome(comparison: Comparison) -> str:
    """Say what all suites come to, for a reader who decides and knows no measure."""
    named = {
        words: [
            _name_class(comparison, each)
            for each in comparison.suites
            if _outcome_of(each) == words
        ]
        for words in _OUTCOMES
    }
    parts = [words.format(_listed(suites)) for words, suites in named.items() if suites]
    said = [f"{comparison.name_b} {'; it '.join(parts)}.", *_count_queries(comparison)]
    return " ".join(said)


def _outcome_of(suite: SuiteComparison) -> str:
    """Return the words for the verdict on a suite, or for what stands in its way."""
    if suite.verdict.kind is not VerdictKind.CANNOT_TELL:
        return _TOLD[suite.verdict.kind]
    if not suite.has_right_answers:
        return _NOTHING_IS_RIGHT
    if any(each.is_too_many for each in suite.failures):
        return _TOO_MANY_FAILED
    return _TOO_MANY_OPEN if suite.not_judged.is_too_many else _TOLD[suite.verdict.kind]


def _count_queries(comparison: Comparison) -> Iterator[str]:
    """Count the queries that got worse, and those of which nobody knows whether they did."""
    suites = comparison.suites
    open_ones = sum(each.not_judged.count for each in suites)
    if fallen := sum(len(suite.fallen) for suite in suites):
        yield f"{count_of(fallen, 'query', 'queries')} got worse."
    elif not open_ones:
        yield "No query got worse."
    for bucket in (Bucket.FAILED, Bucket.UNGRADED):
        if count := sum(each.buckets[bucket] for each in suites):
            yield f"{count_of(count, 'query was', 'queries were')} {bucket}."
    if open_ones:
        yield f"{count_of(open_ones, 'query is', 'queries are')} not judged."


def _name_class(comparison: Comparison, suite: SuiteComparison) -> str:
    """Name the queries of a suite in everyday words; two suites of one class by their ids too."""
    title = CLASSES.get(suite.query_class).title or f"{suite.query_class} queries"
    alike = sum(each.query_class == suite.query_class for each in comparison.suites)
    return f"{title} ({suite.suite_id})" if alike > 1 else title


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def describe_suite(comparison: Comparison, suite: SuiteComparison) -> Lines:
    """Say what became of the queries, what failed, and only then what the figures are."""
    lines = [Line(describe_verdict(comparison, suite), verdict_tone(suite.verdict))]
    lines += [Line(each, Tone.WARNING) for each in describe_open(suite)]
    lines += [Line(each) for each in describe_noise(suite)]
    if suite.fallen:
        lines.append(Line(f"got worse: {_name(suite.fallen)}", Tone.BAD))
    if suite.never_found:
        ids = [change.query.id for change in suite.never_found]
        lines.append(Line(f"never found: {name_queries(ids, _MOST_NAMED)}", Tone.WARNING))
    lines += [Line(each, Tone.WARNING) for each in describe_failures(suite.failures)]
    lines += [Line(each) for each in _describe_pairs(suite)]
    empty = zip((comparison.name_a, comparison.name_b), suite.empty, strict=True)
    if without := [f"{name} {count}" for name, count in empty if count]:
        lines.append(Line(f"queries without a result: {', '.join(without)}", Tone.WARNING))
    lines += [Line(each, label="right answers") for each in _truth_sentences(comparison, suite)]
    lines += [Line(each, label="left out") for each in suite.runs.left_out]
    lines += [Line(each, Tone.WARNING, "warning") for each in suite.warnings]
    lines += [Line(each) for each in _figures(suite)]
    return Lines(tuple(lines))


def _describe_pairs(suite: SuiteComparison) -> Iterator[str]:
    """Say of which queries the headline is, if some have to be left out."""
    result = suite.headline.result
    is_open = suite.has_right_answers and suite.not_judged.count
    left = ["both answered"] if suite.has_failures else []
    left += ["depend on no such hit"] if is_open else []
    if result and left:
        figures = f"{suite.headline.measure} is" if is_open else "all figures are"
        yield f"{figures} of the {count_queries(result.pairs)} that {' and '.join(left)}"


def describe_verdict(comparison: Comparison, suite: SuiteComparison) -> str:
    """Say in one sentence what the comparison comes to, without a figure."""
    said = describe_verdict_alone(comparison, suite)
    return f"{comparison.name_b} against {comparison.name_a}: {said}"


def describe_verdict_alone(comparison: Comparison, suite: SuiteComparison) -> str:
    """Say what the comparison comes to, where the title names both arms."""
    headline, verdict = suite.headline, suite.verdict
    if headline.result is None:
        reason = verdict.reason or f"{headline.measure} is undefined ({headline.reason})"
        return f"cannot tell: {reason}"
    if not suite.has_right_answers:
        return str(verdict)
    counts = count_changes(suite)
    if verdict.reason:
        return f"cannot tell: {verdict.reason} ({counts})"
    margin = comparison.options.margin
    differing = any(change.bucket.is_change for change in suite.changes)
    luck = {
        VerdictKind.BETTER: "not luck",
        VerdictKind.WORSE: "not luck",
        VerdictKind.EQUIVALENT: f"no difference beyond ±{margin:g}"
        if differing
        else "no difference",
        VerdictKind.CANNOT_TELL: "this may be luck" if differing else "too few to tell",
    }
    return f"{verdict.kind}: {counts}: {luck[verdict.kind]}"


def count_changes(suite: SuiteComparison) -> str:
    """Count the queries by where they went; they are all queries of the comparison."""
    counts = [f"{count} {direction}" for direction, count in suite.directions.items()]
    for bucket, count in suite.buckets.items():
        if count and bucket.is_undecided:
            counts.append(f"{count} {bucket}")
    return ", ".join(counts)


def describe_noise(suite: SuiteComparison) -> Iterator[str]:
    """Say how many queries changed by more than noise, if repetitions show how much that is."""
    if suite.is_repeated:
        improved, worse = (
            len(suite.beyond_noise(each)) for each in (Direction.IMPROVED, Direction.WORSE)
        )
        yield f"changed by more than noise: {improved} improved, {worse} worse"


def describe_buckets(suite: SuiteComparison) -> str:
    """Say what became of the queries, in the buckets that have any."""
    filled = [f"{count} {bucket}" for bucket, count in suite.buckets.items() if count]
    return f"queries: {', '.join(filled)}"


def describe_failures(failures: Iterable[ArmFailures]) -> Iterator[str]:
    """Say which queries each arm did not answer, and how it failed."""
    for each in failures:
        if each.count:
            how = ", ".join(f"{count} {status}" for status, count in each.statuses.items())
            yield f"not answered: {each} ({how}): {name_queries(each.ids, _MOST_NAMED)}"


def describe_open(suite: SuiteComparison) -> Iterator[str]:
    """Say which queries depend on unjudged hits; nothing if nothing says what is right."""
    found = suite.not_judged
    if found.count and suite.has_right_answers:
        named = name_queries(found.ids, _MOST_NAMED)
        yield f"not judged: {found}; left out: {named}"


def _name(changes: Iterable[QueryChange]) -> str:
    named = [f"{change.query.id} ({describe_move(change)})" for change in changes]
    return name_queries(named, _MOST_NAMED)


def describe_move(change: QueryChange) -> str:
    """Say how a query moved: a check it lost, its ranks, or its values if those are the same."""
    if lost := [str(check) for check in change.lost_checks if check != change.headline]:
        return f"{', '.join(lost)} lost"
    if (change.rank_b or math.inf) > (change.rank_a or math.inf):
        return f"rank {show_rank(change.rank_a)} → {show_rank(change.rank_b)}"
    before, after = (
        show_value(values.get(change.headline)) for values in (change.values_a, change.values_b)
    )
    return f"{change.headline} {before} → {after}"


def _figures(suite: SuiteComparison) -> list[str]:
    """Write the headline in both arms, and what could have been shown if nothing was."""
    headline = suite.headline
    result = headline.result
    if result is None:
        return []
    means = f"{headline.measure} {show_value(result.mean_a)} → {show_value(result.mean_b)}"
    if not suite.has_right_answers:
        return [means]
    parts = [f"{means}, p {show_p(result.p_adjusted)}"]
    if headline.verdict.kind is VerdictKind.CANNOT_TELL:
        if headline.verdict.queries_needed is not None:
            parts.append(f"{headline.verdict.queries_needed} queries would tell")
        if headline.detectable is not None and not headline.verdict.reason:
            shown = show_value(headline.detectable)
            parts.append(f"these {result.pairs} queries can show differences of {shown} or more")
    return ["; ".join(parts)]


def _truth_sentences(comparison: Comparison, suite: SuiteComparison) -> list[str]:
    """Say which database named the right answers, for both arms alike."""
    runs = suite.runs
    if not (runs.truth or runs.regraded):
        return []
    named = ", ".join(str(each) for each in runs.truth) or f"those of {comparison.name_a}"
    own = len(runs.regraded)
    moved = (
        f"; {comparison.name_b} had others for {count_queries(own)}, graded again" if own else ""
    )
    return [f"{named}, for both arms{moved}"]
