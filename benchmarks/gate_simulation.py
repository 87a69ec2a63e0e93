"""Stored answers replaced by broken ones, graded again and judged by the gate; no query is run.

`BreakingPoint` finds the fewest broken queries that turn a gate red, with few judgments.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.comparisons import find_changes, find_headline, pair_arms
from cranfield.gates.baselines import compare_with_baselines, make_arm, make_baseline
from cranfield.gates.gate_rules import Severity
from cranfield.gates.gated_runs import judge_run
from cranfield.model import Undefined
from cranfield.runs.grading import Evaluator, grade_response
from cranfield.runs.runner import Run
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.comparisons import PairedRuns, QueryChange
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gated_runs import Judgment
    from cranfield.model import Query, Response, Status, Threshold
    from cranfield.runs.records import Answer, Outcomes

__all__ = [
    "ORDERS",
    "BreakingPoint",
    "BrokenQuery",
    "Graded",
    "SimulatedGate",
    "SimulatedRun",
    "Simulation",
    "failing_rules",
    "make_unbroken",
]


ORDERS = 5
"""The number of seeded orders in which queries are broken one after the other."""


class Graded(NamedTuple):
    """The answers to one query, measured: a row of values for each repetition."""

    values: NDArray[np.float64]
    failed: NDArray[np.bool_]
    status: Status | None
    rank: int | None
    reasons: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class SimulatedRun(Run):
    """A run whose outcomes are in memory and in no store."""

    simulated: Outcomes

    def outcomes(self) -> Outcomes:
        """The outcome of every query."""
        return self.simulated


class Simulation:
    """A stored run with all its answers, some of which can be replaced."""

    def __init__(self, run: Run) -> None:
        header = run.header
        self.queries: tuple[Query, ...] = header.suite.queries
        self.outcomes = run.outcomes()
        self.answers: dict[int, list[Answer]] = {}
        for answer in run.store.answers(header.id):
            self.answers.setdefault(answer.place, []).append(answer)
        self._evaluator = Evaluator(header.suite, run.measures)
        # The outcomes have the queries. Hashing them for every judgment would take longer than
        # the judgment.
        self._run = run.with_suite(replace(header.suite, queries=()))

    def right(self, place: int, response: Response) -> tuple[bool, ...]:
        """Return for each hit whether it is relevant; none is if the rules cannot be applied."""
        graded = grade_response(self._evaluator.expectation(place), response)
        if isinstance(graded, Undefined):
            return (False,) * len(response.hits)
        # A failed response has no graded hits, even if it has hits.
        grades = graded.ranked or (None,) * len(response.hits)
        return tuple(grade is not None and grade > 0 for grade in grades)

    def grade(self, place: int, responses: Sequence[Response]) -> Graded:
        """Grade answers to one query, one for each repetition."""
        graded = [self._evaluator.evaluate(place, 0, response) for response in responses]
        values = [[np.nan if value is None else value for value in each.values] for each in graded]
        statuses = [each.response.status for each in graded]
        failed = next((status for status in statuses if status.is_failure), statuses[0])
        reasons = {column: why for each in graded for column, why in each.reasons.items()}
        failures = np.array([status.is_failure for status in statuses])
        return Graded(np.array(values), failures, failed, graded[0].first_rank, reasons)

    def simulate(self, replaced: Mapping[int, Graded], repeats: int | None = None) -> SimulatedRun:
        """Return the run in which some queries have other answers.

        With another number of repetitions, queries that are not replaced have no values.
        """
        base = self.outcomes
        shape = (repeats or len(base.by_repeat), *base.values.shape)
        rows = base.by_repeat.copy() if repeats is None else np.full(shape, np.nan)
        failed = base.failed.copy() if repeats is None else np.zeros(shape[:2], dtype=np.bool_)
        statuses, ranks = list(base.statuses), list(base.first_ranks)
        reasons = {at: why for at, why in base.reasons.items() if at[0] not in replaced}
        for place, graded in replaced.items():
            rows[:, place], failed[:, place] = graded.values, graded.failed
            statuses[place], ranks[place] = graded.status, graded.rank
            reasons |= {(place, column): why for column, why in graded.reasons.items()}
        outcomes = replace(
            base,
            values=rows.mean(axis=0),
            by_repeat=rows,
            failed=failed,
            statuses=tuple(statuses),
            first_ranks=tuple(ranks),
            reasons=reasons,
        )
        header = replace(self._run.header, repeats=len(rows))
        return SimulatedRun(header, self._run.store, outcomes)


class BrokenQuery(NamedTuple):
    """A query's broken answers, and how they compare with the baseline, if it has the query."""

    graded: Graded
    change: QueryChange | None


