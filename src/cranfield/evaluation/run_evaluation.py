"""From a project to judged runs: suites run on systems, held to thresholds and to their mode."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cranfield.comparisons import compare
from cranfield.evaluation.sessions import (
    describe_selection,
    resume_systems,
    run_systems,
    use_judgments,
)
from cranfield.formats import count_queries
from cranfield.gates.gate_rules import RuleResult, Severity
from cranfield.gates.gated_runs import gate_run
from cranfield.runs.runner import RunOptions
from cranfield.statistics import VerdictKind
from cranfield.suites import select_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.comparisons import Comparison, SuiteComparison
    from cranfield.evaluation.project import Project
    from cranfield.evaluation.project_file import Mode
    from cranfield.evaluation.sessions import Begin
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = [
    "EvaluatedRuns",
    "ModeResult",
    "RunRequest",
    "compare_in_mode",
    "evaluate_run",
    "find_candidates",
    "judge_demands",
    "judge_mode",
]


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
class ModeResult:
    """The candidate's runs as they were judged, and the comparison if there is another system.

    `demands` are the results of what the mode demands, a suite each.
    """

    runs: tuple[GatedRun, ...]
    comparison: Comparison | None
    demands: tuple[RuleResult, ...]
    passed: bool


def judge_mode(mode: Mode, runs: Sequence[Run]) -> ModeResult:
    """Judge the candidate of a mode by its thresholds, and by what the mode demands of it."""
    comparison = compare_in_mode(mode, runs)
    demands = judge_demands(mode, comparison)
    listed = tuple(each for of_suite in demands.values() for each in of_suite)
    gated = tuple(
        gate_run(run, notices=demands.get(run.header.suite.id, ()))
        for run in find_candidates(mode, runs)
    )
    reached = not mode.gate or all(each.is_reached for each in gated)
    met = not any(each.severity is Severity.FAIL for each in listed)
    return ModeResult(gated, comparison, listed, reached and met)


def find_candidates(mode: Mode, runs: Sequence[Run]) -> list[Run]:
    """Return the candidate's runs; in a mode with `gate = false` their thresholds only inform."""
    found = [run for run in runs if run.header.system == mode.candidate]
    return found if mode.gate else [_without_gate(run) for run in found]


def _without_gate(run: Run) -> Run:
    suite = run.header.suite
    thresholds = tuple(replace(each, diagnostic=True) for each in suite.gate)
    return run.with_suite(replace(suite, gate=thresholds))


def compare_in_mode(mode: Mode, runs: Sequence[Run]) -> Comparison | None:
    """Compare the candidate of a mode with its reference; None if it has no other system."""
    if mode.reference == mode.candidate:
        return None
    arms = {
        name: [run for run in runs if run.header.system == name]
        for name in (mode.reference, mode.candidate)
    }
    return compare(arms[mode.reference], arms[mode.candidate])


def judge_demands(
    mode: Mode, comparison: Comparison | None
) -> Mapping[str, tuple[RuleResult, ...]]:
    """Judge, suite by suite, whether the candidate beats the system that it has to beat."""
    if not mode.beats or comparison is None:
        return {}
    return {suite.suite_id: (_judge_suite(mode, suite),) for suite in comparison.suites}


def _judge_suite(mode: Mode, suite: SuiteComparison) -> RuleResult:
    """Demand a higher figure, and a verdict that does not contradict it.

    An equal figure is not higher. With `significantly`, the verdict itself has to be *better*. A
    candidate that fails to answer more queries than the other beats nothing: the figures are of
    the queries that both answered. Nor does one that too few queries are judged for.
    """
    result, kind = suite.headline.result, suite.verdict.kind
    if result is None:
        reason = f"cannot be compared with {mode.beats}: {suite.headline.reason}"
        return RuleResult("beats", Severity.FAIL, f"{mode.candidate} {reason}")
    failed_a, failed_b = (each.count for each in suite.failures)
    is_higher = result.mean_b > result.mean_a and kind is not VerdictKind.WORSE
    is_higher = is_higher and failed_b <= failed_a and not suite.not_judged.is_too_many
    is_met = is_higher and (kind is VerdictKind.BETTER or not mode.significantly)
    how = " significantly" if mode.significantly else ""
    verb = "beats" if is_met else "does not beat"
    message = (
        f"{mode.candidate} {verb} {mode.beats}{how}, as the mode demands: "
        f"{suite.headline.measure} {result.mean_b:.4f} against {result.mean_a:.4f} "
        f"over {count_queries(result.pairs)}, verdict {kind}"
    )
    if failed_b > failed_a:
        message = f"{message}; it did not answer {count_queries(failed_b)}, {mode.beats} {failed_a}"
    if suite.not_judged.is_too_many:
        message = f"{message}; {suite.verdict.reason}"
    return RuleResult("beats", Severity.NOTE if is_met else Severity.FAIL, message)
