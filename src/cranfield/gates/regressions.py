"""A run against a baseline: what each query lost or gained, and what the rules say of it.

A query regressed where it passed and does not, or where the class's first measure fell by more
than it moved when the baseline was asked several times; of a run that asks several times the
median counts. Nothing is netted: three fixed queries do not make up for one that fell.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from cranfield.gates.baselines import name_file
from cranfield.statistics import TIE_TOLERANCE
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gates.baselines import Baseline, BaselineQuery
    from cranfield.model import Query, RegressionRules
    from cranfield.runs import Outcomes, Run

__all__ = ["Change", "ChangeKind", "Regressions", "RuleResult", "Severity", "compare_to_baseline"]


class ChangeKind(StrEnum):
    """What became of a query."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    SAME = "same"


class Severity(StrEnum):
    """What a rule says."""

    FAIL = "fail"
    WARN = "warn"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Change:
    """One query against the baseline, by the measure that decides."""

    query: Query
    measure: str
    before: float | None
    after: float | None
    rank_before: int | None
    rank_after: int | None
    tolerance: float

    @property
    def kind(self) -> ChangeKind:
        """Whether the value moved by more than noise; a value that is gone has fallen."""
        before, after = self.before or 0.0, self.after or 0.0
        if abs(after - before) <= max(self.tolerance, TIE_TOLERANCE):
            return ChangeKind.SAME
        return ChangeKind.IMPROVED if after > before else ChangeKind.REGRESSED


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A rule that had something to say, and the queries it speaks of."""

    rule: str
    severity: Severity
    message: str
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Regressions:
    """A run against a baseline; `stale` says what changed since, `left_out` who is not compared."""

    baseline: Baseline
    changes: tuple[Change, ...]
    stale: tuple[str, ...]
    left_out: tuple[str, ...]
    results: tuple[RuleResult, ...]

    def of_kind(self, kind: ChangeKind) -> tuple[Change, ...]:
        """The queries that became so."""
        return tuple(change for change in self.changes if change.kind is kind)

    @property
    def passed(self) -> bool:
        """Whether no rule failed."""
        return not any(each.severity is Severity.FAIL for each in self.results)

    @property
    def may_replace(self) -> bool:
        """Whether the run may take the baseline's place by the suite's own rule.

        Not where the suite changed since: what it asks now, somebody has to accept first.
        """
        return not self.stale and any(each.rule == "accept_at" for each in self.results)


def compare_to_baseline(run: Run, baseline: Baseline) -> Regressions:
    """Hold a run to a baseline, on the queries that are still the same."""
    outcomes = run.outcomes()
    known = {query.hash: query for query in baseline.queries}
    kept = [place for place, key in enumerate(outcomes.hashes) if key in known]
    compared = [_compare(run, outcomes, place, known[outcomes.hashes[place]]) for place in kept]
    changes = tuple(change for change in compared if change)
    asked = {query.id for query in outcomes.queries}
    new = [query.id for query, key in zip(outcomes.queries, outcomes.hashes, strict=True)
           if key not in known]  # fmt: skip
    gone = [query.id for query in baseline.queries if query.id not in asked]
    left_out = tuple(dict.fromkeys([*new, *gone]))
    results = _apply(run.header.suite.rules, changes) if changes else (_NOTHING,)
    if baseline.limit != run.header.limit:
        message = f"{run.header.limit} hits were asked for, and {baseline.limit} for the baseline"
        results = (RuleResult("compared", Severity.FAIL, f"{message}; ask with the same --k"),)
    results = (*results, *_note_loose(changes), *_note_files(run, baseline))
    return Regressions(baseline, changes, _find_stale(run, baseline, left_out), left_out, results)


_NOTHING = RuleResult(
    "compared",
    Severity.FAIL,
    "nothing could be compared: the baseline shares no query or no measure with this run; accept "
    "a run anew",
)


def _find_changed_files(run: Run, baseline: Baseline) -> tuple[list[str], list[str]]:
    """Find what differs from the baseline's: files of the system's corpus, and all others."""
    corpus = {name_file(name) for name in run.header.spec.get("corpus", ())}
    now = {name_file(name): found.sha256 for name, found in run.header.files.items()}
    changed = [name for name, digest in now.items() if baseline.files.get(name, digest) != digest]
    searched = [name for name in changed if name in corpus]
    return searched, [name for name in changed if name not in corpus]


def _note_files(run: Run, baseline: Baseline) -> list[RuleResult]:
    """Tell which files of the system are others than the baseline's: its program, its index."""
    _, changed = _find_changed_files(run, baseline)
    if not changed:
        return []
    message = f"since the baseline these files of the system changed: {', '.join(changed)}"
    return [RuleResult("files", Severity.NOTE, message)]


