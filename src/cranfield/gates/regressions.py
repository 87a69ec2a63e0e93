"""A run against a baseline: what each query lost or gained, and what the rules say about it.

A query has regressed if it passes less often than in the baseline, or if the headline measure or
one of its checks dropped, by more than noise (`significance`). Only queries that were answered on
both sides are compared: a failure of the system is no regression, and the gate reports it apart.
Nor is a hit that nobody judged: a query that hangs on one is not compared either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.gates.baselines import name_corpus, name_files, take_answered
from cranfield.gates.falls import judge_falls
from cranfield.gates.gate_rules import RuleResult, Severity, apply_rules, judge_noise
from cranfield.gates.headlines import compare_headlines, find_open_places
from cranfield.gates.holes import judge_comparison
from cranfield.gates.losses import find_net_loss
from cranfield.gates.query_outcomes import held_to
from cranfield.gates.significance import (
    ChangeKind,
    can_detect_drop,
    chance_of_drop,
    classify_change,
)
from cranfield.statistics import TIE_TOLERANCE
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.gates.baselines import Baseline, BaselineQuery
    from cranfield.gates.headlines import HeadlineComparison
    from cranfield.gates.losses import NetLoss
    from cranfield.model import Query
    from cranfield.runs import Outcomes, Run

__all__ = ["Change", "Regressions", "compare_queries", "compare_to_baseline"]


@dataclass(frozen=True, slots=True)
class Change:
    """One query against the baseline, by the measure that decides; before and after are means.

    `kind` says whether it changed by more than noise; a value that is gone counts as zero.
    `is_lower` is whether the mean dropped, by noise or not. `is_undetectable` is whether the query
    has something to lose, but no regression could be detected, however deep. `others` is the same
    query by the other measures it is held to.
    """

    query: Query
    measure: str
    before: float | None
    after: float | None
    rank_before: int | None
    rank_after: int | None
    repetitions_before: tuple[float, ...]
    repetitions_after: tuple[float, ...]
    kind: ChangeKind
    is_lower: bool
    is_undetectable: bool
    others: tuple[Change, ...] = ()

    @property
    def chance(self) -> float:
        """The chance of values this low if nothing had changed."""
        return chance_of_drop(self.repetitions_before, self.repetitions_after)


@dataclass(frozen=True, slots=True)
class Regressions:
    """A run against a baseline; `stale` says what changed since, `left_out` who is not compared.

    `headline` has the verdict on all queries together. `may_replace` is whether the run may replace
    the baseline by the suite's own rule. It may not if the suite changed since: somebody has to
    accept the new suite first.
    """

    baseline: Baseline
    changes: tuple[Change, ...]
    headline: HeadlineComparison
    net_loss: NetLoss
    stale: tuple[str, ...]
    left_out: tuple[str, ...]
    results: tuple[RuleResult, ...]
    passed: bool
    may_replace: bool

    def of_kind(self, kind: ChangeKind) -> tuple[Change, ...]:
        """Return the queries that changed in this way."""
        return tuple(change for change in self.changes if change.kind is kind)


_NOTHING_COMPARED = RuleResult(
    "compared",
    Severity.FAIL,
    "nothing could be compared: the baseline shares no query or no measure with this run; accept "
    "a new run",
)


def compare_to_baseline(
    run: Run,
    baseline: Baseline,
    compared: Mapping[int, Change] | None = None,
    headline: HeadlineComparison | None = None,
) -> Regressions:
    """Compare a run with a baseline, on the queries that are still the same.

    `compared` is the result of `compare_queries`, `headline` that of `compare_headlines`, if they
    are known already.
    """
    outcomes = run.outcomes()
    found = compare_queries(run, baseline) if compared is None else compared
    changes = tuple(found[place] for place in sorted(found))
    if headline is None:
        [headline] = compare_headlines([(run, baseline)])
    left_out = _find_left_out(outcomes, baseline)
    stale = _find_stale(run, baseline, left_out)
    loss = find_net_loss(changes)
    results = _judge_comparability(run, baseline, headline, changes)
    if not results:
        rules = run.header.suite.rules
        results = [*judge_falls(rules, changes, headline, loss), *apply_rules(rules, changes)]
        results += judge_noise(changes)
    results += judge_comparison(headline.not_judged)
    results += _note_files(run, baseline)
    return Regressions(
        baseline,
        changes,
        headline,
        loss,
        stale,
        left_out,
        tuple(results),
        passed=not any(each.severity is Severity.FAIL for each in results),
        may_replace=not stale and any(each.rule == "accept_at" for each in results),
    )


def compare_queries(
    run: Run, baseline: Baseline, places: Iterable[int] | None = None
) -> dict[int, Change]:
    """Compare the queries that run and baseline share, all of them or those at some places.

    A query without a value in the baseline that could drop is left out, and so is one that hangs
    on hits that nobody judged.
    """
    outcomes, is_open = run.outcomes(), find_open_places(run, baseline)
    known = {query.hash: query for query in baseline.queries}
    found = {}
    for place in range(len(outcomes.hashes)) if places is None else places:
        before = known.get(outcomes.hashes[place]) if place not in is_open else None
        if before is not None and (change := _compare(run, outcomes, place, before)):
            found[place] = change
    return found


def _judge_comparability(
    run: Run, baseline: Baseline, headline: HeadlineComparison, changes: Sequence[Change]
) -> list[RuleResult]:
    """Say why a run cannot be compared with the baseline at all; nothing if it can."""
    if baseline.limit != run.header.limit:
        message = (
            f"{run.header.limit} hits were requested, but {baseline.limit} for the baseline; use "
            f"--k {baseline.limit}"
        )
        return [RuleResult("compared", Severity.FAIL, message)]
    if headline.measure not in baseline.measures:
        message = (
            f"the baseline has no {headline.measure}, the headline of this run; it has "
            f"{', '.join(baseline.measures)}; accept a new run, or choose a headline with -m"
        )
        return [RuleResult("compared", Severity.FAIL, message)]
    return [] if changes or headline.not_judged.is_too_many else [_NOTHING_COMPARED]


def _compare(run: Run, outcomes: Outcomes, place: int, before: BaselineQuery) -> Change | None:
    """Compare one query; None if it was not answered on both sides, or has no value to compare.

    Of several measures, the first that regressed decides, or else the first that improved.
    """
    values = take_answered(outcomes, place)
    if not (before.is_answered and len(values)):
        return None
    query, rank = outcomes.queries[place], outcomes.first_ranks[place]
    columns = {
        measure: values[:, run.header.measures.index(measure)]
        for measure in held_to(run.header.measures, before.values)
    }
    changes = [_compare_by(*each, query, before, rank) for each in columns.items()]
    if not changes:
        return None
    order = list(ChangeKind)
    deciding = min(changes, key=lambda each: order.index(each.kind))
    return replace(deciding, others=tuple(each for each in changes if each is not deciding))


def _compare_by(
    measure: str,
    values: NDArray[np.float64],
    query: Query,
    before: BaselineQuery,
    rank: int | None,
) -> Change:
    """Compare a query by one of the measures it is held to."""
    defined = values[~np.isnan(values)]
    mean_before = before.values.get(measure)
    mean_after = float(defined.mean()) if len(defined) else None
    old = before.repetitions(measure)
    new = tuple(defined.tolist()) or (0.0,) * len(values)
    return Change(
        query=query,
        measure=measure,
        before=mean_before,
        after=mean_after,
        rank_before=before.rank,
        rank_after=rank,
        repetitions_before=old,
        repetitions_after=new,
        kind=classify_change(old, new),
        is_lower=(mean_after or 0.0) < (mean_before or 0.0) - TIE_TOLERANCE,
        is_undetectable=max(old) > TIE_TOLERANCE and not can_detect_drop(old, len(new)),
    )


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
