"""Which faults a gate notices, and how many queries have to break before it does."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cranfield.gates.judging import GatedRun
from cranfield.gates.mutations.changes import MUTATIONS, Scene, gather_others
from cranfield.gates.mutations.stage import Stage, failing_rules, make_unbroken
from cranfield.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cranfield.gates.baselines import Baseline
    from cranfield.gates.mutations.changes import Mutation, Others
    from cranfield.gates.mutations.stage import Graded
    from cranfield.model import Status
    from cranfield.runs import Run

__all__ = ["MutationReport", "MutationResult", "break_answers", "check_mutations"]

ORDERS = 5
"""In so many seeded orders queries are broken one after the other."""


@dataclass(frozen=True, slots=True)
class MutationResult:
    """What a gate makes of one mutation.

    It can be `applied` to so many queries, of which so many `changed` in any value or were no
    longer answered; no gate can see the rest. Breaking its share of them turned the gate `red`
    in so many of the `draws`, `by` these rules. Where only a share is broken, which ones is drawn
    anew each time. `smallest` is the fewest broken queries found to turn it red, over some
    orders of all queries and of those of each category, `typical` the median over the orders of
    all; None where it stays green. `reason` says why nothing could be broken.
    """

    name: str
    description: str
    applied: int = 0
    changed: int = 0
    red: int = 0
    draws: int = 0
    by: tuple[str, ...] = ()
    smallest: int | None = None
    typical: int | None = None
    per_category: Mapping[str, int | None] = field(default_factory=dict)
    reason: str = ""

    @property
    def caught(self) -> bool:
        """Whether the gate turned red every time."""
        return 0 < self.draws == self.red


@dataclass(frozen=True, slots=True)
class MutationReport:
    """All mutations of one run. `before` are rules that fail without any: they catch nothing."""

    run: str
    suite: str
    queries: int
    seed: int
    before: tuple[str, ...]
    results: tuple[MutationResult, ...]

    @property
    def missed(self) -> tuple[MutationResult, ...]:
        """The mutations that were applied and not caught every time."""
        return tuple(each for each in self.results if each.applied and not each.caught)

    @property
    def blind(self) -> tuple[MutationResult, ...]:
        """The mutations that the gate lets through, however many queries they break."""
        return tuple(each for each in self.missed if each.smallest is None and not each.red)


def check_mutations(
    run: Run,
    mutations: Sequence[Mutation] = (),
    *,
    seed: int = 0,
    baseline: Baseline | None = None,
) -> MutationReport:
    """Break the answers of a stored run in every way, and judge it against a baseline.

    Without one, it is the run itself unbroken. Without mutations, all registered ones are tried.
    """
    gate = _Gate(Stage(run), baseline)
    stage = gate.stage
    chosen = mutations or [MUTATIONS.get(name) for name in MUTATIONS.names()]
    return MutationReport(
        run=run.header.id,
        suite=run.header.suite.id,
        queries=len(stage.queries),
        seed=seed,
        before=tuple(sorted(gate.before)),
        results=tuple(_try(gate, mutation, seed) for mutation in chosen),
    )


def break_answers(stage: Stage, mutation: Mutation, seed: int) -> dict[int, Graded]:
    """Break all answers that can have the fault, and grade them again."""
    firsts = [(stage.queries[place], some[0].response) for place, some in stage.answers.items()]
    others = gather_others(firsts)
    broken = {}
    for place in stage.answers:
        if (graded := _break(stage, place, mutation, (others, seed))) is not None:
            broken[place] = graded
    return broken


def _break(
    stage: Stage, place: int, mutation: Mutation, drawn: tuple[Others, int]
) -> Graded | None:
    """Break the answers to one query in all repetitions; None where none can have the fault."""
    others, seed = drawn
    query = stage.queries[place]
    responses, is_broken = [], False
    for answer in stage.answers[place]:
        scene = Scene(query, answer.response, stage.right(place, answer.response), others)
        changed = mutation.change(scene, Random(f"{seed}/{mutation.name}/{query.id}"))  # noqa: S311
        is_broken = is_broken or changed is not None
        responses.append(changed or answer.response)
    whole = len(responses) == len(stage.outcomes.by_repeat)
    return stage.grade(place, responses) if is_broken and whole else None


class _Gate:
    """Holds broken runs to a baseline; `before` are the rules that the unbroken one fails."""

    def __init__(self, stage: Stage, baseline: Baseline | None) -> None:
        self.stage = stage
        unbroken = stage.hold({})
        self._baseline = baseline or make_unbroken(unbroken)
        self.before = failing_rules(GatedRun(unbroken, self._baseline))

    def judge(self, broken: Mapping[int, Graded], places: Sequence[int]) -> frozenset[str]:
        """Name the further rules that fail when the queries at these places are broken."""
        held = self.stage.hold({place: broken[place] for place in places})
        return failing_rules(GatedRun(held, self._baseline)) - self.before


def _try(gate: _Gate, mutation: Mutation, seed: int) -> MutationResult:
    broken = break_answers(gate.stage, mutation, seed)
    if not broken:
        reason = f"no query has {mutation.needs}"
        return MutationResult(mutation.name, mutation.description, reason=reason)
    name = f"{seed}/{mutation.name}"
    draws = _draw(list(broken), mutation.share, name)
    judged = [gate.judge(broken, places) for places in draws]
    search = _Search(gate, broken, name)
    changed = [place for place in broken if search.is_changed(place)]
    overall = search.counts(changed)
    per_category = {
        category: _least(search.counts([place for place in places if place in set(changed)]))
        for category, places in _by_category(gate.stage, list(broken)).items()
    }
    return MutationResult(
        mutation.name,
        mutation.description,
        applied=len(broken),
        changed=len(changed),
        red=sum(1 for rules in judged if rules),
        draws=len(draws),
        by=tuple(sorted(frozenset().union(*judged))),
        # Queries of one category are queries too: they may turn it red sooner than a mixture.
        smallest=_least([*overall, *per_category.values()]),
        typical=_middle(overall),
        per_category={name: least for name, least in per_category.items() if name},
    )


def _draw(places: list[int], share: float, name: str) -> list[list[int]]:
    """Draw the queries to break; all of them can be drawn in one way only."""
    count = math.ceil(share * len(places))
    if count == len(places):
        return [places]
    return [
        Random(f"{name}/draw {number}").sample(places, count)  # noqa: S311 - seeded on purpose
        for number in range(ORDERS)
    ]


def _by_category(stage: Stage, places: list[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place in places:
        found.setdefault(stage.queries[place].category, []).append(place)
    return found


def _least(counts: Sequence[int | None]) -> int | None:
    return min((count for count in counts if count is not None), default=None)


def _middle(counts: Sequence[int | None]) -> int | None:
    """The median; to stay green is more than any number."""
    ordered = sorted(counts, key=lambda count: math.inf if count is None else count)
    return ordered[len(ordered) // 2] if ordered else None


class _Search:
    """Looks for the number of broken queries from which a gate is red."""

    def __init__(self, gate: _Gate, broken: Mapping[int, Graded], name: str) -> None:
        self._gate = gate
        self._broken = broken
        self._name = name

    def is_changed(self, place: int) -> bool:
        """Whether any rule could see that a query is broken."""
        stage, after = self._gate.stage, self._broken[place]
        before = stage.outcomes.by_repeat[:, place]
        same = np.allclose(before, after.values, 0.0, TIE_TOLERANCE, equal_nan=True)
        return not same or _has_failed(stage.outcomes.statuses[place]) != _has_failed(after.status)

    def counts(self, places: Sequence[int]) -> list[int | None]:
        """Break the queries at these places in several orders; how many it took in each.

        Where no value rises, one more broken query can only make things worse, and the number is
        found by halving. Where some rise, the others are tried first. If these are not enough,
        all are broken one by one, as a mean may fall and rise again.
        """
        falling = [place for place in places if not self._rises(place)]
        if self._is_red(falling):
            return [self._halve(order) for order in self._orders(falling)]
        if len(falling) == len(places) or not self._could_be_red(places):
            return [None] * ORDERS
        return [self._count(order) for order in self._orders(places)]

    def _rises(self, place: int) -> bool:
        """Whether a value rose, or came or went: then a mean may rise."""
        before, after = self._means(place)
        if (np.isnan(before) != np.isnan(after)).any():
            return True
        return bool((after > before + TIE_TOLERANCE).any())

    def _means(self, place: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self._gate.stage.outcomes.values[place], self._broken[place].values.mean(axis=0)

    def _could_be_red(self, places: Sequence[int]) -> bool:
        """Whether it were red if nothing rose; if not, no choice of queries turns it red."""
        worst = {}
        for place in places:
            before, after = (
                self._gate.stage.outcomes.by_repeat[:, place],
                self._broken[place].values,
            )
            least = np.minimum(before, after)
            # What came or went counts as nothing at all, which no mean survives better.
            least[np.isnan(before) != np.isnan(after)] = 0.0
            worst[place] = self._broken[place]._replace(values=least)
        return bool(self._gate.judge(worst, places))

    def _orders(self, places: Sequence[int]) -> list[list[int]]:
        return [
            Random(f"{self._name}/order {number}").sample(places, len(places))  # noqa: S311
            for number in range(ORDERS)
        ]

    def _is_red(self, places: Sequence[int]) -> bool:
        return bool(places) and bool(self._gate.judge(self._broken, places))

    def _halve(self, order: Sequence[int]) -> int:
        """Find the number for an order of which all together turn the gate red."""
        most = 1
        while most < len(order) and not self._is_red(order[:most]):
            most *= 2
        between = range(most // 2 + 1, min(most, len(order)) + 1)
        return between[bisect_left(between, x=True, key=lambda count: self._is_red(order[:count]))]

    def _count(self, order: Sequence[int]) -> int | None:
        counts = range(1, len(order) + 1)
        return next((count for count in counts if self._is_red(order[:count])), None)


def _has_failed(status: Status | None) -> bool:
    return status is None or status.is_failure
