"""Which faults a gate detects, and how many queries must break before it does."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Protocol

from cranfield.errors import StoreError
from cranfield.gates.mutations.breaking_point import ORDERS, BreakingPoint
from cranfield.gates.mutations.faults import MUTATIONS, Scene, gather_others
from cranfield.gates.mutations.simulation import SimulatedGate, Simulation
from cranfield.runs import Run, RunState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.gates.baselines import Baseline
    from cranfield.gates.mutations.faults import Mutation, Others
    from cranfield.gates.mutations.simulation import Graded
    from cranfield.model import Suite
    from cranfield.runs import Store

__all__ = [
    "MutationProgress",
    "MutationReport",
    "MutationResult",
    "break_answers",
    "check_mutations",
    "find_mutable_run",
]


class MutationProgress(Protocol):
    """Follows a check: it is called after every step, for a mutation and for each category."""

    def advance(self, done: int, total: int, text: str) -> None:
        """Show that one more step is done."""


@dataclass(frozen=True, slots=True)
class MutationResult:
    """What a gate makes of one mutation.

    It can be `applied` to so many queries, of which so many `changed` in any value or were no
    longer answered; no gate can detect the rest. Breaking its share of them turned the gate `red`
    in so many of the `draws`, `by` these rules; each draw breaks another share. `smallest` is the
    fewest broken queries found to turn it red, over some orders of all queries and of those of
    each category, `typical` the median over the orders of all; None if it stays green. `reason`
    says why nothing could be broken.
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
    """All mutations of one run. `before` are rules that fail without any mutation."""

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
        """The mutations that the gate misses, however many queries they break."""
        return tuple(each for each in self.missed if each.smallest is None and not each.red)


def check_mutations(
    run: Run,
    mutations: Sequence[Mutation] = (),
    *,
    seed: int = 0,
    baseline: Baseline | None = None,
    progress: MutationProgress | None = None,
) -> MutationReport:
    """Break the answers of a stored run in every way, and judge it against a baseline.

    Without a baseline, it is the unbroken run itself. Without mutations, it is all registered ones.
    """
    gate = SimulatedGate(Simulation(run), baseline)
    simulation = gate.simulation
    chosen = mutations or [MUTATIONS.get(name) for name in MUTATIONS.names()]
    steps = _Steps(
        progress, len(chosen), len(_by_category(simulation, range(len(simulation.queries))))
    )
    return MutationReport(
        run=run.header.id,
        suite=run.header.suite.id,
        queries=len(simulation.queries),
        seed=seed,
        before=tuple(sorted(gate.before)),
        results=tuple(_try(gate, mutation, seed, steps) for mutation in chosen),
    )


def find_mutable_run(store: Store | None, suite: Suite) -> Run:
    """Return the newest finished run of a whole suite."""
    headers = store.headers() if store else []
    finished = [
        each
        for each in headers
        if each.suite.id == suite.id and not each.selection and each.state is not RunState.RUNNING
    ]
    if store is None or not finished:
        raise StoreError(
            f"no run of {suite.id} is stored that could be broken; `cranfield run` makes one"
        )
    return Run(finished[-1], store)


def break_answers(simulation: Simulation, mutation: Mutation, seed: int) -> dict[int, Graded]:
    """Break all answers that can have the fault, and grade them again."""
    firsts = [
        (simulation.queries[place], some[0].response) for place, some in simulation.answers.items()
    ]
    others = gather_others(firsts)
    broken = {}
    for place in simulation.answers:
        if (graded := _break(simulation, place, mutation, (others, seed))) is not None:
            broken[place] = graded
    return broken


def _break(
    simulation: Simulation, place: int, mutation: Mutation, drawn: tuple[Others, int]
) -> Graded | None:
    """Break the answers to one query in all repetitions; None if none can have the fault."""
    others, seed = drawn
    query = simulation.queries[place]
    responses, is_broken = [], False
    for answer in simulation.answers[place]:
        scene = Scene(query, answer.response, simulation.right(place, answer.response), others)
        changed = mutation.change(scene, Random(f"{seed}/{mutation.name}/{query.id}"))  # noqa: S311
        is_broken = is_broken or changed is not None
        responses.append(changed or answer.response)
    whole = len(responses) == len(simulation.outcomes.by_repeat)
    return simulation.grade(place, responses) if is_broken and whole else None


class _Steps:
    """Counts what is done of every mutation: all queries, then those of each category."""

    def __init__(self, progress: MutationProgress | None, mutations: int, categories: int) -> None:
        self._progress = progress
        self._each = 1 + categories
        self._total = mutations * self._each
        self._done = 0

    def advance(self, text: str) -> None:
        """Report one more step."""
        self._report(self._done + 1, text)

    def finish(self, mutation: Mutation) -> None:
        """Skip the steps that a mutation did not need."""
        if self._done % self._each:
            self._report(self._done + self._each - self._done % self._each, mutation.name)

    def _report(self, done: int, text: str) -> None:
        self._done = done
        if self._progress is not None:
            self._progress.advance(done, self._total, text)


def _try(gate: SimulatedGate, mutation: Mutation, seed: int, steps: _Steps) -> MutationResult:
    graded = break_answers(gate.simulation, mutation, seed)
    if not graded:
        steps.advance(mutation.name)
        steps.finish(mutation)
        reason = f"no query has {mutation.needs}"
        return MutationResult(mutation.name, mutation.description, reason=reason)
    broken = gate.compare(graded)
    name = f"{seed}/{mutation.name}"
    draws = _draw(list(broken), mutation.share, name)
    judged = [gate.judge({place: broken[place] for place in places}) for places in draws]
    breaking = BreakingPoint(gate, broken, name)
    overall = breaking.counts(breaking.changed)
    steps.advance(mutation.name)
    changed = set(breaking.changed)
    per_category = {}
    for category, places in _by_category(gate.simulation, broken).items():
        within = [place for place in places if place in changed]
        per_category[category] = _least(breaking.counts(within))
        steps.advance(f"{mutation.name} in {category}" if category else mutation.name)
    steps.finish(mutation)
    return MutationResult(
        mutation.name,
        mutation.description,
        applied=len(broken),
        changed=len(breaking.changed),
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


def _by_category(simulation: Simulation, places: Iterable[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place in places:
        found.setdefault(simulation.queries[place].category, []).append(place)
    return found


def _least(counts: Sequence[int | None]) -> int | None:
    return min((count for count in counts if count is not None), default=None)


def _middle(counts: Sequence[int | None]) -> int | None:
    """The median; to stay green is more than any number."""
    ordered = sorted(counts, key=lambda count: math.inf if count is None else count)
    return ordered[len(ordered) // 2] if ordered else None
