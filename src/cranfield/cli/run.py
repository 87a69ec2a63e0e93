"""`cranfield run`: ask a system every query of a suite."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.asking import (
    ask_system,
    check_systems,
    describe_selection,
    opened,
    refuse_unanswered,
)
from cranfield.cli.modes import find_mode
from cranfield.cli.options import (
    Categories,
    Config,
    Hits,
    Jobs,
    Languages,
    Out,
    Qrels,
    Repeats,
    StorePlace,
)
from cranfield.cli.output import write, write_to
from cranfield.cli.progress import ProgressLines
from cranfield.cli.project import load_suites, open_named
from cranfield.errors import CranfieldError, StoreError
from cranfield.formats import list_formats

if TYPE_CHECKING:
    from cranfield.cli.modes import Mode
    from cranfield.cli.project import Project
    from cranfield.gates import GatedRun
    from cranfield.model import Suite
    from cranfield.runs import Run, RunOptions, Store
    from cranfield.systems import SystemSpec

__all__ = ["run"]


def run(
    suites: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SUITE]", help="Suite files; without, those of cranfield.toml."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system", "-s", metavar="NAME", help="One of cranfield.toml; may be repeated."
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A way to run that cranfield.toml has under [modes]."),
    ] = None,
    k: Hits = 10,
    jobs: Jobs = 1,
    category: Categories = None,
    language: Languages = None,
    smoke: Annotated[
        bool,
        typer.Option("--smoke", help="Only queries tagged smoke, or the first of each category."),
    ] = False,
    repeat: Repeats = 1,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", "-m", metavar="MEASURE", help="Measured besides; may be repeated."
        ),
    ] = None,
    label: Annotated[str, typer.Option(metavar="TEXT", help="A name to find the run by.")] = "",
    qrels: Qrels = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last run that was stopped.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again what failed in the last run.")
    ] = False,
    gate: Annotated[
        bool, typer.Option("--gate", help="Exit with 1 where a suite's gate is not passed.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every query.")] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help=f"{list_formats('run')}.  [default: text, or the mode's]",
        ),
    ] = None,
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Ask a system every query of a suite, and measure the answers.

    \b
    cranfield run canonical.toml --system new
    cranfield run canonical.toml prose.toml -s old -s new --jobs 4
    cranfield run canonical.toml --system new --resume
    cranfield run home --mode both
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import find_format, render
    from cranfield.gates import GatedRun
    from cranfield.measures import parse_measure
    from cranfield.reports import report_runs
    from cranfield.runs import RunOptions
    from cranfield.suites import select_all

    project, named = open_named(config, suites or [])
    chosen_mode = find_mode(project, mode) if mode else None
    if chosen_mode and (system or output):
        raise CranfieldError("--mode says which systems are asked and what is shown; leave it out")
    written = find_format(output or "text", "run")
    _check_label(label, project.systems)
    if gate and (category or language or smoke):
        typer.echo("note: the gate is judged on the chosen queries only", err=True)
    names = chosen_mode.systems if chosen_mode else system or _only_system(project.systems)
    specs = [project.system(name) for name in names]
    loaded = load_suites(project, named, qrels)
    chosen = select_all(
        loaded,
        categories=category or (),
        languages=language or (),
        smoke=smoke,
    )
    extra = tuple(parse_measure(text) for text in measure or ())
    whole = {suite.id: suite.asked for suite in loaded}
    is_part = any(suite.asked != whole[suite.id] for suite in chosen)
    selection = describe_selection(category, language, smoke=smoke) if is_part else ""
    options = RunOptions(k, jobs, repeat, label, extra, selection=selection)
    opened_store = project.open_store(store)
    pairs = [(spec, suite) for suite in chosen for spec in specs]
    if resume or retry_failed:
        runs = _go_on(pairs, options, opened_store, retry_failed=retry_failed)
    else:
        check_systems(specs, chosen, options)
        runs = [ask_system(spec, suite, options, opened_store) for spec, suite in pairs]
    if chosen_mode:
        _show_mode(chosen_mode, project, runs, out=out, verbose=verbose)
        return
    report = report_runs([GatedRun(each) for each in runs], per_query=verbose)
    write_to(out, written.render(report))
    if out is not None and out != "-":
        write(render(report, written.on_screen))
    refuse_unanswered(runs)
    if gate and not report.passed:
        raise typer.Exit(1)


def _show_mode(
    mode: Mode, project: Project, runs: list[Run], *, out: str | None, verbose: bool
) -> None:
    """Show what a mode ran: the first of its systems beside the last, and the last by itself."""
    from cranfield.comparisons import compare
    from cranfield.formats import render
    from cranfield.gates import GatedRun
    from cranfield.reports import report_comparison, report_runs

    by_system = {name: [run for run in runs if run.header.system == name] for name in mode.systems}
    first, last = by_system[mode.systems[0]], by_system[mode.systems[-1]]
    judged = [GatedRun(each) for each in last]
    report = report_runs(judged, per_query=verbose)
    compared = report_comparison(compare(first, last)) if len(by_system) > 1 else report
    write_to(out, render(compared, mode.format))
    for name, file in mode.reports.items():
        for suite, some in _by_file(file, judged):
            place = str(project.folder / suite)
            write_to(place, render(report_runs(some, per_query=verbose), name))
            typer.echo(f"written: {place}", err=True)
    refuse_unanswered(runs)
    if mode.gate and not report.passed:
        raise typer.Exit(1)


def _by_file(file: str, judged: list[GatedRun]) -> list[tuple[str, list[GatedRun]]]:
    """Name the files of a report: one, or one a suite if `{suite}` is in the name."""
    if "{suite}" not in file:
        return [(file, judged)]
    return [(file.replace("{suite}", each.run.header.suite.id), [each]) for each in judged]


def _check_label(label: str, systems: dict[str, SystemSpec]) -> None:
    if label == "latest" or label in systems:
        taken = "the newest run" if label == "latest" else "the system of that name"
        raise CranfieldError(f"the label {label!r} would be taken for {taken}; choose another")
    if not label.isprintable():
        raise CranfieldError(f"the label {label!r} cannot be printed; choose another")


def _only_system(systems: dict[str, SystemSpec]) -> list[str]:
    if len(systems) == 1:
        return list(systems)
    known = ", ".join(systems) or "none"
    raise CranfieldError(f"say which system to ask with --system; cranfield.toml has: {known}")


def _go_on(
    pairs: list[tuple[SystemSpec, Suite]], options: RunOptions, store: Store, *, retry_failed: bool
) -> list[Run]:
    """Continue what was stopped, take what is finished as it is, and begin what was not begun."""
    from cranfield.runs import RunState, runs_alike

    earlier = [runs_alike(store, spec.name, suite, options) for spec, suite in pairs]
    stopped = [[run for run in alike if run.header.state is RunState.RUNNING] for alike in earlier]
    if not any(earlier if retry_failed else stopped):
        what = "run" if retry_failed else "unfinished run"
        raise StoreError(
            f"{store.name} has no {what} that asks just this of {pairs[0][0].name}, in this way "
            "(suite, hits, repetitions, measures, label); start one without --resume"
        )
    # What was not begun belongs to the command that was stopped.
    batch = next((alike[-1].header.batch for alike in reversed(earlier) if alike), "")
    options = replace(options, batch=batch)
    runs = []
    for (spec, suite), alike, unfinished in zip(pairs, earlier, stopped, strict=True):
        if not alike:
            runs.append(ask_system(spec, suite, options, store))
        elif unfinished or retry_failed:
            chosen = (unfinished or alike)[-1]
            runs.append(_continue(chosen, spec, options, retry_failed=retry_failed))
        else:
            runs.append(alike[-1])
    return runs


def _continue(run: Run, spec: SystemSpec, options: RunOptions, *, retry_failed: bool) -> Run:
    from cranfield.runs import continue_run

    with opened(spec) as system:
        return continue_run(
            run,
            system,
            options,
            spec=spec,
            progress=ProgressLines(f"{spec.name}, {run.header.suite.id}"),
            retry_failed=retry_failed,
        )
