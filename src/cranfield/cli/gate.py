"""`cranfield gate`: is this build good enough to merge?"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cranfield.cli.baseline import make_acceptance
from cranfield.cli.options import (
    Config,
    Measures,
    Milestone,
    ModeName,
    OptionalHits,
    OptionalJobs,
    OptionalRepeats,
    Out,
    Quiet,
    Reports,
    StorePlace,
    SuiteFiles,
    format_option,
)
from cranfield.cli.output import (
    EXIT_BY_CAUSE,
    open_session,
    read_report,
    report_project,
    run_command,
    write_report,
    write_reports,
)
from cranfield.cli.output import report as report_line
from cranfield.defaults import HITS
from cranfield.errors import CranfieldError, InputError
from cranfield.evaluation.acceptance import accept_by_rule
from cranfield.evaluation.gate_evaluation import GateOptions, GateRequest, evaluate_gate
from cranfield.evaluation.project import find_mode, open_named
from cranfield.evaluation.sessions import refuse_unanswered
from cranfield.evaluation.triggers import find_skip_reason
from cranfield.formats import find_format
from cranfield.measures import parse_deciding
from cranfield.reports.gate_report import report_gates
from cranfield.runs.runner import RunOptions
from cranfield.systems import find_config

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.evaluation.gate_evaluation import GateResult
    from cranfield.evaluation.project import Project
    from cranfield.formats import Format, Report

__all__ = ["gate"]


System: TypeAlias = Annotated[
    str | None,
    typer.Option("--system", "-s", metavar="NAME", help="A system of cranfield.toml."),
]
StoredRuns: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--run", metavar="RUN", help="Judge a stored run instead of running one; may be repeated."
    ),
]
BaselineName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare with the baseline of that name.  [default: main, if it exists]",
    ),
]
ChangedPaths: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Paths that a change touches, one a line (- is standard input). Skip the gate "
        "unless a path matches [gate] paths of cranfield.toml or is a suite or baseline.",
    ),
]


def gate(
    suites: SuiteFiles = None,
    system: System = None,
    mode: ModeName = None,
    milestone: Milestone = None,
    run: StoredRuns = None,
    baseline: BaselineName = None,
    changed_paths: ChangedPaths = None,
    reports: Reports = None,
    output: Annotated[str, format_option("gate")] = "text",
    out: Out = None,
    k: OptionalHits = None,
    jobs: OptionalJobs = None,
    repeat: OptionalRepeats = None,
    measure: Measures = None,
    quiet: Quiet = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Run suites on a system, and judge it: thresholds, baseline, rules.

    Against a baseline it fails on a significant fall, and on more lost queries than noise explains;
    a suite can ask for other rules. With [gate.agents] it also fails if agents get worse. Exits
    with 0 if it passed, 1 if it failed, 4 if it failed only because queries were not answered, 5 if
    only because answers could not be graded, 2 or 3 if it could not be judged.

    \b
    cranfield gate --system new
    cranfield gate --system new -m nDCG@10 -m P@1
    cranfield gate home.json --system new --baseline main --report junit=gate.xml
    git diff --name-only --no-renames main | cranfield gate --system new --changed-paths -
    cranfield gate --run latest
    cranfield gate --mode both --milestone M3
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    shown = find_format(output, "gate")
    additional = [read_report(text, "gate") for text in reports or ()]
    project, named = open_named(config, suites or [], os.environ)
    report_project(project, config, quiet=quiet)
    project = project.at_milestone(milestone)
    chosen = find_mode(project, mode) if mode else None
    if chosen and (system or run):
        raise CranfieldError("--mode decides what is run; leave out --system and --run")
    if skipped := _find_skip_reason(project, changed_paths):
        _show(report_gates((), skipped), additional, shown, out)
        return
    asked = {"--k": k, "--jobs": jobs, "--repeat": repeat}
    if run:
        _refuse_ignored({"suite": named, "--system": system, **asked})
    request = GateRequest(
        suites=tuple(named),
        systems=tuple(filter(None, [system])),
        stored=tuple(run or ()),
        running=RunOptions(
            k or HITS, jobs or 1, repeat or 1, measures=parse_deciding(measure or ())
        ),
        options=GateOptions(baseline, chosen),
    )
    places = {"--measure": measure, "--config": config, "--store": store}
    continued_by = run_command(suites or [], {**asked, **places})
    result = evaluate_gate(
        project,
        request,
        lambda: open_session(project.open_store(store), continued_by, quiet=quiet),
    )
    _show(report_gates(result.runs, options=_project_option(project)), additional, shown, out)
    refuse_unanswered([each.run for each in result.runs])
    if result.cause:
        raise typer.Exit(EXIT_BY_CAUSE[result.cause])
    _accept_by_rule(result, project)


def _show(
    report: Report, additional: Sequence[tuple[Format, str]], shown: Format, out: str | None
) -> None:
    """Write the reports that were asked for beside the one that is shown."""
    write_reports(report, additional)
    write_report(shown, report, out)


def _accept_by_rule(result: GateResult, project: Project) -> None:
    """Accept runs whose suites say so as their new baselines."""
    for each in result.runs:
        if not (each.against and each.against.may_replace):
            continue
        if path := accept_by_rule(each, project, make_acceptance(project, "by rule")):
            report_line(f"NEW BASELINE: {each.run.header.id} is now {path}; commit it")


def _refuse_ignored(options: Mapping[str, object]) -> None:
    """Refuse whatever says how to run queries: a stored run is judged without running any."""
    given = [name for name, value in options.items() if value]
    if given:
        raise CranfieldError(f"--run judges a stored run; it takes no {' and no '.join(given)}")


def _project_option(project: Project) -> str:
    """Return the option with which commands find a project from here; empty if they need none."""
    if project.file is None or find_config(Path.cwd()) == project.file.resolve():
        return ""
    return f" --config {shlex.quote(os.path.relpath(project.folder))}"


def _find_skip_reason(project: Project, changed: str | None) -> str:
    """Say why the changed paths need no gate; empty if they do."""
    if changed is None:
        return ""
    try:
        content = sys.stdin.buffer.read() if changed == "-" else Path(changed).read_bytes()
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=changed) from None
    return find_skip_reason(project, content)
