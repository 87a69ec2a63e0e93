"""What the tuning part says: the best trial, what cannot be told from it, what each trial does.

Nothing here has seen a held-out query.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cranfield.defaults import SEED
from cranfield.errors import CranfieldError
from cranfield.sweeps.trial_scores import objective, pair_overall
from cranfield.verdicts import VerdictKind, compare_columns, settle_verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.sweeps.parameters import Parameter, Trial
    from cranfield.sweeps.query_parts import QueryTable
    from cranfield.sweeps.trial_scores import Rows, TrialScores
    from cranfield.verdicts import PairedComparison, Verdict

__all__ = ["Alternative", "TriedTrial", "Tuning", "TuningOptions", "choose_best", "tune"]

_MUCH_FASTER = 0.8
"""A trial is named as faster if its median time is at most this share of the best one's."""
_LEAST_SECONDS = 0.001
"""And if it saves at least so much: less is noise of the clock."""


@dataclass(frozen=True, slots=True)
class TriedTrial:
    """A trial on the tuning part: its objective, and its verdict against the default.

    The verdict is corrected (Holm) over all trials. `refused` says which constraint it breaks.
    """

    trial: Trial
    objective: float
    comparison: PairedComparison | None
    seconds: float | None
    refused: str = ""
    is_within_noise: bool = False
    """Whether it cannot be told from the best, corrected over all trials."""

    @property
    def verdict(self) -> Verdict:
        """The verdict against the default; of the default itself, undecided."""
        return settle_verdict(self.comparison)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A trial within noise of the best that is simpler, or faster, than the best."""

    trial: Trial
    because: str


@dataclass(frozen=True, slots=True)
class Tuning:
    """The outcome of the tuning part; the first trial is the default."""

    trials: tuple[TriedTrial, ...]
    best: int
    alternatives: tuple[Alternative, ...] = ()

    @property
    def default(self) -> Trial:
        """The trial with the default values."""
        return self.trials[0].trial

    @property
    def winner(self) -> Trial:
        """The best trial that keeps to the constraints."""
        return self.trials[self.best].trial


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """What tuning needs beside scores: parameters, constraints that trials break, a seed."""

    parameters: Mapping[str, Parameter]
    refused: Mapping[Trial, str] = field(default_factory=dict)
    seed: int = SEED


def choose_best(
    scores: Sequence[TrialScores], table: QueryTable, rows: Rows, options: TuningOptions
) -> int:
    """Return the place of the trial with the highest objective; of equal ones the simplest."""
    default = scores[0].trial
    allowed = [at for at, each in enumerate(scores) if each.trial not in options.refused]
    if not allowed:
        reasons = "; ".join(dict.fromkeys(options.refused.values()))
        raise CranfieldError(f"no trial keeps to the constraints ({reasons}); loosen one")

    def order(at: int) -> tuple[float, int, float, int]:
        reached = round(objective(scores[at], table, rows), 12)
        changed, distance = _complexity(scores[at].trial, default, options.parameters)
        return -reached, changed, distance, at

    return min(allowed, key=order)


def tune(
    scores: Sequence[TrialScores], table: QueryTable, rows: Rows, options: TuningOptions
) -> Tuning:
    """Compare every trial with the default, and the best with those that may be as good."""
    best = choose_best(scores, table, rows, options)
    against = _compare_all(scores[0], scores, table, rows, options.seed)
    to_best = _compare_all(scores[best], scores, table, rows, options.seed)
    trials = tuple(
        TriedTrial(
            each.trial,
            objective(each, table, rows),
            against[at],
            each.median_seconds(rows),
            options.refused.get(each.trial, ""),
            at == best or not _is_worse(to_best[at]),
        )
        for at, each in enumerate(scores)
    )
    return Tuning(trials, best, tuple(_find_alternatives(trials, best, options)))


def _compare_all(
    first: TrialScores,
    scores: Sequence[TrialScores],
    table: QueryTable,
    rows: Rows,
    seed: int,
) -> list[PairedComparison | None]:
    """Compare one trial with every other, corrected over all of them; None for itself."""
    others = [each for each in scores if each is not first]
    pairs = [pair_overall(first, each, table, rows) for each in others]
    compared = dict(zip(map(id, others), compare_columns(pairs, seed=seed), strict=True))
    return [compared.get(id(each)) for each in scores]


def _is_worse(comparison: PairedComparison | None) -> bool:
    return comparison is not None and comparison.verdict.kind is VerdictKind.WORSE


def _find_alternatives(
    trials: Sequence[TriedTrial], best: int, options: TuningOptions
) -> list[Alternative]:
    """Name the simplest and the fastest of those that cannot be told from the best."""
    default, winner = trials[0].trial, trials[best]
    near = [each for each in trials if each.is_within_noise and not each.refused]

    def complexity(each: TriedTrial) -> tuple[int, float, float]:
        changed, distance = _complexity(each.trial, default, options.parameters)
        return changed, distance, -each.objective

    found = []
    simplest = min(near, key=complexity)
    if complexity(simplest)[:2] < complexity(winner)[:2]:
        found.append(Alternative(simplest.trial, "simpler"))
    timed = [each for each in near if each.seconds is not None]
    if timed and winner.seconds:
        fastest = min(timed, key=lambda each: each.seconds or np.inf)
        taken = fastest.seconds or 0.0
        if taken <= min(_MUCH_FASTER * winner.seconds, winner.seconds - _LEAST_SECONDS):
            found.append(Alternative(fastest.trial, "faster"))
    return found


def _complexity(
    trial: Trial, default: Trial, parameters: Mapping[str, Parameter]
) -> tuple[int, float]:
    """Return how many parameters differ from the default, and by how much in all."""
    changed = trial.changed_from(default)
    distances = (parameters[name].distance(value) for name, value in changed.items())
    return len(changed), round(sum(distances), 9)
