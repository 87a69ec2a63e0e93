"""`cranfield run`: run suites on a system."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cranfield.cli.completions import complete_system
from cranfield.cli.exit_codes import EXIT_BY_CAUSE, EXIT_FAILED
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
    format_option,
)
from cranfield.cli.output import (
    open_session,
    read_report,
    report,
    report_project,
    write_report,
    write_reports,
    write_to,
    write_with_summary,
)
from cranfield.cli.resumption import repeat_command
from cranfield.defaults import HITS
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cranfield.evaluation import Mode, Project
    from cranfield.gates import GatedRun
    from cranfield.runs import Run, Store

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
    from cranfield.evaluation import (
        describe_selection,
        find_mode,
        open_named,
        refuse_unanswered,
        resume_systems,
        run_systems,
        use_judgments,
    )
    from cranfield.formats import find_format
    from cranfield.gates import first_cause, gate_run
    from cranfield.measures import parse_measure
    from cranfield.reports.run_report import report_runs
    from cranfield.reports.supplements import find_supplements
    from cranfield.runs import RunOptions
    from cranfield.suites import select_all

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
    specs = project.choose_systems(chosen_mode.systems if chosen_mode else system or ())
    loaded = project.load_suites(named, qrels)
    chosen = select_all(loaded, categories=category or (), languages=language or (), smoke=smoke)
    whole = {suite.id: suite.asked for suite in loaded}
    is_part = any(suite.asked != whole[suite.id] for suite in chosen)
    selection = describe_selection(category, language, smoke=smoke) if is_part else ""
    measures = tuple(parse_measure(text) for text in measure or ())
    options = RunOptions(k, jobs, repeat, label, measures, selection=selection)
    opened = project.open_store(store)
    session = open_session(opened, repeat_command, quiet=quiet, executor=executor)
    if resume or retry_failed:
        runs = resume_systems(session, specs, chosen, options, retry_failed=retry_failed)
    else:
        runs = run_systems(session, specs, chosen, options, one_truth=chosen_mode is not None)
    if qrels is None:
        runs = use_judgments(project, session.store, runs)
    if chosen_mode:
        _show_mode(chosen_mode, project, runs, session.store, out=out, verbose=verbose)
        return
    judged = [gate_run(each) for each in runs]
    supplements = find_supplements([[each] for each in runs], project, session.store)
    shown = report_runs(judged, per_query=verbose, supplements=supplements)
    write_reports(shown, additional)
    write_with_summary(written, shown, out)
    refuse_unanswered(runs)
    if gate and shown.passed is False:
        raise typer.Exit(EXIT_BY_CAUSE[first_cause(each.cause for each in judged) or "quality"])


def _show_mode(
    mode: Mode, project: Project, runs: list[Run], store: Store, *, out: str | None, verbose: bool
) -> None:
    """Show what a mode ran and demands, and write its reports."""
    from cranfield.evaluation import judge_mode, refuse_unanswered
    from cranfield.formats import FORMATS, render
    from cranfield.reports.mode_report import report_mode
    from cranfield.reports.run_report import report_runs
    from cranfield.reports.supplements import find_supplements

    result = judge_mode(mode, runs)
    alone = [[each.run] for each in result.runs]
    compared = result.comparison.paired if result.comparison else alone
    supplements = find_supplements(compared, project, store)
    shown = report_mode(result, per_query=verbose, supplements=supplements)
    write_report(FORMATS.get(mode.format), shown, out)
    for name, file in mode.reports.items():
        for place, some in _by_file(file, result.runs).items():
            supplements = find_supplements([[each.run] for each in some], project, store)
            written = report_runs(some, per_query=verbose, supplements=supplements)
            write_to(str(project.folder / place), render(written, name))
            report(f"written: {project.folder / place}")
    refuse_unanswered(runs)
    if not result.passed:
        raise typer.Exit(EXIT_FAILED)


def _by_file(file: str, judged: Sequence[GatedRun]) -> dict[str, list[GatedRun]]:
    """Return the files of a report, each with the runs whose names are the same."""
    from cranfield.evaluation import name_report

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
