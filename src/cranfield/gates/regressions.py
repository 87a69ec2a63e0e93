"""A run against a baseline: what each query lost or gained, and what the rules say of it.

A query regressed where it passes less often than it did, or where the class's first measure
fell, by more than it moves by itself (`moves`). Nothing is netted: three fixed queries do not
make up for one that fell.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.gates.baselines import name_corpus, name_files
from cranfield.gates.moves import (
    ChangeKind,
    could_tell,
    judge_move,
    repeats_needed,
    show_chance,
)
from cranfield.statistics import TIE_TOLERANCE
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.gates.baselines import Baseline, BaselineQuery
    from cranfield.model import Query, RegressionRules
    from cranfield.runs import Outcomes, Run

__all__ = [
    "Change",
    "ChangeKind",
    "Regressions",
    "RuleResult",
    "Severity",
    "compare_queries",
    "compare_to_baseline",
]


class Severity(StrEnum):
    """What a rule says."""

    FAIL = "fail"
    WARN = "warn"
    NOTE = "note"


@dataclass(frozen=True)
class Change:
    """One query against the baseline, by the measure that decides; before and after are means.

    What it comes to is worked out once: the same change may be judged many times.
    """

    query: Query
    measure: str
    before: float | None
    after: float | None
    rank_before: int | None
    rank_after: int | None
    repetitions_before: tuple[float, ...]
    repetitions_after: tuple[float, ...]

    @cached_property
    def kind(self) -> ChangeKind:
        """Whether it moved by more than noise; a value that is gone is worth nothing."""
        return judge_move(self.repetitions_before, self.repetitions_after)

    @property
    def chance(self) -> float:
        """The chance of values so low if nothing had changed."""
        return show_chance(self.repetitions_before, self.repetitions_after)

    @property
    def is_lower(self) -> bool:
        """Whether the mean fell, by noise or not."""
        return (self.after or 0.0) < (self.before or 0.0) - TIE_TOLERANCE

    @cached_property
    def is_untold(self) -> bool:
        """Whether it has something to lose and no fall of it could be told, however deep."""
        if max(self.repetitions_before) <= TIE_TOLERANCE:
            return False
        return not could_tell(self.repetitions_before, len(self.repetitions_after))


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


def compare_queries(
    run: Run, baseline: Baseline, places: Iterable[int] | None = None
) -> dict[int, Change]:
    """Compare the queries of a run that the baseline has too, all or those at some places.

    One without a value in the baseline that could fall is left out.
    """
    outcomes = run.outcomes()
    known = {query.hash: query for query in baseline.queries}
    found = {}
    for place in range(len(outcomes.hashes)) if places is None else places:
        before = known.get(outcomes.hashes[place])
        if before is not None and (change := _compare(run, outcomes, place, before)):
            found[place] = change
    return found


def compare_to_baseline(
    run: Run, baseline: Baseline, compared: Mapping[int, Change] | None = None
) -> Regressions:
    """Hold a run to a baseline, on the queries that are still the same.

    `compared` is what `compare_queries` found of it, where that is known already.
    """
    outcomes = run.outcomes()
    known = {query.hash for query in baseline.queries}
    found = compare_queries(run, baseline) if compared is None else compared
    changes = tuple(found[place] for place in sorted(found))
    asked = {query.id for query in outcomes.queries}
    new = [query.id for query, key in zip(outcomes.queries, outcomes.hashes, strict=True)
           if key not in known]  # fmt: skip
    gone = [query.id for query in baseline.queries if query.id not in asked]
    left_out = tuple(dict.fromkeys([*new, *gone]))
    results = _apply(run.header.suite.rules, changes) if changes else (_NOTHING,)
    results = (*results, *_judge_untold(changes))
    if baseline.limit != run.header.limit:
        message = f"{run.header.limit} hits were asked for, and {baseline.limit} for the baseline"
        results = (RuleResult("compared", Severity.FAIL, f"{message}; ask with the same --k"),)
    results = (*results, *_note_files(run, baseline))
    return Regressions(baseline, changes, _find_stale(run, baseline, left_out), left_out, results)


_NOTHING = RuleResult(
    "compared",
    Severity.FAIL,
    "nothing could be compared: the baseline shares no query or no measure with this run; accept "
    "a run anew",
)


class _FileChanges(NamedTuple):
    """What differs from the baseline's files: what is searched, and all others."""

    searched: list[str]
    others: list[str]


