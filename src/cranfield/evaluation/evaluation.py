"""One way from a project to a result: systems and suites, runs, their comparison, their gate.

Each call takes a project and what was asked of it, and returns a finished value. The command line,
pages, the server and programs make the same calls; they differ in what they show.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from cranfield.comparisons import (
    CompareOptions,
    Comparison,
    Grid,
    Leaderboard,
    attribute,
    compare,
    compare_arms,
)
from cranfield.evaluation.arms import ArmOptions, find_arms
from cranfield.evaluation.gate_decision import GateOptions, find_stored_runs, gate, run_for_gate
from cranfield.evaluation.judged_arms import use_judgments
from cranfield.evaluation.modes import judge_mode
from cranfield.evaluation.sessions import describe_selection, resume_systems, run_systems
from cranfield.gates import gate_run
from cranfield.runs import RunOptions, latest_runs, measured_by
from cranfield.suites import select_all
from cranfield.verdicts import require_margin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.evaluation.gate_decision import GateResult
    from cranfield.evaluation.modes import ModeResult
    from cranfield.evaluation.project import Project
    from cranfield.evaluation.project_file import Mode
    from cranfield.evaluation.sessions import Session
    from cranfield.gates import GatedRun
    from cranfield.runs import Run, Store

__all__ = [
    "ComparisonRequest",
    "EvaluatedArms",
    "EvaluatedRuns",
    "GateRequest",
    "RunRequest",
    "StoredArms",
    "compare_runs",
    "compare_stored",
    "evaluate_comparison",
    "evaluate_gate",
    "evaluate_run",
    "evaluate_stored",
]

Compared: TypeAlias = Comparison | Leaderboard | Grid
Begin: TypeAlias = "Callable[[], Session]"
"""Opens the store and all that runs need, once what was asked is known to make sense."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run: systems by name, or those of a mode, on suites or a part of them.

    With `resume`, runs that were stopped go on; with `retry_failed`, failed queries run again.
    """

    suites: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    mode: Mode | None = None
    options: RunOptions = field(default_factory=RunOptions)
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    smoke: bool = False
    qrels: str | None = None
    resume: bool = False
    retry_failed: bool = False


@dataclass(frozen=True, slots=True)
class EvaluatedRuns:
    """Runs as they were judged, and what their mode demands if they are of one."""

    runs: tuple[Run, ...]
    gated: tuple[GatedRun, ...]
    store: Store
    mode: ModeResult | None = None


def evaluate_run(project: Project, request: RunRequest, begin: Begin) -> EvaluatedRuns:
    """Run suites on systems, and judge the runs by their thresholds."""
    mode = request.mode
    specs = project.choose_systems(mode.systems if mode else request.systems)
    loaded = project.load_suites(request.suites, request.qrels)
    chosen = select_all(
        loaded, categories=request.categories, languages=request.languages, smoke=request.smoke
    )
    whole = {suite.id: suite.asked for suite in loaded}
    is_part = any(suite.asked != whole[suite.id] for suite in chosen)
    selection = describe_selection(request.categories, request.languages, smoke=request.smoke)
    options = replace(request.options, selection=selection if is_part else "")
    session = begin()
    if request.resume or request.retry_failed:
        retry = request.retry_failed
        runs = resume_systems(session, specs, chosen, options, retry_failed=retry)
    else:
        runs = run_systems(session, specs, chosen, options, one_truth=mode is not None)
    if request.qrels is None:
        runs = use_judgments(project, session.store, runs)
    if mode:
        result = judge_mode(mode, runs)
        return EvaluatedRuns(tuple(runs), result.runs, session.store, result)
    return EvaluatedRuns(tuple(runs), tuple(map(gate_run, runs)), session.store)


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """What to compare: systems to run now and stored runs, the first being A.

    With `is_grid`, four arms tell the binary from the index. `asked` is said of all arms alike.
    """

    arms: tuple[str, ...]
    suites: tuple[str, ...] = ()
    names_suites: bool = False
    asked: ArmOptions = field(default_factory=ArmOptions)
    options: CompareOptions = field(default_factory=CompareOptions)
    is_grid: bool = False


@dataclass(frozen=True, slots=True)
class EvaluatedArms:
    """The runs of each arm, and what comparing them came to."""

    arms: tuple[tuple[Run, ...], ...]
    result: Compared
    store: Store


@dataclass(frozen=True, slots=True)
class StoredArms:
    """The stored runs of each arm, and what comparing them came to; None of a single arm."""

    arms: tuple[tuple[Run, ...], ...]
    result: Compared | None
    store: Store


def evaluate_comparison(
    project: Project, request: ComparisonRequest, begin: Begin
) -> EvaluatedArms:
    """Run the arms that are systems, find those that are stored, and compare them."""
    needs_suites = request.names_suites or any(name in project.systems for name in request.arms)
    loaded = project.load_suites(request.suites) if needs_suites else []
    for suite in loaded:
        # A margin that makes no sense is refused before an hour of queries.
        require_margin(request.options.margin, measured_by(suite, request.asked.running))
    session = begin()
    arms = find_arms(session, project, request.arms, loaded, request.asked)
    result = compare_runs(arms, request.options, is_grid=request.is_grid)
    return EvaluatedArms(tuple(map(tuple, arms)), result, session.store)


def compare_runs(
    arms: Sequence[Sequence[Run]], options: CompareOptions | None = None, *, is_grid: bool = False
) -> Compared:
    """Compare arms in the way that suits their number; each is a run per suite."""
    if is_grid:
        return attribute(arms, options)
    if len(arms) > 2:
        return compare_arms(arms, options)
    return compare(arms[0], arms[1], options)


def evaluate_stored(
    project: Project, store: Store, names: Sequence[str], options: CompareOptions | None = None
) -> StoredArms:
    """Find stored runs by their names, and compare the arms if there are several."""
    arms = [use_judgments(project, store, latest_runs(store, name)) for name in names]
    result = compare_runs(arms, options) if len(arms) > 1 else None
    return StoredArms(tuple(map(tuple, arms)), result, store)


def compare_stored(
    project: Project | None,
    a: Sequence[Run],
    b: Sequence[Run],
    store: Store,
    options: CompareOptions | None = None,
) -> Comparison:
    """Compare stored runs, graded as the project judges them if there is one."""
    first, second = (use_judgments(project, store, arm) if project else arm for arm in (a, b))
    return compare(first, second, options)


@dataclass(frozen=True, slots=True)
class GateRequest:
    """What to judge: stored runs by name, or a system or mode to run on suites."""

    suites: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()
    running: RunOptions = field(default_factory=RunOptions)
    options: GateOptions = field(default_factory=GateOptions)


def evaluate_gate(project: Project, request: GateRequest, begin: Begin) -> GateResult:
    """Run suites, or find stored runs, and judge them: thresholds, baseline, rules, demands."""
    session, mode = begin(), request.options.mode
    if request.stored:
        measures = request.running.measures
        runs = find_stored_runs(project, session.store, request.stored, measures)
    else:
        runs = run_for_gate(
            session,
            project,
            request.suites,
            request.running,
            systems=mode.systems if mode else request.systems,
            baseline=request.options.baseline,
        )
    return gate(runs, project, request.options, store=session.store)
