"""Stored answers graded again after a change, and put before the gate without asking anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.gates.baselines import make_baseline
from cranfield.gates.regressions import Severity
from cranfield.runs import Evaluator, Outcomes, Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.gates.baselines import Baseline
    from cranfield.gates.judging import GatedRun
    from cranfield.model import Query, Response, Status, Threshold
    from cranfield.runs import Answer

__all__ = ["Graded", "HeldRun", "Stage", "failing_rules", "make_unbroken"]


class Graded(NamedTuple):
    """The answers to one query, measured: a row of values for each repetition."""

    values: NDArray[np.float64]
    failed: NDArray[np.bool_]
    status: Status | None
    rank: int | None
    reasons: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class HeldRun(Run):
    """A run whose outcomes are held in memory and stand in no store."""

    held: Outcomes

    def outcomes(self) -> Outcomes:
        """What became of every query."""
        return self.held


class Stage:
    """A stored run with all its answers, of which some may be replaced."""

    def __init__(self, run: Run) -> None:
        header = run.header
        self.queries: tuple[Query, ...] = header.suite.queries
        self.outcomes = run.outcomes()
        self.answers: dict[int, list[Answer]] = {}
        for answer in run.store.answers(header.id):
            self.answers.setdefault(answer.place, []).append(answer)
        self._evaluator = Evaluator(header.suite, run.measures)
        # The outcomes have the queries. To hash them for every judgment would take longer than
        # the judgment.
        without = replace(header.asked, suite=replace(header.suite, queries=()))
        self._run = replace(run, header=replace(header, asked=without))

    def right(self, place: int, response: Response) -> tuple[bool, ...]:
        """Tell of each hit whether it is relevant; none is, where the rules cannot be applied."""
        try:
            ranked = self._evaluator.expectation(place).grade(response).ranked
        except Exception:  # noqa: BLE001 - rules of other packages may raise anything
            return (False,) * len(response.hits)
        # A system that failed has no graded hits, whatever it sent along.
        grades = ranked or (None,) * len(response.hits)
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

    def hold(self, replaced: Mapping[int, Graded], repeats: int | None = None) -> HeldRun:
        """Make the run in which some queries have other answers.

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
        held = replace(
            base,
            values=rows.mean(axis=0),
            by_repeat=rows,
            failed=failed,
            statuses=tuple(statuses),
            first_ranks=tuple(ranks),
            reasons=reasons,
        )
        header = replace(self._run.header, repeats=len(rows))
        return HeldRun(header, self._run.store, held)


def make_unbroken(run: Run) -> Baseline:
    """Make the baseline that broken runs are held to."""
    accepted = {"date": "", "author": "", "reason": "the unbroken run"}
    return make_baseline(run, "unbroken", accepted)


def failing_rules(gated: GatedRun) -> frozenset[str]:
    """Name the rules by which a gate is red, each threshold by what it asks."""
    rules = {
        each.rule
        for each in gated.results
        if each.severity is Severity.FAIL and each.rule != "threshold"
    }
    missed = {
        _name(each.threshold)
        for each in gated.thresholds.thresholds
        if not each.reached and not each.threshold.diagnostic
    }
    return frozenset(rules | missed)


def _name(threshold: Threshold) -> str:
    where = f" in {threshold.category}" if threshold.category else ""
    return f"{threshold.measure} ≥ {threshold.at_least:g}{where}"
