"""`cranfield run`: run suites on a system."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cranfield.cli.options import (
    Categories,
    Config,
    ExecutorName,
    Hits,
    Jobs,
    Languages,
    Measures,
    Milestone,
    ModeName,
    Out,
    Qrels,
    Quiet,
    Repeats,
    Reports,
    StorePlace,
    SuiteFiles,
    complete_system,
    format_option,
)
from cranfield.cli.output import (
    EXIT_BY_CAUSE,
    EXIT_FAILED,
    open_session,
    read_report,
    repeat_command,
    report,
    report_project,
    write_report,
    write_reports,
    write_to,
    write_with_summary,
)
from cranfield.defaults import HITS
from cranfield.errors import CranfieldError
from cranfield.evaluation.project import find_mode, open_named
from cranfield.evaluation.project_file import name_report
from cranfield.evaluation.run_evaluation import RunRequest, evaluate_run
from cranfield.evaluation.sessions import refuse_unanswered
from cranfield.formats import FORMATS, find_format
from cranfield.gates.gate_rules import first_cause
from cranfield.measures import parse_measure
from cranfield.reports.additions import find_supplements
from cranfield.reports.run_report import report_mode, report_runs
from cranfield.runs.runner import RunOptions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.evaluation.project_file import Mode
    from cranfield.evaluation.run_evaluation import EvaluatedRuns, ModeResult
    from cranfield.formats import Report
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.runs.store import Store

__all__ = ["run"]


Systems: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        "-s",
        metavar="NAME",
        help="A system of cranfield.toml; may be repeated.",
        autocompletion=complete_system,
    ),
]
Smoke: TypeAlias = Annotated[
    bool, typer.Option("--smoke", help="Only queries tagged smoke, or the first of each category.")
]
Resume: TypeAlias = Annotated[
    bool, typer.Option("--resume", help="Continue the last run that was stopped.")
]
RetryFailed: TypeAlias = Annotated[
    bool, typer.Option("--retry-failed", help="Run the queries again that failed in the last run.")
]
Gate: TypeAlias = Annotated[
    bool, typer.Option("--gate", help="Exit with 1 if a suite's thresholds are not reached.")
]
Output: TypeAlias = Annotated[str | None, format_option("run", ".  [default: text, or the mode's]")]


def run(
    suites: SuiteFiles = None,
    system: Systems = None,
    mode: ModeName = None,
    milestone: Milestone = None,
    k: Hits = HITS,
    jobs: Jobs = 1,
    executor: ExecutorName = "local",
    category: Categories = None,
    language: Languages = None,
    smoke: Smoke = False,
    repeat: Repeats = 1,
    measure: Measures = None,
    label: Annotated[str, typer.Option(metavar="TEXT", help="A name to find the run by.")] = "",
    qrels: Qrels = None,
    resume: Resume = False,
    retry_failed: RetryFailed = False,
    gate: Gate = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every query.")] = False,
    quiet: Quiet = False,
    reports: Reports = None,
    output: Output = None,
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Run every query of a suite on a system, and measure the answers.

    \b
    cranfield run canonical.toml --system new
    cranfield run canonical.toml prose.toml -s old -s new --jobs 4
    cranfield run canonical.toml --system new --report html=new.html
    cranfield run canonical.toml --system new --resume
    cranfield run home --mode both
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    project, named = open_named(config, suites or [], os.environ)
    report_project(project, config, quiet=quiet)
    project = project.at_milestone(milestone)
    chosen_mode = find_mode(project, mode) if mode else None
    if chosen_mode and (system or output or reports):
        raise CranfieldError("--mode decides these; leave out --system, --format and --report")
    written = find_format(output or "text", "run")
    additional = [read_report(text, "run") for text in reports or ()]
    _check_label(label, project.systems)
    if gate and (category or language or smoke) and not quiet:
        report("note: the gate is judged on the chosen queries only")
    measures = tuple(parse_measure(text) for text in measure or ())
    request = RunRequest(
        suites=tuple(named),
        systems=tuple(system or ()),
        mode=chosen_mode,
        options=RunOptions(k, jobs, repeat, label, measures),
        categories=tuple(category or ()),
        languages=tuple(language or ()),
        smoke=smoke,
        qrels=qrels,
        resume=resume,
        retry_failed=retry_failed,
    )
    evaluated = evaluate_run(
        project,
        request,
        lambda: open_session(
            project.open_store(store), repeat_command, quiet=quiet, executor=executor
        ),
    )
    if chosen_mode and evaluated.mode:
        _show_mode(chosen_mode, project, evaluated, evaluated.mode, out=out, verbose=verbose)
        return
    shown = _report(evaluated.gated, project, evaluated.store, verbose=verbose)
    write_reports(shown, additional)
    write_with_summary(written, shown, out)
    refuse_unanswered(evaluated.runs)
    if gate and shown.passed is False:
        cause = first_cause(each.cause for each in evaluated.gated)
        raise typer.Exit(EXIT_BY_CAUSE[cause or "quality"])


def _report(gated: Sequence[GatedRun], project: Project, store: Store, *, verbose: bool) -> Report:
    """Report runs, with what slices add to their figures."""
    supplements = find_supplements([[each.run] for each in gated], project, store)
    return report_runs(gated, per_query=verbose, supplements=supplements)


def _show_mode(
    mode: Mode,
    project: Project,
    evaluated: EvaluatedRuns,
    result: ModeResult,
    *,
    out: str | None,
    verbose: bool,
) -> None:
    """Show what a mode ran and demands, and write its reports."""
    alone = [[each.run] for each in result.runs]
    compared = result.comparison.paired if result.comparison else alone
    supplements = find_supplements(compared, project, evaluated.store)
    shown = report_mode(result, per_query=verbose, supplements=supplements)
    write_report(FORMATS.get(mode.format), shown, out)
    for name, file in mode.reports.items():
        for place, some in _by_file(file, result.runs).items():
            written = _report(some, project, evaluated.store, verbose=verbose)
            write_to(str(project.folder / place), FORMATS.get(name).render(written))
            report(f"written: {project.folder / place}")
    refuse_unanswered(evaluated.runs)
    if not result.passed:
        raise typer.Exit(EXIT_FAILED)


def _by_file(file: str, judged: Sequence[GatedRun]) -> dict[str, list[GatedRun]]:
    """Return the files of a report, each with the runs whose names are the same."""
    files: dict[str, list[GatedRun]] = {}
    for each in judged:
        files.setdefault(name_report(file, each.run.header), []).append(each)
    return files


def _check_label(label: str, systems: Collection[str]) -> None:
    if label == "latest" or label in systems:
        taken = "the newest run" if label == "latest" else "the system of that name"
        raise CranfieldError(f"the label {label!r} would be taken for {taken}; choose another")
    if not label.isprintable():
        raise CranfieldError(f"the label {label!r} cannot be printed; choose another")
