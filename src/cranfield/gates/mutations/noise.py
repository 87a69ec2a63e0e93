"""Does noise alone turn a gate red? The same answers again and again, with ties in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cranfield.gates.judging import GatedRun
from cranfield.gates.mutations.changes import MUTATIONS
from cranfield.gates.mutations.checking import break_answers
from cranfield.gates.mutations.stage import Graded, Stage, failing_rules, make_unbroken
from cranfield.gates.regressions import ChangeKind, compare_to_baseline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.gates.baselines import Baseline
    from cranfield.gates.mutations.stage import HeldRun
    from cranfield.model import Hit
    from cranfield.runs import Run

__all__ = ["NoiseOptions", "NoiseReport", "simulate_noise"]


@dataclass(frozen=True, slots=True)
class NoiseOptions:
    """How answers are disturbed, how often they are asked for, and what is planted.

    Hits with equal scores come in any order. Where an answer has none, two hits that follow each
    other change places with a `chance`, but none above or at the rank `below`. The baseline is
    made of `baseline_repeats` such answers to each query, the run held to it of `gate_repeats`.
    In each repeat so many queries have `fallen` in truth: they lost their right hits.
    """

    chance: float = 0.05
    below: int = 3
    baseline_repeats: int = 1
    gate_repeats: int = 1
    fallen: int = 0


@dataclass(frozen=True, slots=True)
class NoiseReport:
    """In how many repeats the gate was red, by which rules; `moved` queries had moving values."""

    repeats: int
    red: int
    by: Mapping[str, int]
    moved: int
    seed: int

    @property
    def rate(self) -> float:
        """The share of the repeats in which the gate was red."""
        return self.red / self.repeats


def simulate_noise(
    run: Run, repeats: int = 200, *, seed: int = 0, options: NoiseOptions | None = None
) -> NoiseReport:
    """Hold a stored run, disturbed anew each time, to a disturbed baseline of itself.

    A new baseline is made for every repeat, or all would share its luck. Rules that the stored
    run fails by itself are not counted.
    """
    options = options or NoiseOptions()
    stage = Stage(run)
    unbroken = make_unbroken(stage.hold({}))
    before = failing_rules(GatedRun(stage.hold({}), unbroken))
    disturbed = _Disturbed(stage, options)
    planted = _Planted(stage, unbroken, seed) if options.fallen else None
    by: Counter[str] = Counter()
    red = 0
    for repeat in range(repeats):
        random = Random(f"{seed}/repeat {repeat}")  # noqa: S311 - seeded on purpose
        baseline = make_unbroken(disturbed.draw(options.baseline_repeats, random))
        fallen = planted.draw(options.fallen, random) if planted else {}
        held = disturbed.draw(options.gate_repeats, random, fallen)
        rules = failing_rules(GatedRun(held, baseline)) - before
        red += bool(rules)
        by.update(rules)
    return NoiseReport(repeats, red, dict(sorted(by.items())), disturbed.moved, seed)


class _Disturbed:
    """Draws runs with noise; every order of hits is graded once."""

    def __init__(self, stage: Stage, options: NoiseOptions) -> None:
        self._stage = stage
        self._options = options
        self._known: dict[int, dict[tuple[str, ...], Graded]] = {
            place: {} for place in stage.answers
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
    ) -> HeldRun:
        """Draw so many answers to every query but the fallen ones, which are as they are."""
        drawn = {
            place: _join([self._answer(place, random) for _ in range(repeats)])
            for place in self._stage.answers
        }
        for place, graded in (fallen or {}).items():
            drawn[place] = _join([graded] * repeats)
        return self._stage.hold(drawn, repeats)

    def _answer(self, place: int, random: Random) -> Graded:
        response = self._stage.answers[place][0].response
        hits = _disturb(response.hits, self._options, random)
        key = tuple(hit.id for hit in hits)
        known = self._known[place]
        if key not in known:
            known[key] = self._stage.grade(place, [replace(response, hits=hits)])
        return known[key]


def _disturb(hits: Sequence[Hit], options: NoiseOptions, random: Random) -> tuple[Hit, ...]:
    """Put ties in another order; where there are none, let neighbours change places."""
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
    """Join answers to one query; all of them have the same status, as only their order differs."""
    values = np.concatenate([row.values[:1] for row in rows])
    failed = np.concatenate([row.failed[:1] for row in rows])
    return rows[0]._replace(values=values, failed=failed)


class _Planted:
    """Queries that regress when they lose their right hits."""

    def __init__(self, stage: Stage, baseline: Baseline, seed: int) -> None:
        self._broken = break_answers(stage, MUTATIONS.get("drop-right"), seed)
        compared = compare_to_baseline(stage.hold(self._broken), baseline)
        fallen = {change.query.id for change in compared.of_kind(ChangeKind.REGRESSED)}
        self._places = [place for place in self._broken if stage.queries[place].id in fallen]

    def draw(self, count: int, random: Random) -> dict[int, Graded]:
        """Draw so many of them, or all there are."""
        chosen = random.sample(self._places, min(count, len(self._places)))
        return {place: self._broken[place] for place in chosen}
