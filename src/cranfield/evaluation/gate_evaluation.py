"""Demands: what slices hold a build to beside the rules of its suites, such as agents or models.

A slice offers a `Demand` in the group `cranfield.demands`; every gate of a project asks them all.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cranfield.comparisons import share_truth
from cranfield.errors import CranfieldError
from cranfield.evaluation.acceptance import require_whole_run
from cranfield.evaluation.run_evaluation import compare_in_mode, find_candidates, judge_demands
from cranfield.evaluation.sessions import Begin, run_systems, use_judgments
from cranfield.formats import NotebookView, count_queries
from cranfield.gates.baseline_files import DEFAULT_BASELINE, find_baseline, find_baselines
from cranfield.gates.baselines import compare_with_baselines, make_arm, pair_baseline
from cranfield.gates.gate_rules import Cause, RuleResult, Severity, first_cause
from cranfield.gates.gated_runs import find_promotions, gate_run
from cranfield.measures import parse_measure
from cranfield.registry import Registry
from cranfield.runs.lookup import require_batch
from cranfield.runs.regrading import regrade
from cranfield.runs.runner import Run, RunOptions, measured_by

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.evaluation.project_file import Mode
    from cranfield.evaluation.sessions import Session
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.measures import Measure
    from cranfield.runs.records import RunHeader
    from cranfield.runs.store import Store

__all__ = [
    "DEMANDS",
    "Demand",
    "DemandRequest",
    "GateOptions",
    "GateRequest",
    "GateResult",
    "evaluate_gate",
    "find_stored_runs",
    "gate",
    "gate_stored",
    "judge_all_demands",
    "run_for_gate",
]


@dataclass(frozen=True, slots=True)
class DemandRequest:
    """The runs that a gate judges, with their project and store.

    With `is_quick`, a demand that takes long to judge says so instead: a page is waiting.
    """

    runs: Sequence[Run]
    project: Project
    store: Store
    is_quick: bool = False


@dataclass(frozen=True, slots=True)
class Demand:
    """Something a build has to reach; `judge` returns what it found, by suite."""

    name: str
    judge: Callable[[DemandRequest], Mapping[str, Sequence[RuleResult]]]


DEMANDS: Registry[Demand] = Registry("demand", Demand, group="cranfield.demands")


def judge_all_demands(
    request: DemandRequest, first: Mapping[str, Sequence[RuleResult]] | None = None
) -> dict[str, Sequence[RuleResult]]:
    """Judge what every slice demands, after the results that are known `first`."""
    found: defaultdict[str, list[RuleResult]] = defaultdict(list)
    for suite, results in (first or {}).items():
        found[suite] += results
    for demand in sorted(DEMANDS.values(), key=lambda each: each.name, reverse=True):
        for suite, results in demand.judge(request).items():
            found[suite] += results
    return dict(found)


@dataclass(frozen=True, slots=True)
class GateResult(NotebookView):
    """The runs as their gates judged them; it passed if every run did."""

    runs: tuple[GatedRun, ...]
    passed: bool

    @property
    def cause(self) -> Cause | None:
        """What failed it, None if it passed."""
        return first_cause(each.cause for each in self.runs)


@dataclass(frozen=True, slots=True)
class GateOptions:
    """What a gate holds runs to, beside the rules of their suites.

    `baseline` is the name of the baselines; without one it is `main`, and a suite may have none.
    Of the runs of a `mode`, those of its candidate are judged, also by what the mode demands. With
    `is_quick`, demands that take long to judge are left out: a page is waiting.
    """

    baseline: str | None = None
    mode: Mode | None = None
    is_quick: bool = False


def gate(
    runs: Sequence[Run],
    project: Project | None = None,
    options: GateOptions | None = None,
    *,
    store: Store | None = None,
) -> GateResult:
    """Judge runs as `cranfield gate` does: by thresholds, rules, baselines and demands.

    Demands are those of the mode, and of whatever else the project asks for, such as agents or
    models; `store` is where their records are, the project's own without it. Without a project,
    the thresholds alone decide.
    """
    options = options or GateOptions()
    judged = find_candidates(options.mode, runs) if options.mode else list(runs)
    _refuse_model_grades(judged)
    if project is None:
        gated = tuple(gate_run(run) for run in judged)
    else:
        of_mode = _judge_mode(options.mode, runs)
        kept = store or _find_store(project, judged)
        request = DemandRequest(judged, project, kept, is_quick=options.is_quick) if kept else None
        demands = judge_all_demands(request, of_mode) if request else of_mode
        gated = tuple(_gate_all(judged, project, options.baseline, demands))
    return GateResult(gated, passed=all(each.passed for each in gated))


def _judge_mode(mode: Mode | None, runs: Sequence[Run]) -> Mapping[str, Sequence[RuleResult]]:
    return judge_demands(mode, compare_in_mode(mode, runs)) if mode else {}


def _find_store(project: Project, runs: Sequence[Run]) -> Store | None:
    """Return the project's store if it has one, or else that of the runs; None without any."""
    if project.has_store():
        return project.open_store()
    return runs[0].store if runs else None


