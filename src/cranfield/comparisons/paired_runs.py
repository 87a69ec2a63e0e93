"""Two arms paired query by query, and the reasons if they cannot be.

An arm is a run: one of the store, or a baseline, whose outcomes a file holds.
"""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import ComparisonError
from cranfield.runs.lookup import require_complete
from cranfield.runs.regrading import regrade
from cranfield.runs.truth import find_moved, truth_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cranfield.measures import Measure
    from cranfield.model import Query, Status, Suite
    from cranfield.runs.records import Outcomes, TruthSource
    from cranfield.runs.runner import Run

__all__ = [
    "Overlap",
    "PairedRuns",
    "describe_overlap",
    "find_headline",
    "has_right_answers",
    "measure_overlap",
    "name_arms",
    "pair_arms",
    "pair_runs",
    "share_truth",
]

_SHOWN = 3
_UNJUDGED = "unjudged"


@dataclass(frozen=True)
class PairedRuns:
    """Two runs on the queries they share.

    `places_a` and `places_b` are the positions of the paired queries in either run; `left_out`
    says which queries have no partner. `regraded` are the queries that B's run had other right
    answers for, from another database: they were graded again by those of A. `advice` says what
    judges unjudged hits, if it is not the judging of what decides between two stored runs.
    """

    a: Run
    b: Run
    outcomes_a: Outcomes
    outcomes_b: Outcomes
    places_a: tuple[int, ...]
    places_b: tuple[int, ...]
    left_out: tuple[str, ...]
    regraded: tuple[str, ...] = ()
    advice: str = ""

    @property
    def truth(self) -> tuple[TruthSource, ...]:
        """The databases that named right answers, for both arms alike; none if no rule asks one."""
        return self.a.header.truth

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """What both runs were measured by, in the order of A."""
        return tuple(measure for measure in self.a.measures if measure in self.b.measures)

    @cached_property
    def quality_measures(self) -> tuple[Measure, ...]:
        """The measures that judge an answer; the first is the headline."""
        return tuple(measure for measure in self.measures if measure.family.is_quality)

    @property
    def queries(self) -> list[Query]:
        """The paired queries, as A has them."""
        return [self.outcomes_a.queries[place] for place in self.places_a]

    @property
    def statuses(self) -> tuple[list[Status | None], list[Status | None]]:
        """The status of each paired query in A and in B."""
        return (
            [self.outcomes_a.statuses[place] for place in self.places_a],
            [self.outcomes_b.statuses[place] for place in self.places_b],
        )

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """Whether both arms answered and both answers were graded, pair by pair."""
        pairs = zip(*self.statuses, strict=True)
        failed = [any(each is None or each.is_failure for each in pair) for pair in pairs]
        return ~np.array(failed, dtype=np.bool_) & ~self.ungraded

    @cached_property
    def ungraded(self) -> NDArray[np.bool_]:
        """Whether the answer of either arm could not be graded, pair by pair."""
        first, second = self.outcomes_a.ungraded, self.outcomes_b.ungraded
        places = zip(self.places_a, self.places_b, strict=True)
        return np.array([a in first or b in second for a, b in places], dtype=np.bool_)

    @property
    def has_right_answers(self) -> bool:
        """Whether anything says which hits are right."""
        return has_right_answers(self.a.header.suite)

    @cached_property
    def not_judged(self) -> NDArray[np.bool_]:
        """Whether judgments are missing to say what became of the query, pair by pair."""
        if not self.has_right_answers:
            return self.answered
        return self.find_open(self.quality_measures[0])

    @property
    def judging_advice(self) -> str:
        """What judges the hits that decide between the arms, as a sentence goes on."""
        if self.advice:
            return self.advice
        names = [each.header.name for each in (self.a, self.b)]
        if names[0] == names[1]:
            return "`cranfield judge`"
        command = shlex.join(["cranfield", "judge", "--decisive", *names])
        return f"`{command}`, which says when the verdict is settled"

    def find_open(self, measure: Measure) -> NDArray[np.bool_]:
        """Return whether a measure depends on unjudged hits in either arm, pair by pair."""
        if measure.is_check:
            return np.zeros(len(self.places_a), dtype=np.bool_)
        first = set(self.outcomes_a.find_open(self.a.measures.index(measure)))
        second = set(self.outcomes_b.find_open(self.b.measures.index(measure)))
        places = zip(self.places_a, self.places_b, strict=True)
        found = np.array([a in first or b in second for a, b in places], dtype=np.bool_)
        return found & self.answered

    def values(self, measure: Measure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return a measure's values in A and in B, pair by pair.

        NaN if undefined, and in both arms for a pair that either arm failed to answer, that was not
        graded in either, or that depends on unjudged hits: it says nothing about quality.
        """
        first = self.outcomes_a.values[_as_index(self.places_a), self.a.measures.index(measure)]
        second = self.outcomes_b.values[_as_index(self.places_b), self.b.measures.index(measure)]
        known = self.answered & ~self.find_open(measure)
        return np.where(known, first, np.nan), np.where(known, second, np.nan)

    def why_undefined(self, measure: Measure) -> str:
        """Return why no pair has a value of the measure in both arms."""
        if not self.answered.any():
            return "no query was answered by both arms and graded"
        index = self.a.measures.index(measure)
        reasons = (self.outcomes_a.reasons.get((place, index)) for place in self.places_a)
        return next((reason for reason in reasons if reason), "no pair has a value in both arms")


def pair_runs(a: Run, b: Run, *, common: bool = False) -> PairedRuns:
    """Pair the queries of two runs of one suite by their hashes.

    Runs whose queries differ are refused, with the differences; `common` pairs the queries that
    are identical. One truth grades both: if the right answers of B came from another database,
    its answers are graded again by those of A.
    """
    _refuse_different(a, b)
    _refuse_other_headline(a, b)
    b, regraded = share_truth(a, b)
    paired = pair_arms(a, b)
    first, second = paired.outcomes_a, paired.outcomes_b
    require_complete(a, first)
    require_complete(b, second)
    left_out = tuple(_differences(first, second))
    if left_out and not common:
        raise ComparisonError(
            f"the runs {a.header.id} and {b.header.id} did not ask the same queries: "
            f"{'; '.join(left_out)}; run both again, or pair the {len(paired.places_a)} that are "
            "identical with --common"
        )
    if not paired.places_a:
        raise ComparisonError(
            f"the runs {a.header.id} and {b.header.id} have no query in common: "
            f"{'; '.join(left_out)}"
        )
    return replace(paired, left_out=left_out, regraded=regraded)


def pair_arms(a: Run, b: Run, *, advice: str = "") -> PairedRuns:
    """Pair the queries that two arms share, in the order of A; nothing is refused or regraded."""
    first, second = a.outcomes(), b.outcomes()
    places = {key: place for place, key in enumerate(second.hashes)}
    kept = tuple(place for place, key in enumerate(first.hashes) if key in places)
    others = tuple(places[first.hashes[place]] for place in kept)
    return PairedRuns(a, b, first, second, kept, others, (), advice=advice)


def share_truth(a: Run, b: Run) -> tuple[Run, tuple[str, ...]]:
    """Grade B by the right answers of A, if its own are others; return which queries have them."""
    truth = truth_of(a.header)
    moved = find_moved(b.header, truth)
    return (regrade(b, b.header.suite, truth=truth), moved) if moved else (b, ())


def has_right_answers(suite: Suite) -> bool:
    """Return whether anything says which hits are right; nothing does for a list of queries."""
    is_list = suite.query_class == _UNJUDGED
    return not is_list or any(set(query.expect) != {"anything"} for query in suite.queries)


def find_headline(run: Run) -> Measure:
    """Return the measure that verdicts on a run are about: its first of quality."""
    headline = next((each for each in run.measures if each.family.is_quality), None)
    if headline is None:
        raise ComparisonError(
            f"the run {run.header.id} has no measure of quality, only "
            f"{', '.join(run.header.measures)}; choose measures with -m"
        )
    return headline


def _refuse_other_headline(a: Run, b: Run) -> None:
    """Refuse runs that were not both measured by what would decide."""
    headline = find_headline(a)
    if headline not in b.measures:
        raise ComparisonError(
            f"the headline of the run {a.header.id} is {headline}, and the run {b.header.id} was "
            f"not measured by it, but by {', '.join(b.header.measures)}; choose measures for both "
            f"with -m {headline}"
        )


def _as_index(places: tuple[int, ...]) -> NDArray[np.int64]:
    return np.array(places, dtype=np.int64)


def _refuse_different(a: Run, b: Run) -> None:
    for what, of_a, of_b in (
        ("suite", a.header.suite.id, b.header.suite.id),
        ("class", a.header.suite.query_class, b.header.suite.query_class),
        ("number of hits asked for", a.header.limit, b.header.limit),
    ):
        if of_a != of_b:
            raise ComparisonError(
                f"the runs {a.header.id} and {b.header.id} cannot be compared: the {what} is "
                f"{of_a} in the one and {of_b} in the other; run both in the same way"
            )


def _differences(first: Outcomes, second: Outcomes) -> list[str]:
    ids_a = {query.id: key for query, key in zip(first.queries, first.hashes, strict=True)}
    ids_b = {query.id: key for query, key in zip(second.queries, second.hashes, strict=True)}
    changed = [each for each in ids_a if each in ids_b and ids_a[each] != ids_b[each]]
    only_a = [each for each in ids_a if each not in ids_b]
    only_b = [each for each in ids_b if each not in ids_a]
    named = (("changed", changed), ("only in A", only_a), ("only in B", only_b))
    return [f"{len(ids)} {what} ({_some(ids)})" for what, ids in named if ids]


def _some(ids: list[str]) -> str:
    shown = ", ".join(ids[:_SHOWN])
    return shown if len(ids) <= _SHOWN else f"{shown} …"


def name_arms(arms: Sequence[Sequence[Run]]) -> tuple[str, ...]:
    """Name each arm, one run per suite: by its label, or by its system without one.

    Arms that would share a name are told apart by system and label, then by the id of their first
    run, and if they are the same run by a letter.
    """
    plain = [_name_arm(arm) for arm in arms]
    names = plain
    for refined in (
        [_with_label(arm) for arm in arms],
        [f"{name} ({arm[0].header.id})" for name, arm in zip(plain, arms, strict=True)],
        [f"{name} ({_letter(place)})" for place, name in enumerate(plain)],
    ):
        taken = Counter(names)
        names = [
            longer if taken[name] > 1 else name for name, longer in zip(names, refined, strict=True)
        ]
    return tuple(names)


def _name_arm(arm: Sequence[Run]) -> str:
    """Name an arm as all its runs are named; by their system if labels differ but it does not."""
    names = {run.header.name for run in arm}
    systems = {run.header.system for run in arm}
    return systems.pop() if len(names) > 1 and len(systems) == 1 else arm[0].header.name


def _with_label(arm: Sequence[Run]) -> str:
    name, system = _name_arm(arm), arm[0].header.system
    return name if name == system else f"{system} ({name})"


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < 26 else f"arm {place + 1}"


_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Overlap:
    """How alike two runs are in their first hits.

    `share` is the mean over queries of the hits in both, divided by those in either; two empty
    answers are alike. `identical` counts the queries with the same hits in the same order.
    """

    queries: int
    share: float
    identical: int
    depth: int = _DEPTH


def measure_overlap(runs: PairedRuns) -> Overlap:
    """Compare the first hits of the paired queries, of the first repetition."""
    hits_a, hits_b = _first_hits(runs.a), _first_hits(runs.b)
    pairs = [
        (hits_a.get(place_a, ()), hits_b.get(place_b, ()))
        for place_a, place_b in zip(runs.places_a, runs.places_b, strict=True)
    ]
    shares = [len(set(a) & set(b)) / (len(set(a) | set(b)) or 1) or float(a == b) for a, b in pairs]
    return Overlap(len(pairs), sum(shares) / len(pairs), sum(a == b for a, b in pairs))


def describe_overlap(runs: PairedRuns) -> Iterator[str]:
    """Say how alike two runs of unjudged queries are; nothing if right hits are known."""
    if runs.has_right_answers:
        return
    found = measure_overlap(runs)
    yield (
        f"nothing says which hits are right, so this is not a verdict on quality; the first "
        f"{found.depth} hits of both share {found.share:.0%} on average, and "
        f"{found.identical} of {found.queries} rankings are the same"
    )


def _first_hits(run: Run) -> dict[int, tuple[str, ...]]:
    return {
        answer.place: tuple(hit.id for hit in answer.response.hits[:_DEPTH])
        for answer in run.store.answers(run.header.id)
        if answer.repeat == 0
    }