def _note_loose(changes: Sequence[Change]) -> list[RuleResult]:
    """Name the queries that no fall can be seen of: by themselves they moved as far."""
    loose = [each for each in changes if each.before and each.tolerance >= each.before]
    if not loose:
        return []
    message = (
        f"{_count(loose)} moved as far as they can fall while the baseline was asked: "
        "no regression of them is seen"
    )
    return [RuleResult("noise", Severity.NOTE, message, _ids(loose))]


def _deciding(run: Run, before: BaselineQuery) -> str:
    """The first measure that a query had in the baseline; passing decides where it is measured.

    A query that is only to be sent somewhere has no precision: then its route decides.
    """
    both = [name for name in run.header.measures if name in before.values]
    return "Pass" if "Pass" in both else next(iter(both), "")


def _compare(run: Run, outcomes: Outcomes, place: int, before: BaselineQuery) -> Change | None:
    """Compare one query; None where the baseline has no value that could fall."""
    measure = _deciding(run, before)
    if not measure:
        return None
    after = _find_usual(outcomes, place, run.header.measures.index(measure))
    return Change(
        query=outcomes.queries[place],
        measure=measure,
        before=before.values.get(measure),
        after=after,
        rank_before=before.rank,
        rank_after=outcomes.first_ranks[place],
        tolerance=before.noise.get(measure, 0.0),
    )


def _find_usual(outcomes: Outcomes, place: int, column: int) -> float | None:
    """What a query has mostly: the upper median of its repetitions, so that one slip is none."""
    values = outcomes.by_repeat[:, place, column]
    defined = np.sort(values[~np.isnan(values)])
    return float(defined[len(defined) // 2]) if len(defined) else None


def _find_stale(run: Run, baseline: Baseline, left_out: Sequence[str]) -> tuple[str, ...]:
    """Say what is not what it was when the baseline was accepted."""
    header = run.header
    stale = []
    if left_out:
        was = "query was" if len(left_out) == 1 else "queries were"
        stale.append(f"{len(left_out)} {was} added, changed or removed")
    elif baseline.suite_hash != hash_suite(header.suite):
        stale.append("the suite's gate, rules, categories or notes changed")
    if baseline.query_class != header.suite.query_class:
        stale.append(f"the class was {baseline.query_class} and is {header.suite.query_class}")
    searched, _ = _find_changed_files(run, baseline)
    if searched:
        stale.append(f"what is searched changed: {', '.join(searched)}")
    return tuple(stale)


def _apply(rules: RegressionRules, changes: Sequence[Change]) -> tuple[RuleResult, ...]:
    """Ask every rule."""
    fallen = [each for each in changes if each.kind is ChangeKind.REGRESSED]
    risen = [each for each in changes if each.kind is ChangeKind.IMPROVED]
    found = [
        _too_many(rules, fallen),
        _protected(rules, fallen),
        _watched(rules, fallen, risen),
        _acceptable(rules, fallen, risen),
    ]
    return tuple(each for each in found if each)


def _too_many(rules: RegressionRules, fallen: Sequence[Change]) -> RuleResult | None:
    if len(fallen) <= rules.at_most:
        return None
    message = f"{_count(fallen)} regressed; at most {rules.at_most} may"
    return RuleResult("at_most", Severity.FAIL, message, _ids(fallen))


def _protected(rules: RegressionRules, fallen: Sequence[Change]) -> RuleResult | None:
    hit = [each for each in fallen if each.query.category in rules.protected]
    if not hit:
        return None
    categories = ", ".join(dict.fromkeys(each.query.category for each in hit))
    message = f"{_count(hit)} regressed in {categories}, where none may"
    return RuleResult("protected", Severity.FAIL, message, _ids(hit))


def _watched(
    rules: RegressionRules, fallen: Sequence[Change], risen: Sequence[Change]
) -> RuleResult | None:
    gained = [each for each in risen if each.query.category in rules.watched]
    lost = [each for each in fallen if each.query.category not in rules.watched]
    if not (gained and lost):
        return None
    categories = ", ".join(dict.fromkeys(each.query.category for each in gained))
    message = f"{categories} improved while {_count(lost)} elsewhere regressed"
    return RuleResult("watched", Severity.WARN, message, _ids(lost))


def _acceptable(
    rules: RegressionRules, fallen: Sequence[Change], risen: Sequence[Change]
) -> RuleResult | None:
    if rules.accept_at is None or fallen or len(risen) < rules.accept_at:
        return None
    message = f"{_count(risen)} improved and none regressed: this may be the new baseline"
    return RuleResult("accept_at", Severity.NOTE, message, _ids(risen))


def _count(changes: Sequence[Change]) -> str:
    return "1 query" if len(changes) == 1 else f"{len(changes)} queries"


def _ids(changes: Sequence[Change]) -> tuple[str, ...]:
    return tuple(each.query.id for each in changes)
