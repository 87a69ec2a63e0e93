"""Would a gate notice? The newest stored run of a suite, broken in known ways and judged again.

Names the faults that the gate detects, by which rules, and how many queries must break before it
does. No query is run. A run is compared with its baseline `main`, or with itself if it has none.

    python benchmarks/gate_sensitivity.py [SUITE …] [--config PROJECT]

Without arguments it runs the bundled project `home` in a temporary folder and breaks that run.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from cranfield.cli.output import StepLines
from cranfield.errors import CranfieldError, StoreError
from cranfield.evaluation.project import open_named
from cranfield.formats import (
    CellKind,
    Column,
    Line,
    Lines,
    Report,
    Section,
    Table,
    Tone,
    count_of,
    render,
)
from cranfield.gates.baseline_files import find_baseline
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run
from gate_faults import MUTATIONS, Scene, gather_others
from gate_simulation import ORDERS, BreakingPoint, SimulatedGate, Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cranfield.gates.baselines import Baseline
    from cranfield.model import Suite
    from cranfield.runs.store import Store
    from gate_faults import Mutation, Others
    from gate_simulation import Graded

    Progress = Callable[[int, int, str], None]
    """Called after every step, for a mutation and for each category: done, of how many, which."""

HOME = Path(__file__).parents[1] / "suites" / "home"


def main(arguments: Sequence[str] | None = None) -> int:
    """Break runs, and print what their gates detect."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="suite files or folders")
    parser.add_argument("--config", metavar="PROJECT", help="a project's folder or cranfield.toml")
    options = parser.parse_args(arguments)
    try:
        if options.suites or options.config:
            break_project(options.config, options.suites)
        else:
            break_home()
    except CranfieldError as problem:
        sys.exit(f"gate_sensitivity: {problem}")
    return 0


def break_home() -> None:
    """Run a copy of the bundled project `home`, and break that run."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "home")
        shutil.copytree(HOME, folder, ignore=shutil.ignore_patterns("index", ".cranfield"))
        command = [sys.executable, "-m", "cranfield", "run", "--system", "both", "--quiet"]
        # The project prepares its index with `stacks`, which is beside this Python.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        subprocess.run(
            command, cwd=folder, env={**os.environ, "PATH": path}, check=True, capture_output=True
        )
        break_project(str(folder / "cranfield.toml"), [])


def break_project(config: str | None, named: Sequence[str]) -> None:
    """Break the newest stored run of each suite, and print what its gate detects."""
    project, chosen = open_named(config, named, os.environ)
    suites = project.load_suites(chosen)
    store = project.open_store() if project.has_store() else None
    known = {suite.id for suite in suites} | project.suite_ids()
    for suite in suites:
        run = find_mutable_run(store, suite)
        baseline = find_baseline(project.folder, suite, None, known)
        other = f"the baseline {baseline.name}" if baseline else "itself; it has no baseline"
        print(f"{suite.id} is compared with {other}", flush=True)
        lines = StepLines(f"{suite.id}, broken")
        checked = check_mutations(run, baseline=baseline, progress=lines.advance)
        print(render(report_mutations(checked)), end="", flush=True)


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
    progress: Progress | None = None,
) -> MutationReport:
    """Break the answers of a stored run in every way, and judge it against a baseline.

    Without a baseline, it is the unbroken run itself. Without mutations, it is all of them.
    """
    gate = SimulatedGate(Simulation(run), baseline)
    simulation = gate.simulation
    chosen = mutations or [MUTATIONS[name] for name in sorted(MUTATIONS)]
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

    def __init__(self, progress: Progress | None, mutations: int, categories: int) -> None:
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
            self._progress(done, self._total, text)


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


def report_mutations(checked: MutationReport) -> Report:
    """Report what the gate notices, from how many queries on, and what it misses."""
    count = len(checked.results)
    explained = tuple(Line(_explain(each)) for each in checked.results)
    section = Section(
        title=f"{checked.suite}: {count_of(checked.queries, 'answer')} of run {checked.run}, "
        f"broken in {count} ways (seed {checked.seed})",
        blocks=(
            Lines(_already_failing(checked)),
            _overall(checked),
            _categories(checked),
            Lines(explained),
            Lines(tuple(_verdict(checked))),
        ),
    )
    return Report(kind="mutations", title="What gates notice", sections=(section,), subject=checked)


def _already_failing(checked: MutationReport) -> tuple[Line, ...]:
    if not checked.before:
        return ()
    rules = ", ".join(checked.before)
    text = f"the run fails its gate unbroken, by {rules}; these rules can catch nothing"
    return (Line(text, Tone.WARNING, "warning"),)


def _overall(checked: MutationReport) -> Table:
    columns = (
        Column("mutation"),
        Column("gate"),
        *(Column(title, CellKind.COUNT) for title in ("queries", "changed", "fewest", "typically")),
    )
    rows = [
        (each.name, _gate(each), each.applied, each.changed, each.smallest, each.typical)
        for each in checked.results
    ]
    return Table(columns, tuple(rows), labels=2)


def _gate(result: MutationResult) -> str | None:
    if not result.applied:
        return None
    if result.red in (0, result.draws):
        return "red" if result.red else "green"
    return f"red in {result.red} of {result.draws}"


def _categories(checked: MutationReport) -> Table:
    names = dict.fromkeys(name for each in checked.results for name in each.per_category)
    rows = [
        (each.name, *(each.per_category.get(name) for name in names))
        for each in checked.results
        if each.applied and names
    ]
    columns = (Column("fewest in"), *(Column(name, CellKind.COUNT) for name in names))
    return Table(columns, tuple(rows))


def _explain(result: MutationResult) -> str:
    named = f"{result.name}: {result.description}; "
    if not result.applied:
        return f"{named}not applicable: {result.reason}"
    if not result.changed:
        return f"{named}no measure of the suite shows it"
    if not result.by:
        return f"{named}noticed by no rule"
    return f"{named}noticed by {', '.join(result.by)}"


def _verdict(checked: MutationReport) -> list[Line]:
    """Name what the gate never catches, and what it catches only at times or from more on."""
    blind = checked.blind
    partly = [each for each in checked.missed if each not in blind]
    lines = []
    if blind:
        text = f"the gate never catches, however many queries break: {_names(blind)}"
        lines.append(Line(text, Tone.BAD))
    if partly:
        lines.append(Line(f"the gate does not always catch: {_names(partly)}", Tone.WARNING))
    if not lines and any(each.applied for each in checked.results):
        more = " besides what fails already" if checked.before else ""
        lines.append(Line(f"the gate catches everything that could be broken{more}", Tone.GOOD))
    return lines or [Line("nothing could be broken")]


def _names(results: Iterable[MutationResult]) -> str:
    return ", ".join(each.name for each in results)


if __name__ == "__main__":
    sys.exit(main())
