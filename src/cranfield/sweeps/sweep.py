"""A sweep, from its plan to its outcome."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cranfield.errors import CranfieldError
from cranfield.statistics import VerdictKind, mean_interval
from cranfield.sweeps.outcome import HeldOut, changes_by_category, conclude, cross_validate
from cranfield.sweeps.searches import SEARCHES
from cranfield.sweeps.sweep_file import is_permitted
from cranfield.sweeps.trial_runs import TrialRuns
from cranfield.sweeps.tuning import TuningOptions, find_broken, objective, pair_overall, tune

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.evaluation.sessions import Session
    from cranfield.statistics import MeanInterval
    from cranfield.sweeps.outcome import SweepOutcome
    from cranfield.sweeps.searches import Search, Trial
    from cranfield.sweeps.sweep_plan import SweepPlan
    from cranfield.sweeps.tuning import Rows, TrialScores, Tuning

__all__ = ["Sweep", "SweepOptions", "SweepProgress", "run_sweep"]

_MOST_AT_ONCE = 100_000
_MOST_REPEATS = 50
"""A search that proposed nothing new so many times in a row has tried what there is."""


class SweepProgress(Protocol):
    """Follows a sweep."""

    def advance(self, done: int, total: int, text: str, seconds_left: float) -> None:
        """Show that one more trial is scored, of so many, and how long the others may take."""


class _Silent:
    def advance(self, done: int, total: int, text: str, seconds_left: float) -> None:
        """Show nothing."""


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """How a sweep is run: trials at a time; `fresh` asks for everything, whatever is stored."""

    jobs: int = 1
    fresh: bool = False
    progress: SweepProgress = field(default_factory=_Silent)


@dataclass(frozen=True, slots=True)
class Sweep:
    """A finished sweep. `outcome` is None if nothing on the tuning part was above the default.

    `changes` are the mean differences of each trial to the default on the tuning part, by suite and
    category. `gains` are those of the alternatives on the held-out part, where each suite counts
    the same.
    """

    plan: SweepPlan
    tuning: Tuning
    outcome: SweepOutcome | None
    changes: tuple[Mapping[tuple[str, str], float], ...]
    gains: Mapping[Trial, MeanInterval]
    reused: int
    made: int
    ended_by: str = ""
    """Which budget ended the search, if one did."""
    excluded: int = 0
    """The number of proposed trials whose values break a relation; they were not run."""

    @property
    def is_constrained_to_default(self) -> bool:
        """Whether the constraints exclude every trial but the default."""
        others = self.tuning.trials[1:]
        if not others:
            return self.excluded > 0 and not self.ended_by
        return all(each.refused for each in others)

    @property
    def is_shown_better(self) -> bool:
        """Whether the held-out queries show the winner better in a suite and worse in none."""
        kinds = [each.verdict.kind for each in self.outcome.suites] if self.outcome else []
        return VerdictKind.BETTER in kinds and VerdictKind.WORSE not in kinds


def run_sweep(plan: SweepPlan, session: Session, options: SweepOptions) -> Sweep:
    """Run a sweep; repeated, it goes on where it was stopped."""
    runs = TrialRuns(plan, session, fresh=options.fresh)
    rows = plan.parts.tuning
    trials = _Trials(plan, runs, options)
    scores, ended_by = trials.search(rows)
    default, table = scores[0], plan.table
    if not np.isfinite(objective(default, table, rows)):
        raise CranfieldError(
            "a suite has no query whose headline has a value; a sweep needs some to tune on"
        )
    seed, constraints = plan.file.split.seed, plan.file.constraints
    broken = {
        each.trial: find_broken(each, default, table, rows, constraints, seed=seed)
        for each in scores
    }
    refused = {trial: reason for trial, reason in broken.items() if reason}
    settings = TuningOptions(plan.parameters, refused, seed)
    tuning = tune(scores, table, rows, settings)
    outcome, gains = _check(plan, runs, scores, tuning, settings)
    changes = tuple(changes_by_category(each, default, table, rows) for each in scores)
    return Sweep(
        plan=plan,
        tuning=tuning,
        outcome=outcome,
        changes=changes,
        gains=gains,
        reused=runs.reused,
        made=runs.made,
        ended_by=ended_by,
        excluded=len(trials.excluded),
    )


def _check(
    plan: SweepPlan,
    runs: TrialRuns,
    scores: Sequence[TrialScores],
    tuning: Tuning,
    settings: TuningOptions,
) -> tuple[SweepOutcome | None, dict[Trial, MeanInterval]]:
    """Compare the winner with the default on queries that did not choose it."""
    margin = plan.file.margin
    if plan.parts.folds is not None:
        return cross_validate(
            scores, plan.table, plan.parts.folds, scores[tuning.best], settings, margin
        ), {}
    if tuning.best == 0:
        return None, {}
    rows = plan.parts.held_out
    held = {
        trial: runs.score(trial, rows)
        for trial in (tuning.default, tuning.winner, *(each.trial for each in tuning.alternatives))
    }
    default = _join(scores[0], held[tuning.default], rows)
    winner = held[tuning.winner]
    outcome = conclude(
        plan.table,
        HeldOut(plan.parts.tuning, rows, default, winner),
        scores[tuning.best],
        settings.seed,
        margin,
    )
    gains = {each.trial: _gain(plan, default, held[each.trial]) for each in tuning.alternatives}
    return outcome, {trial: gain for trial, gain in gains.items() if gain is not None}


def _gain(plan: SweepPlan, default: TrialScores, scores: TrialScores) -> MeanInterval | None:
    """Return the gain of a trial on the held-out queries that both answered; None without any."""
    answered = plan.parts.held_out & ~default.failed & ~scores.failed
    pair = pair_overall(default, scores, plan.table, answered)
    return mean_interval(pair.a, pair.b) if len(pair.a) > 1 else None


def _join(tuned: TrialScores, held: TrialScores, rows: Rows) -> TrialScores:
    """Return the scores of a trial on both parts."""
    return replace(
        tuned,
        values=np.where(rows, held.values, tuned.values),
        failed=np.where(rows, held.failed, tuned.failed),
        seconds=np.where(rows, held.seconds, tuned.seconds),
    )


class _Trials:
    """The trials of a sweep as they are proposed and scored, the default first."""

    def __init__(self, plan: SweepPlan, runs: TrialRuns, options: SweepOptions) -> None:
        self._plan = plan
        self._runs = runs
        self._options = options
        self._started = time.monotonic()
        self._scored: dict[Trial, TrialScores] = {}
        self._order: list[Trial] = []
        self._ended_by = ""
        self.excluded: set[Trial] = set()

    def search(self, rows: Rows) -> tuple[list[TrialScores], str]:
        """Score trials until the search has no more, or the budget is spent."""
        kind = SEARCHES.get(self._plan.file.search.method)
        search = kind.open(self._plan.parameters, self._plan.file.search.seed)
        default = self._runs.score(self._plan.default, rows)
        self._order.append(default.trial)
        self._scored[default.trial] = default
        at_once = self._options.jobs if kind.learns else self._most() or _MOST_AT_ONCE
        repeats = 0
        while repeats < _MOST_REPEATS and not self._is_over():
            before = len(self._scored)
            proposed = search.propose(at_once)
            if not proposed:
                break
            self._take(search, proposed, rows)
            repeats = repeats + 1 if len(self._scored) == before else 0
        return [self._scored[each] for each in self._order if each in self._scored], self._ended_by

    def _take(self, search: Search, proposed: list[Trial], rows: Rows) -> None:
        permitted = [each for each in proposed if is_permitted(each, self._plan.file.constraints)]
        self.excluded.update(set(proposed) - set(permitted) - {self._plan.default})
        fresh = [each for each in dict.fromkeys(permitted) if each not in self._scored]
        room = self._room()
        if room is not None and len(fresh) > room:
            fresh, self._ended_by = fresh[:room], "runs"
        self._score(fresh, rows, len(self._scored) + len(fresh))
        table = self._plan.table
        reached = [
            objective(self._scored[each], table, rows) if each in self._scored else float("nan")
            for each in proposed
        ]
        search.learn(proposed, reached)

    def _score(self, trials: list[Trial], rows: Rows, total: int) -> None:
        self._order += trials
        begun, before = time.monotonic(), len(self._scored)
        for scores in self._runs.score_all(trials, rows, self._options.jobs, self._is_late):
            self._scored[scores.trial] = scores
            done = len(self._scored)
            whole = self._most() or total
            pace = (time.monotonic() - begun) / (done - before)
            left = pace * (whole - done)
            reached = objective(scores, self._plan.table, rows)
            text = f"{self._plan.describe(scores.trial)}: {reached:.4f}"
            self._options.progress.advance(done, whole, text, left)

    def _most(self) -> int | None:
        """Return how many trials the budget allows, the default included."""
        runs = self._plan.file.search.runs
        return None if runs is None else runs + 1

    def _room(self) -> int | None:
        most = self._most()
        return None if most is None else most - len(self._scored)

    def _is_over(self) -> bool:
        room = self._room()
        if room is not None and room <= 0:
            self._ended_by = "runs"
        return bool(self._ended_by) or self._is_late()

    def _is_late(self) -> bool:
        minutes = self._plan.file.search.minutes
        if minutes is not None and time.monotonic() - self._started > 60 * minutes:
            self._ended_by = "minutes"
            return True
        return False
