"""`cranfield compare`: is B better than A?"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cranfield.cli.asking import (
    ask_system,
    check_systems,
    describe_selection,
    refuse_unanswered,
)
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
from cranfield.cli.output import read_report, write, write_to
from cranfield.cli.project import load_suites, open_named
from cranfield.errors import CranfieldError
from cranfield.formats import Detail, list_formats
from cranfield_shared import near_names

if TYPE_CHECKING:
    from cranfield.cli.project import Project
    from cranfield.model import Suite
    from cranfield.runs import Run, RunOptions, Store

__all__ = ["compare"]

Choice = TypeVar("Choice", bound=StrEnum)


def compare(
    arms: Annotated[
        list[str],
        typer.Argument(metavar="ARM", help="A, then B: systems to run now, or stored runs."),
    ],
    suite: Annotated[
        list[str] | None,
        typer.Option("--suite", "-S", metavar="FILE", help="A suite to run; may be repeated."),
    ] = None,
    k: Hits = 10,
    jobs: Jobs = 1,
    repeat: Repeats = 1,
    category: Categories = None,
    language: Languages = None,
    qrels: Qrels = None,
    common: Annotated[
        bool, typer.Option("--common", help="Pair what is identical where the runs differ.")
    ] = False,
    grid: Annotated[
        bool,
        typer.Option(
            "--grid",
            help="Four arms, old and new binary on the old index, then on the new one: which "
            "made the change?",
        ),
    ] = False,
    margin: Annotated[
        float,
        typer.Option(
            min=0.000001, metavar="NUMBER", help="Differences within this much are equivalent."
        ),
    ] = 0.02,
    seed: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", help="Seed of the randomised statistics.")
    ] = 1967,
    show: Annotated[
        str,
        typer.Option(
            metavar="WHICH",
            help="How much text, from the least: none at all; overview, a line a suite; measures, "
            "each suite without its queries; failed, changed or all, the queries to list besides.",
        ),
    ] = "changed",
    report: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE", help="Write a report besides, in any format; may be repeated."
        ),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="VERDICT",
            help="Exit with 1 on this verdict: worse, 'cannot tell' …; may be repeated.",
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help=f"{list_formats('comparison')}; with --grid {list_formats('grid')}.",
        ),
    ] = "text",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Compare arm B with arm A, query by query: better, worse, equivalent or cannot tell.

    \b
    cranfield compare old new --suite canonical.toml
    cranfield compare before-change after-change --format markdown --out audit.md
    cranfield compare old new --fail-on worse
    cranfield compare words stacks --suite apple-docs --show overview --report markdown=audit.md
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield import comparisons as comparing
    from cranfield.formats import find_format, render
    from cranfield.reports import report_comparison, report_grids
    from cranfield.runs import RunOptions
    from cranfield.suites import select_all

    written = find_format(output, "grid" if grid else "comparison")
    shown = _read_level(show)
    failing = {_choice(comparing.VerdictKind, each, "--fail-on") for each in fail_on or ()}
    if len(arms) != (4 if grid else 2):
        raise typer.BadParameter(f"compare takes {'four arms with --grid' if grid else 'two arms'}")
    if grid and fail_on:
        raise typer.BadParameter("--grid has no --fail-on")
    others = [read_report(text, "comparison") for text in report or ()]
    project, named = open_named(config, suite or [])
    project.refuse_nothing(store)
    asks_now = suite or any(name in project.systems for name in arms)
    loaded = load_suites(project, named, qrels) if asks_now else []
    chosen = select_all(loaded, categories=category or (), languages=language or ())
    asking = RunOptions(k, jobs, repeat, selection=describe_selection(category, language))
    found = _arms(project, arms, chosen, asking, project.open_store(store))
    options = comparing.CompareOptions(margin, seed, common)
    if grid:
        write_to(out, written.render(report_grids(comparing.attribute(found, options))))
        return
    result = comparing.compare(found[0], found[1], options)
    compared = report_comparison(result, shown)
    for other, file in others:
        write_to(file, other.render(report_comparison(result)))
    write_to(out, written.render(compared))
    if out is not None and out != "-":
        write(render(compared, written.on_screen))
    for arm in found:
        refuse_unanswered(arm)
    if any(each.verdict.kind in failing for each in result.suites):
        raise typer.Exit(1)


def _arms(
    project: Project, names: list[str], suites: list[Suite], options: RunOptions, store: Store
) -> list[list[Run]]:
    """Find the arms that are stored, check the systems among them, and only then run these."""
    stored = {
        name: _stored_arm(project, name, suites, store)
        for name in names
        if name not in project.systems
    }
    asked = dict.fromkeys(name for name in names if name not in stored)
    check_systems([project.systems[name] for name in asked], suites, options)
    return [
        stored[name]
        if name in stored
        else [ask_system(project.systems[name], suite, options, store) for suite in suites]
        for name in names
    ]


def _stored_arm(project: Project, name: str, suites: list[Suite], store: Store) -> list[Run]:
    """Find stored runs: the latest of each suite under a label."""
    from cranfield.runs import find_runs

    found = find_runs(store, name)
    if not found:
        known = ", ".join(project.systems) or "none"
        near = near_names(name, project.systems)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise CranfieldError(
            f"{name!r} is no system (cranfield.toml has: {known}) and no run of {store.name}{hint}"
            "; `cranfield runs list` shows the runs"
        )
    if not suites:
        return found
    wanted = {suite.id for suite in suites}
    return [run for run in found if run.header.suite.id in wanted]


def _read_level(text: str) -> Detail:
    """Read how much is to be shown; documents alone go beyond `all`."""
    levels = {level.name.lower(): level for level in Detail if level <= Detail.ALL}
    if text not in levels:
        raise typer.BadParameter(f"--show is one of {', '.join(levels)}, not {text!r}")
    return levels[text]


def _choice(kind: type[Choice], text: str, option: str) -> Choice:
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(kind)
        raise typer.BadParameter(f"{option} is one of {known}, not {text!r}") from None
