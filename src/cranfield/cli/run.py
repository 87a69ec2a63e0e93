"""`cranfield run`: ask a system every query of a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.asking import ask_system, opened
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
from cranfield.cli.project import load_suites, open_project
from cranfield.errors import CranfieldError, SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Suite
    from cranfield.reports import ReportedRun
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
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="text, json, csv, markdown, recorded, golden-set-json, relevance-csv, "
            "relevance-summary or spelunker-json.",
        ),
    ] = "text",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Ask a system every query of a suite, and measure the answers.

    \b
    cranfield run canonical.toml --system new
    cranfield run canonical.toml prose.toml -s old -s new --jobs 4
    cranfield run canonical.toml --system new --resume
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.measures import parse_measure
    from cranfield.reports import RUN_FORMATS, ReportedRun, RunReport
    from cranfield.runs import RunOptions
    from cranfield.suites import select

    form = RUN_FORMATS.get(output)
    project = open_project(config)
    specs = [project.system(name) for name in system or _only_system(project.systems)]
    chosen = [
        select(suite, categories=category or (), languages=language or (), smoke=smoke)
        for suite in load_suites(project, suites or [], qrels)
    ]
    extra = tuple(parse_measure(text) for text in measure or ())
    options = RunOptions(k, jobs, repeat, label, extra)
    opened_store = project.open_store(store)
    runs = [
        _again(spec, suite, options, opened_store, retry_failed=retry_failed)
        if resume or retry_failed
        else ask_system(spec, suite, options, opened_store)
        for suite in chosen
        for spec in specs
    ]
    report = RunReport([ReportedRun(each) for each in runs], per_query=verbose)
    write_to(out, form.render(report))
    if out is not None and out != "-":
        write((form.summary or RUN_FORMATS.get("text").render)(report))
    _refuse_unanswered(report.runs)
    if gate and not all(each.gate.passed for each in report.runs):
        raise typer.Exit(1)


def _only_system(systems: dict[str, SystemSpec]) -> list[str]:
    if len(systems) == 1:
        return list(systems)
    known = ", ".join(systems) or "none"
    raise CranfieldError(f"say which system to ask with --system; cranfield.toml has: {known}")


def _again(
    spec: SystemSpec, suite: Suite, options: RunOptions, store: Store, *, retry_failed: bool
) -> Run:
    from cranfield.runs import continue_run, last_run

    earlier = last_run(store, spec.name, suite, options, unfinished=not retry_failed)
    with opened(spec) as system:
        return continue_run(
            earlier,
            system,
            options,
            spec=spec,
            progress=ProgressLines(f"{spec.name}, {suite.id}"),
            retry_failed=retry_failed,
        )


def _refuse_unanswered(runs: Sequence[ReportedRun]) -> None:
    """End with an error where a system answered no query at all."""
    for each in runs:
        if all(status.is_failure for status in each.summary.statuses):
            header = each.run.header
            raise SystemUnusableError(
                f"{header.system} answered no query of {header.suite.id}; "
                f"`cranfield runs show {header.id}` shows what came back"
            )
