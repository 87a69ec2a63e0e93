"""A run against its baseline: the comparison of two arms, and what the rules say about it.

What became of a query is what every comparison says (`comparisons.query_changes`); the rules count
the queries that changed by more than noise. Queries that were not answered on both sides are not
compared: a failure of the system is not a matter of quality, and the gate reports it separately.
Nor are queries whose headline depends on unjudged hits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cranfield.comparisons import Direction, OpenQueries, find_headline
from cranfield.gates.baselines import compare_with_baselines, name_corpus, name_files, pair_baseline
from cranfield.gates.failures import judge_comparison
from cranfield.gates.gate_rules import RuleResult, Severity, apply_rules, judge_noise
from cranfield.gates.losses import find_net_loss, judge_falls
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.comparisons import QueryChange, SuiteComparison
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.losses import NetLoss
    from cranfield.runs.records import Outcomes
    from cranfield.runs.runner import Run

__all__ = ["BaselineComparison", "compare_to_baseline", "find_open"]


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """A run against a baseline; `stale` says what changed since, `left_out` who is not compared.

    `comparison` has the verdict on all queries together, and what became of each; None if the
    baseline lacks the headline of the run. `changes` are the queries that the rules are about.
    `may_replace` is whether the run may replace the baseline by the suite's own rule. It may not if
    the suite changed since: somebody has to accept the new suite first.
    """

    baseline: Baseline
    comparison: SuiteComparison | None
    changes: tuple[QueryChange, ...]
    net_loss: NetLoss
    stale: tuple[str, ...]
    left_out: tuple[str, ...]
    results: tuple[RuleResult, ...]
    passed: bool
    may_replace: bool

    @property
    def not_judged(self) -> OpenQueries:
        """The compared queries that depend on unjudged hits, then or now."""
        return find_open(self.comparison)

    def beyond_noise(self, direction: Direction) -> tuple[QueryChange, ...]:
        """Return the queries that went there by more than noise."""
        return tuple(change for change in self.changes if change.beyond_noise is direction)


_NOTHING_COMPARED = RuleResult(
    "compared",
    Severity.FAIL,
    "nothing could be compared: the baseline shares no query or no measure with this run; accept "
    "a new run",
)


def find_open(comparison: SuiteComparison | None) -> OpenQueries:
    """Name the queries that depend on unjudged hits; a list of queries waits for no judgment."""
    if comparison is None or not comparison.has_right_answers:
        return OpenQueries(0, ())
    return comparison.not_judged


def compare_to_baseline(
    run: Run, baseline: Baseline, comparison: SuiteComparison | None = None
) -> BaselineComparison:
    """Compare a run with a baseline, on the queries that are still the same, and apply the rules.

    `comparison` is the result of `compare_with_baselines`, if several suites are compared at once.
    """
    if comparison is None:
        [comparison] = compare_with_baselines([pair_baseline(run, baseline)])
    changes = tuple(each for each in comparison.changes if each.judged) if comparison else ()
    left_out = _find_left_out(run.outcomes(), baseline)
    stale = _find_stale(run, baseline, left_out)
    loss = find_net_loss(changes)
    results = _judge_comparability(run, baseline, comparison, changes)
    if comparison and not results:
        rules, headline = run.header.suite.rules, comparison.headline
        results = [*judge_falls(rules, changes, headline, loss), *apply_rules(rules, changes)]
        results += judge_noise(changes)
    results += judge_comparison(find_open(comparison))
    results += _note_files(run, baseline)
    return BaselineComparison(
        baseline,
        comparison,
        changes,
        loss,
        stale,
        left_out,
        tuple(results),
        passed=not any(each.severity is Severity.FAIL for each in results),
        may_replace=not stale and any(each.rule == "accept_at" for each in results),
    )


def _judge_comparability(
    run: Run,
    baseline: Baseline,
    comparison: SuiteComparison | None,
    changes: Sequence[QueryChange],
) -> list[RuleResult]:
    """Say why a run cannot be compared with the baseline at all; nothing if it can."""
    if baseline.limit != run.header.limit:
        message = (
            f"{run.header.limit} hits were requested, but {baseline.limit} for the baseline; use "
            f"--k {baseline.limit}"
        )
        return [RuleResult("compared", Severity.FAIL, message)]
    if comparison is None:
        message = (
            f"the baseline has no {find_headline(run)}, the headline of this run; it has "
            f"{', '.join(baseline.measures)}; accept a new run, or choose a headline with -m"
        )
        return [RuleResult("compared", Severity.FAIL, message)]
    return [] if changes or find_open(comparison).is_too_many else [_NOTHING_COMPARED]


def _find_left_out(outcomes: Outcomes, baseline: Baseline) -> tuple[str, ...]:
    """Return the queries that run and baseline do not share: new, changed and removed ones."""
    known = {query.hash for query in baseline.queries}
    present = {query.id for query in outcomes.queries}
    pairs = zip(outcomes.queries, outcomes.hashes, strict=True)
    new = [query.id for query, key in pairs if key not in known]
    gone = [query.id for query in baseline.queries if query.id not in present]
    return tuple(dict.fromkeys([*new, *gone]))


def _find_stale(run: Run, baseline: Baseline, left_out: Sequence[str]) -> tuple[str, ...]:
    """Say what changed since the baseline was accepted."""
    header = run.header
    stale = []
    if left_out:
        was = "query was" if len(left_out) == 1 else "queries were"
        stale.append(f"{len(left_out)} {was} added, changed or removed")
    elif baseline.suite_hash != hash_suite(header.suite):
        stale.append("the suite's gate, rules, categories or notes changed")
    if baseline.query_class != header.suite.query_class:
        stale.append(f"the class was {baseline.query_class} and is {header.suite.query_class}")
    searched = _find_changed_files(run, baseline).corpus
    if searched:
        stale.append(f"the corpus changed: {', '.join(searched)}")
    return tuple(stale)


class _FileChanges(NamedTuple):
    """Files that changed since the baseline: those of the corpus, and all others."""

    corpus: list[str]
    others: list[str]


def _find_changed_files(run: Run, baseline: Baseline) -> _FileChanges:
    """Find the files that differ from the baseline's; of the corpus also new and removed ones."""
    names = name_files(run.header.files)
    corpus = set(name_corpus(run.header))
    now = {names[each]: found.sha256 for each, found in run.header.files.items()}
    changed = [name for name, digest in now.items() if baseline.files.get(name, digest) != digest]
    searched = [name for name in changed if name in corpus]
    searched += [f"{name} (new)" for name in sorted(corpus - set(baseline.files))]
    searched += [f"{name} (gone)" for name in baseline.corpus if name not in now]
    return _FileChanges(searched, [name for name in changed if name not in corpus])


def _note_files(run: Run, baseline: Baseline) -> list[RuleResult]:
    """Name the files of the system, its program or its index, that differ from the baseline's."""
    changed = _find_changed_files(run, baseline).others
    if not changed:
        return []
    message = f"these files of the system changed since the baseline: {', '.join(changed)}"
    return [RuleResult("files", Severity.NOTE, message)]