def gate_stored(runs: Sequence[Run], project: Project, store: Store) -> GateResult:
    """Judge stored runs as `cranfield gate --run` does, but for agents, whose checks take long."""
    held = _apply_project(runs, project, store)
    return gate(held, project, GateOptions(is_quick=True), store=store)


def _refuse_model_grades(runs: Sequence[Run]) -> None:
    """Refuse suites that are graded by a model: a gate sees its figures corrected, or none."""
    for run in runs:
        suite = run.header.suite
        if suite.judging.judged_by.startswith("model:"):
            raise CranfieldError(
                f"the suite {suite.id} is graded by {suite.judging.judged_by}, and a gate uses no "
                'grades of a model: write judged_by = "people", and thresholds for corrected '
                "figures into `gate` of [judging.model]"
            )


def _gate_all(
    runs: Sequence[Run],
    project: Project,
    name: str | None,
    demands: Mapping[str, Sequence[RuleResult]],
) -> Iterable[GatedRun]:
    suites = list(dict.fromkeys(run.header.suite.id for run in runs))
    listed = project.suite_ids()
    notices = _find_notices(project, name, suites, listed)
    baselines = [
        find_baseline(project.folder, run.header.suite, name, {*suites, *listed}) for run in runs
    ]
    shared = [_share_truth(run, known) for run, known in zip(runs, baselines, strict=True)]
    pairs = [
        pair_baseline(run, known) if known else None
        for (run, _), known in zip(shared, baselines, strict=True)
    ]
    compared = compare_with_baselines(pairs)
    for (run, moved), baseline, comparison in zip(shared, baselines, compared, strict=True):
        promotions = find_promotions(run, _earlier_runs(run), baseline)
        further = (*demands.get(run.header.suite.id, ()), *notices[run.header.suite.id])
        yield gate_run(
            run, baseline, notices=(*moved, *further, *promotions), comparison=comparison
        )


def _share_truth(run: Run, baseline: Baseline | None) -> tuple[Run, list[RuleResult]]:
    """Grade a run by the right answers of its baseline, if a database names others now."""
    if not (baseline and any(each.truth for each in baseline.queries)):
        return run, []
    graded, moved = share_truth(make_arm(baseline, run), run)
    if not moved:
        return run, []
    message = (
        f"the database names other right answers for {count_queries(len(moved))} than when the "
        "baseline was accepted; both are graded by those of the baseline, until a run is accepted"
    )
    return graded, [RuleResult("truth", Severity.WARN, message, moved)]


def run_for_gate(
    session: Session,
    project: Project,
    named: Sequence[str],
    options: RunOptions,
    *,
    systems: Sequence[str] = (),
    baseline: str | None = None,
) -> list[Run]:
    """Run the named suites, or the project's own, on systems, or on the project's only one.

    Baselines are read first: one that cannot be used is reported before an hour of queries.
    """
    specs = project.choose_systems(systems)
    suites = project.load_suites(named)
    known = {suite.id for suite in suites} | project.suite_ids()
    for suite in suites:
        _require_headline(find_baseline(project.folder, suite, baseline, known), options.measures)
    return use_judgments(project, session.store, run_systems(session, specs, suites, options))