def _find_changed_files(run: Run, baseline: Baseline) -> _FileChanges:
    """Find the files that are not the baseline's; of what is searched, also new and lost ones."""
    names = name_files(run.header.files)
    corpus = set(name_corpus(run.header))
    now = {names[each]: found.sha256 for each, found in run.header.files.items()}
    changed = [name for name, digest in now.items() if baseline.files.get(name, digest) != digest]
    searched = [name for name in changed if name in corpus]
    searched += [f"{name} (new)" for name in sorted(corpus - set(baseline.files))]
    searched += [f"{name} (gone)" for name in baseline.corpus if name not in now]
    return _FileChanges(searched, [name for name in changed if name not in corpus])


def _note_files(run: Run, baseline: Baseline) -> list[RuleResult]:
    """Tell which files of the system are others than the baseline's: its program, its index."""
    changed = _find_changed_files(run, baseline).others
    if not changed:
        return []
    message = f"since the baseline these files of the system changed: {', '.join(changed)}"
    return [RuleResult("files", Severity.NOTE, message)]


def _judge_untold(changes: Sequence[Change]) -> list[RuleResult]:
    """Name the queries of which no fall could be told, so much they move by themselves.

    A gate that could not tell a fall of most of what there is to lose has judged nothing.
    """
    untold = [each for each in changes if each.is_untold]
    if not untold:
        return []
    fallen = [each for each in untold if each.is_lower]
    message = (
        f"{_count(untold)} moved so much while the baseline was asked that no fall could be told"
    )
    if remedy := _find_remedy(untold):
        message = f"{message}; {remedy}"
    if fallen:
        message = f"{message}. {_count(fallen)} of them fell"
    severity = Severity.WARN if fallen else Severity.NOTE
    found = [RuleResult("noise", severity, message, _ids(fallen or untold))]
    losable = [each for each in changes if max(each.repetitions_before) > TIE_TOLERANCE]
    if len(untold) > _HALF * len(losable):
        blind = (
            f"of {len(untold)} of the {len(losable)} queries that could fall no fall could be told"
        )
        found.append(RuleResult("compared", Severity.FAIL, f"{blind}; {remedy or _ANEW}"))
    return found


_HALF = 0.5
_ANEW = "accept a run of a system that moves less"


def _find_remedy(untold: Sequence[Change]) -> str:
    """Say how often to ask so that a fall of half of these queries could be told."""
    needed = sorted(
        count for each in untold if (count := repeats_needed(each.repetitions_before)) is not None
    )
    middle = int(_HALF * (len(untold) - 1))
    return f"ask with --repeat {needed[middle]} or more" if middle < len(needed) else ""


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
    values = outcomes.by_repeat[:, place, run.header.measures.index(measure)]
    # What was not answered is worth nothing; what was and has no value says nothing.
    values = np.where(outcomes.failed[:, place] & np.isnan(values), 0.0, values)
    defined = values[~np.isnan(values)]
    return Change(
        query=outcomes.queries[place],
        measure=measure,
        before=before.values.get(measure),
        after=float(defined.mean()) if len(defined) else None,
        rank_before=before.rank,
        rank_after=outcomes.first_ranks[place],
        repetitions_before=before.repetitions(measure),
        repetitions_after=tuple(defined.tolist()) or (0.0,) * len(values),
    )


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
    searched = _find_changed_files(run, baseline).searched
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
