"""From a project to a comparison: its arms run now or found in the store, graded, and compared."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
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
from cranfield.defaults import HITS
from cranfield.errors import ComparisonError, CranfieldError
from cranfield.evaluation.sessions import (
    check_systems,
    describe_selection,
    resolve_truths,
    run_system,
    use_judgments,
)
from cranfield.runs.lookup import find_runs, latest_runs, require_complete
from cranfield.runs.regrading import regrade
from cranfield.runs.runner import RunOptions, measured_by
from cranfield.runs.truth import truth_of
from cranfield.statistics import require_margin
from cranfield.suites import overlay_qrels, select_all
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.evaluation.sessions import Begin, Session
    from cranfield.measures import Measure
    from cranfield.model import Suite
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store
    from cranfield.runs.truth import Truth
    from cranfield.systems import SystemSpec

__all__ = [
    "ArmOptions",
    "ComparisonRequest",
    "EvaluatedArms",
    "StoredArms",
    "compare_runs",
    "compare_stored",
    "evaluate_comparison",
    "evaluate_stored",
    "find_arms",
]

Compared: TypeAlias = Comparison | Leaderboard | Grid


@dataclass(frozen=True, slots=True)
class ArmOptions:
    """What is asked of all arms alike, whether they are run now or stored.

    `limit`, `jobs` and `repeats` say how queries are run. Answers that are stored are selected
    from, judged by `qrels` and measured as those that are run now, but are not run again.
    """

    limit: int | None = None
    jobs: int | None = None
    repeats: int | None = None
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    qrels: str | None = None
    measures: tuple[Measure, ...] = ()

    @property
    def selection(self) -> str:
        """Which part of the suites is compared, as on a command line."""
        return describe_selection(self.categories, self.languages)

    @property
    def running(self) -> RunOptions:
        """How a system is run."""
        return RunOptions(
            self.limit or HITS,
            self.jobs or 1,
            self.repeats or 1,
            measures=self.measures,
            selection=self.selection,
        )


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


def find_arms(
    session: Session,
    project: Project,
    names: Sequence[str],
    suites: Sequence[Suite],
    options: ArmOptions,
) -> list[list[Run]]:
    """Return the arms of a comparison: the name of a system is run now, any other is stored runs.

    Stored arms are found and all systems checked before the first query. Without suites, stored
    arms have all their runs. Right answers that come from a database are those of the first arm,
    for all arms. An option that cannot be applied to a stored arm is refused.
    """
    stored = {
        name: _find_stored(session.store, project, name, suites)
        for name in names
        if name not in project.systems
    }
    if len(stored) == len(set(names)):
        _refuse_ignored(stored, suites, options)
    for runs in stored.values():
        for run in runs:
            require_complete(run)
    stored = {
        name: _grade(_judge(session, project, runs, options), options)
        for name, runs in stored.items()
    }
    fresh = [project.systems[name] for name in dict.fromkeys(names) if name not in stored]
    overlaid = _overlay(suites, options) if fresh else []
    chosen = _select(overlaid, options)
    first = stored.get(names[0]) or project.systems[names[0]]
    truths = _find_truths(session, first, chosen) if fresh else {}
    check_systems(session, fresh, chosen, options.running, truths)
    arms = []
    for name in names:
        if name in stored:
            arms.append(stored[name])
        else:
            runs = [_run(session, project.systems[name], each, options, truths) for each in chosen]
            arms.append(_judge(session, project, runs, options))
    return arms


def _find_truths(
    session: Session, first: SystemSpec | list[Run], suites: Sequence[Suite]
) -> dict[str, Truth]:
    """Find the right answers that grade all arms: those of the suite, or else of the first arm."""
    if isinstance(first, list):
        return {run.header.suite.id: truth_of(run.header) for run in first}
    return resolve_truths(session, first, suites)


def _run(
    session: Session,
    spec: SystemSpec,
    suite: Suite,
    options: ArmOptions,
    truths: Mapping[str, Truth],
) -> Run:
    return run_system(session, spec, suite, replace(options.running, truth=truths.get(suite.id)))


def _judge(
    session: Session, project: Project, runs: Sequence[Run], options: ArmOptions
) -> list[Run]:
    """Grade runs by the judgments of the store if their suite says so; those of a file go first."""
    return list(runs) if options.qrels else use_judgments(project, session.store, runs)


def _overlay(suites: Sequence[Suite], options: ArmOptions) -> list[Suite]:
    if options.qrels is None:
        return list(suites)
    return [overlay_qrels(suite, Path(options.qrels)) for suite in suites]


def _select(suites: Sequence[Suite], options: ArmOptions) -> list[Suite]:
    return select_all(suites, categories=options.categories, languages=options.languages)


def _find_stored(store: Store, project: Project, name: str, suites: Sequence[Suite]) -> list[Run]:
    """Find stored runs of these suites: the latest of each under a label."""
    found = find_runs(store, name)
    if not found:
        known = ", ".join(project.systems) or "none"
        near = near_names(name, project.systems)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise CranfieldError(
            f"{name!r} is neither a system (cranfield.toml has: {known}) nor a run of "
            f"{store.name}{hint}; `cranfield runs list` shows the runs"
        )
    wanted = {suite.id for suite in suites}
    return [run for run in found if not suites or run.header.suite.id in wanted]


def _grade(runs: list[Run], options: ArmOptions) -> list[Run]:
    """Select from stored answers, judge and measure them, as options ask."""
    if not (options.selection or options.qrels or options.measures):
        return runs
    by_suite = {run.header.suite.id: run for run in runs}
    chosen = _select(_overlay([run.header.suite for run in runs], options), options)
    return [
        regrade(by_suite[suite.id], suite, options.measures, selection=options.selection)
        for suite in chosen
    ]


def _refuse_ignored(
    stored: dict[str, list[Run]], suites: Sequence[Suite], options: ArmOptions
) -> None:
    """If nothing is run, refuse suites that are not stored, and how they are to be run."""
    if options.jobs is not None:
        raise CranfieldError("--jobs has no effect: all arms are stored, and nothing is run")
    for name, runs in stored.items():
        missing = {suite.id for suite in suites} - {run.header.suite.id for run in runs}
        if missing:
            raise ComparisonError(
                f"--suite: {name} has no run of the suite {' or '.join(sorted(missing))}; "
                "`cranfield runs list` shows what was run"
            )
        for run in runs:
            _refuse_otherwise(name, run, "--k", options.limit, run.header.limit)
            _refuse_otherwise(name, run, "--repeat", options.repeats, run.header.repeats)


def _refuse_otherwise(name: str, run: Run, option: str, asked: int | None, done: int) -> None:
    if asked not in (None, done):
        raise CranfieldError(
            f"{option} {asked} cannot be applied to {name}: the run {run.header.id} was made with "
            f"{option} {done}, and stored answers are never re-run; leave out {option}, or "
            f"make a new run with `cranfield run {option} {asked}`"
        )