def find_stored_runs(
    project: Project, store: Store, names: Sequence[str], measures: Sequence[Measure] = ()
) -> list[Run]:
    """Find stored runs to judge, each once, as the project judges them; refuse partial ones."""
    found = [run for name in names for run in require_batch(store, name)]
    runs = list({run.header.id: run for run in found}.values())
    for run in runs:
        require_whole_run(run, project)
    return _apply_project(runs, project, store, measures)


def _apply_project(
    runs: Sequence[Run], project: Project, store: Store, measures: Sequence[Measure] = ()
) -> list[Run]:
    """Return stored runs graded by the judgments that the project names, and held to its rules.

    Measures, thresholds and rules about baselines are those that the project sets now. With
    `measures`, answers are measured by these instead, the first being the headline.
    """
    judged = use_judgments(project, store, [_set_measures(run, project) for run in runs])
    if measures:
        judged = [regrade(run, run.header.suite, measures) for run in judged]
    return [_set_gate(run, project) for run in judged]


def _require_headline(baseline: Baseline | None, measures: Sequence[Measure]) -> None:
    """Refuse a headline that the baseline cannot be compared by."""
    if not (baseline and measures) or str(measures[0]) in baseline.measures:
        return
    raise CranfieldError(
        f"the baseline {baseline.name} of {baseline.suite} has no {measures[0]}, but "
        f"{', '.join(baseline.measures)}; choose one of these with -m, or accept a run that was "
        f"measured by it: cranfield run -m {measures[0]}"
    )


def _set_measures(run: Run, project: Project) -> Run:
    """Measure a run again if its suite has other measures now than when it was run."""
    suite = run.header.suite
    now = (project.find_suite(suite.id) or project.apply_settings(suite)).measures
    if now == suite.measures:
        return run
    suite = project.apply_gate(replace(suite, measures=now))
    return regrade(run, suite, measured_by(suite, RunOptions(run.header.limit)))


def _set_gate(run: Run, project: Project) -> Run:
    header = run.header
    suite = project.apply_gate(header.suite)
    for threshold in suite.gate:
        if str(parse_measure(threshold.measure)) not in header.measures:
            raise CranfieldError(
                f"run {header.id} was not measured by {threshold.measure}, for which "
                f"cranfield.toml sets a threshold; run {suite.id} again"
            )
    return run.with_suite(suite)


def _find_notices(
    project: Project, name: str | None, suites: Sequence[str], listed: Collection[str]
) -> Mapping[str, Sequence[RuleResult]]:
    """Find what is odd about the baselines of a name, by the judged suite to report it with.

    The baseline of a suite that nobody judges or lists guards nothing any more; a suite without
    one, if others have theirs, may not be guarded yet. What belongs to no judged suite is reported
    with the first.
    """
    found = find_baselines(project.folder, name or DEFAULT_BASELINE)
    notices: dict[str, list[RuleResult]] = {suite: [] for suite in suites}
    for suite, path in found.items():
        if suites and suite not in suites and suite not in listed:
            message = (
                f"{path.name} is the baseline of no suite that is judged here, nor of one that "
                "cranfield.toml lists: nothing is compared with it; list its suite, or remove it"
            )
            notices[suites[0]].append(RuleResult("unused", Severity.WARN, message))
    for suite in suites:
        if found and suite not in found:
            message = (
                f"{suite} has no baseline, and other suites have one: none of its losses are "
                "detected; accept a run of it"
            )
            notices[suite].append(RuleResult("unguarded", Severity.WARN, message))
    return notices


def _earlier_runs(run: Run) -> list[Run]:
    """Return earlier runs of the same queries on the same system, the oldest first."""
    header = run.header
    if header.suite.rules.promote_after is None:
        return []
    return [
        Run(each, run.store)
        for each in run.store.headers()
        if _is_alike(each, header) and each.id < header.id
    ]


def _is_alike(one: RunHeader, other: RunHeader) -> bool:
    """Return whether two runs had the same system, queries and limit, and ended the same way."""
    return one.state is other.state and (one.system, one.asked.hashes, one.limit) == (
        other.system,
        other.asked.hashes,
        other.limit,
    )


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