class SimulatedGate:
    """Judges broken runs against a baseline; `before` are the rules that the unbroken run fails.

    The gate itself decides. This class only saves comparing the same queries thousands of times.
    """

    def __init__(self, simulation: Simulation, baseline: Baseline | None) -> None:
        self.simulation = simulation
        unbroken = simulation.simulate({})
        self._baseline = baseline or make_unbroken(unbroken)
        self._arm = make_arm(self._baseline, unbroken)
        self._is_comparable = str(find_headline(unbroken)) in self._baseline.measures
        self._unbroken = self._compare(unbroken)
        self.before = self._judge(unbroken, self._unbroken)

    def compare(self, graded: Mapping[int, Graded]) -> dict[int, BrokenQuery]:
        """Compare broken answers with the baseline, each query by itself."""
        others = {place: each for place, each in self._unbroken.items() if place not in graded}
        found = self._compare(self.simulation.simulate(graded), others)
        return {place: BrokenQuery(each, found.get(place)) for place, each in graded.items()}

    def judge(self, broken: Mapping[int, BrokenQuery]) -> frozenset[str]:
        """Name the further rules that fail when these queries are broken."""
        run = self.simulation.simulate({place: each.graded for place, each in broken.items()})
        changed = {place: each.change for place, each in broken.items() if each.change}
        return self._judge(run, {**self._unbroken, **changed}) - self.before

    def _compare(
        self, run: Run, known: Mapping[int, QueryChange] | None = None
    ) -> dict[int, QueryChange]:
        """Return what became of each query that the baseline has, by its place in the run."""
        paired = self._pair(run)
        if paired is None:
            return {}
        return dict(zip(paired.places_b, find_changes(paired, known), strict=True))

    def _pair(self, run: Run) -> PairedRuns | None:
        return pair_arms(self._arm, run) if self._is_comparable else None

    def _judge(self, run: Run, known: Mapping[int, QueryChange]) -> frozenset[str]:
        [comparison] = compare_with_baselines([self._pair(run)], [known])
        return failing_rules(judge_run(run, self._baseline, comparison=comparison))


def make_unbroken(run: Run) -> Baseline:
    """Make the baseline that broken runs are compared with."""
    accepted = {"date": "", "author": "", "reason": "the unbroken run"}
    return make_baseline(run, "unbroken", accepted)


def failing_rules(judged: Judgment) -> frozenset[str]:
    """Name the rules that fail, each threshold by what it requires."""
    rules = {
        each.rule
        for each in judged.results
        if each.severity is Severity.FAIL and each.rule != "threshold"
    }
    missed = {
        _name(each.threshold)
        for each in judged.thresholds.thresholds
        if not each.reached and not each.threshold.diagnostic
    }
    return frozenset(rules | missed)


def _name(threshold: Threshold) -> str:
    where = f" in {threshold.category}" if threshold.category else ""
    return f"{threshold.measure} ≥ {threshold.at_least:g}{where}"


