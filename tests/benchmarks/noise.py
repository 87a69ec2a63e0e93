"""Does noise alone fail a gate? The same answers repeated, with ties in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cranfield.comparisons import Direction
from cranfield.gates.baseline_comparisons import compare_to_baseline
from cranfield.gates.gated_runs import judge_run
from gate_faults import MUTATIONS
from gate_sensitivity import break_answers
from gate_simulation import Graded, Simulation, failing_rules, make_unbroken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.gates.baselines import Baseline
    from cranfield.model import Hit
    from cranfield.runs.runner import Run
    from gate_simulation import SimulatedRun

__all__ = ["NoiseOptions", "NoiseReport", "simulate_noise"]


@dataclass(frozen=True, slots=True)
class NoiseOptions:
    """How answers are disturbed, how many repetitions there are, and what is planted.

    Hits with equal scores come in any order. If an answer has none, neighbouring hits swap places
    with a `chance`, but none above or at the rank `below`. The baseline is made of
    `baseline_repeats` such answers to each query, the run compared with it of `gate_repeats`. In
    each simulation, so many queries have really `fallen`: they lost their right hits.
    """

    chance: float = 0.05
    below: int = 3
    baseline_repeats: int = 1
    gate_repeats: int = 1
    fallen: int = 0


@dataclass(frozen=True, slots=True)
class NoiseReport:
    """In how many repeats the gate failed, by which rules; the values of `moved` queries varied."""

    repeats: int
    red: int
    by: Mapping[str, int]
    moved: int
    seed: int

    @property
    def rate(self) -> float:
        """The share of the repeats in which the gate failed."""
        return self.red / self.repeats


def simulate_noise(
    run: Run, repeats: int = 200, *, seed: int = 0, options: NoiseOptions | None = None
) -> NoiseReport:
    """Compare a stored run, disturbed again each time, with a disturbed baseline of itself.

    Every repeat has a new baseline, or all would share its luck. Rules that the stored run fails
    by itself are not counted.
    """
    options = options or NoiseOptions()
    simulation = Simulation(run)
    unbroken = make_unbroken(simulation.simulate({}))
    before = failing_rules(judge_run(simulation.simulate({}), unbroken))
    disturbed = _Disturbed(simulation, options)
    planted = _Planted(simulation, unbroken, seed) if options.fallen else None
    by: Counter[str] = Counter()
    red = 0
    for repeat in range(repeats):
        random = Random(f"{seed}/repeat {repeat}")  # noqa: S311 - seeded on purpose
        baseline = make_unbroken(disturbed.draw(options.baseline_repeats, random))
        fallen = planted.draw(options.fallen, random) if planted else {}
        drawn = disturbed.draw(options.gate_repeats, random, fallen)
        rules = failing_rules(judge_run(drawn, baseline)) - before
        red += bool(rules)
        by.update(rules)
    return NoiseReport(repeats, red, dict(sorted(by.items())), disturbed.moved, seed)


class _Disturbed:
    """Draws runs with noise; every order of hits is graded once."""

    def __init__(self, simulation: Simulation, options: NoiseOptions) -> None:
        self._simulation = simulation
        self._options = options
        self._known: dict[int, dict[tuple[str, ...], Graded]] = {
            place: {} for place in simulation.answers
        }

    @property
    def moved(self) -> int:
        """How many queries had more than one row of values."""
        rows = [
            {graded.values.tobytes() for graded in known.values()} for known in self._known.values()
        ]
        return sum(1 for each in rows if len(each) > 1)

    def draw(
        self, repeats: int, random: Random, fallen: Mapping[int, Graded] | None = None
    ) -> SimulatedRun:
        """Draw so many answers to every query but the fallen ones, which are as they are."""
        drawn = {
            place: _join([self._answer(place, random) for _ in range(repeats)])
            for place in self._simulation.answers
        }
        for place, graded in (fallen or {}).items():
            drawn[place] = _join([graded] * repeats)
        return self._simulation.simulate(drawn, repeats)

    def _answer(self, place: int, random: Random) -> Graded:
        response = self._simulation.answers[place][0].response
        hits = _disturb(response.hits, self._options, random)
        key = tuple(hit.id for hit in hits)
        known = self._known[place]
        if key not in known:
            known[key] = self._simulation.grade(place, [replace(response, hits=hits)])
        return known[key]


def _disturb(hits: Sequence[Hit], options: NoiseOptions, random: Random) -> tuple[Hit, ...]:
    """Shuffle ties; if there are none, let neighbours swap places."""
    ties = [list(some) for _, some in groupby(hits, key=lambda hit: hit.score)]
    tied = [some for some in ties if len(some) > 1 and some[0].score is not None]
    if tied:
        for some in tied:
            random.shuffle(some)
        return tuple(hit for some in ties for hit in some)
    moved = list(hits)
    for place in range(options.below, len(moved) - 1):
        if random.random() < options.chance:
            moved[place], moved[place + 1] = moved[place + 1], moved[place]
    return tuple(moved)


def _join(rows: Sequence[Graded]) -> Graded:
    """Join answers to one query; all have the same status, as only the order of hits differs."""
    values = np.concatenate([row.values[:1] for row in rows])
    failed = np.concatenate([row.failed[:1] for row in rows])
    return rows[0]._replace(values=values, failed=failed)


class _Planted:
    """Queries that regress when they lose their right hits."""

    def __init__(self, simulation: Simulation, baseline: Baseline, seed: int) -> None:
        self._broken = break_answers(simulation, MUTATIONS["drop-right"], seed)
        compared = compare_to_baseline(simulation.simulate(self._broken), baseline)
        fallen = {change.query.id for change in compared.beyond_noise(Direction.WORSE)}
        self._places = [place for place in self._broken if simulation.queries[place].id in fallen]

    def draw(self, count: int, random: Random) -> dict[int, Graded]:
        """Draw so many of them, or all there are."""
        chosen = random.sample(self._places, min(count, len(self._places)))
        return {place: self._broken[place] for place in chosen}