class BreakingPoint:
    """Finds the number of broken queries from which a gate is red.

    `changed` are the places of queries whose break any rule could detect.
    """

    def __init__(self, gate: SimulatedGate, broken: Mapping[int, BrokenQuery], name: str) -> None:
        self._gate = gate
        self._broken = broken
        self._name = name
        places = list(broken)
        outcomes = gate.simulation.outcomes
        before = outcomes.by_repeat[:, places]
        after = np.stack([each.graded.values for each in broken.values()], axis=1)
        close = np.isclose(before, after, 0.0, TIE_TOLERANCE, equal_nan=True)
        moved = _select(places, np.any(~close, axis=(0, 2)))
        self.changed = [place for place in places if place in moved or self._failure_changed(place)]
        means, broken_means = outcomes.values[places], after.mean(axis=0)
        came_or_went = np.isnan(means) != np.isnan(broken_means)
        # If a value rose, or became defined or undefined, a mean may rise.
        rises = (came_or_went | (broken_means > means + TIE_TOLERANCE)).any(axis=1)
        self._rising = _select(places, rises)

    def _failure_changed(self, place: int) -> bool:
        before = self._gate.simulation.outcomes.statuses[place]
        return _has_failed(before) != _has_failed(self._broken[place].graded.status)

    def counts(self, places: Sequence[int]) -> list[int | None]:
        """Break the queries at these places in several orders; return how many it took in each.

        If no value rises, one more broken query can only make things worse, and the number is
        found by bisection. If some rise, the others are tried first. If these are not enough, a
        mean may fall and rise again: then stretches that cannot be red are skipped.
        """
        falling = [place for place in places if place not in self._rising]
        if self._is_red(falling):
            return self._bisect_all(self._orders(falling))
        if len(falling) == len(places) or not self._could_be_red((), places):
            return [None] * ORDERS
        return [self._find_first(order, 0, len(order)) for order in self._orders(places)]

    def _orders(self, places: Sequence[int]) -> list[list[int]]:
        return [
            Random(f"{self._name}/order {number}").sample(places, len(places))  # noqa: S311
            for number in range(ORDERS)
        ]

    def _is_red(self, places: Sequence[int]) -> bool:
        return bool(places) and bool(
            self._gate.judge({place: self._broken[place] for place in places})
        )

    def _bisect_all(self, orders: Sequence[Sequence[int]]) -> list[int | None]:
        """Find the numbers for orders that turn the gate red as a whole.

        The number of one order is a good guess for the next.
        """
        found: list[int | None] = []
        guess = 1
        for order in orders:
            guess = self._bisect(order, guess)
            found.append(guess)
        return found

    def _bisect(self, order: Sequence[int], guess: int) -> int:
        """Find the number for one order, first around the guess in doubling steps."""
        low, high = 0, len(order)  # so many are green, so many are red
        step = 1
        if self._is_red(order[:guess]):
            high = guess
            while high - step > low and self._is_red(order[: high - step]):
                high, step = high - step, 2 * step
            low = max(low, high - step)
        else:
            low = guess
            while low + step < high and not self._is_red(order[: low + step]):
                low, step = low + step, 2 * step
            high = min(high, low + step)
        between = range(low + 1, high)
        return low + 1 + bisect_left(between, x=True, key=lambda count: self._is_red(order[:count]))

    def _find_first(self, order: Sequence[int], low: int, high: int) -> int | None:
        """Find the least number above `low` and up to `high` that is red, whatever lies between."""
        if high - low == 1:
            return high if self._is_red(order[:high]) else None
        if not self._could_be_red(order[:low], order[low:high]):
            return None
        middle = (low + high) // 2
        found = self._find_first(order, low, middle)
        return self._find_first(order, middle, high) if found is None else found

    def _could_be_red(self, places: Sequence[int], others: Sequence[int]) -> bool:
        """Return whether any choice of the others could be red: all keep or lose, none gains.

        Those at `places` are broken as they are.
        """
        worst = {place: self._broken[place] for place in places}
        return bool(self._gate.judge(worst | {place: self._worst[place] for place in others}))

    @cached_property
    def _worst(self) -> dict[int, BrokenQuery]:
        return self._gate.compare(
            {place: self._take_worst(place, each.graded) for place, each in self._broken.items()}
        )

    def _take_worst(self, place: int, after: Graded) -> Graded:
        outcomes = self._gate.simulation.outcomes
        before = outcomes.by_repeat[:, place]
        least = np.minimum(before, after.values)
        # A value that became defined or undefined counts as zero, the worst for any mean.
        least[np.isnan(before) != np.isnan(after.values)] = 0.0
        return after._replace(values=least, failed=after.failed | outcomes.failed[:, place])


def _select(places: Sequence[int], marks: NDArray[np.bool_]) -> set[int]:
    return {place for place, is_marked in zip(places, marks.tolist(), strict=True) if is_marked}


def _has_failed(status: Status | None) -> bool:
    return status is None or status.is_failure
