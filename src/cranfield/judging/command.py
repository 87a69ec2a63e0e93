"""`cranfield judge`: what is to be judged, by people or by a model, and how far it is."""

from __future__ import annotations

import getpass
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer
from typer.core import TyperGroup

from cranfield.cli.options import (
    Config,
    Seed,
    StorePlace,
    complete_run,
    executor_option,
    format_option,
)
from cranfield.cli.output import EXIT_UNANSWERED, write, write_report
from cranfield.cli.output import report as report_line
from cranfield.defaults import POOL_DEPTH, SEED, TOLERATED_ERROR
from cranfield.errors import CranfieldError
from cranfield.evaluation.project import open_project
from cranfield.evaluation.sessions import set_judging
from cranfield.executors import find_workers
from cranfield.formats import find_format
from cranfield.judging.file_commands import clicks, export, import_file
from cranfield.judging.judging_report import report_progress, report_round
from cranfield.judging.judging_round import RoundOptions, choose_runs, open_round
from cranfield.judging.models.corrected_figures import calibrate as measure_agreement
from cranfield.judging.models.model_report import (
    describe_plan,
    report_calibration,
    report_model_round,
)
from cranfield.judging.models.model_round import open_model_rounds
from cranfield.judging.models.model_settings import current_suite
from cranfield.judging.queue_options import QueueFilter
from cranfield.runs.lookup import latest_runs

if TYPE_CHECKING:
    from cranfield.evaluation.project import Project
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = ["judge"]

_DEFAULT = "pool"

Runs: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RUN]",
        help="Runs whose hits are judged: ids, labels, or systems, which stand for their latest "
        "run.  [default: the latest run of every system]",
        autocompletion=complete_run,
    ),
]
Depth: TypeAlias = Annotated[
    int, typer.Option(min=1, max=100_000, metavar="NUMBER", help="Hits of each run to judge.")
]
Rater: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who judges.  [default: the user of this machine]"),
]
Order: TypeAlias = Annotated[
    int, typer.Option("--seed", min=0, metavar="NUMBER", help="Seed of the order of hits.")
]
Error: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        max=0.2,
        metavar="SHARE",
        help="How often --decisive may stop at a verdict that all judgments would not give; with "
        "0 it stops only when no judgment can change the verdict.  "
        f"[default: {TOLERATED_ERROR}]",
    ),
]


def pool(
    names: Runs = None,
    depth: Depth = POOL_DEPTH,
    rater: Rater = None,
    decisive: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            help="Judge only hits that can change the verdict of B against A, and stop when it is "
            "settled.",
        ),
    ] = None,
    error: Error = None,
    seed: Order = SEED,
    terminal: Annotated[
        bool,
        typer.Option("--terminal", help="Judge here, one key a grade; needs cranfield[judge]."),
    ] = False,
    disputed: Annotated[
        bool,
        typer.Option(
            "--disputed",
            help="Only hits that raters disagree about; with --terminal the grade stands for all.",
        ),
    ] = False,
    query: Annotated[
        str, typer.Option(metavar="TEXT", help="Only queries with this text or id.")
    ] = "",
    document: Annotated[
        str, typer.Option(metavar="PATTERN", help="Only documents that fit, such as 'src/*.py'.")
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="DAY", help="Review what you judged from this day, 2026-11-17.")
    ] = "",
    until: Annotated[str, typer.Option(metavar="DAY", help="Review what you judged to then.")] = "",
    output: Annotated[str, format_option("judging")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Show which hits of stored runs are to be judged, or judge them here with --terminal.

    \b
    cranfield judge
    cranfield judge --terminal --rater Ann
    cranfield judge --terminal --since 2026-11-17
    cranfield judge old new --depth 20
    cranfield judge --decisive old new
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "judging")
    if error is not None and decisive is None:
        raise typer.BadParameter("--error goes with --decisive A B")
    opened = _open_runs(names, config, store)
    tolerated = TOLERATED_ERROR if error is None else error
    options = RoundOptions(
        depth,
        seed,
        QueueFilter(query, document, since, until),
        _find_pair(opened, decisive),
        error=tolerated,
        adjudicates=disputed,
    )
    if terminal:
        _run_terminal(opened, _choose_rater(rater), options, output)
        return
    judging = open_round(opened.runs, opened.store, options)
    write_report(written, report_round(judging, _choose_rater(rater)))


def _run_terminal(opened: _Opened, rater: str, options: RoundOptions, output: str) -> None:
    """Judge in this terminal, until everything is judged or the rater leaves."""
    if output != "text":
        raise typer.BadParameter("--terminal shows hits, and writes no report; leave out --format")
    try:
        from cranfield.judging.terminal_app import JudgingApp
    except ImportError as problem:
        raise CranfieldError(
            f"--terminal needs the package {problem.name}; install cranfield[judge]"
        ) from None
    app = JudgingApp(opened.runs, opened.store, rater, options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CranfieldError("--terminal needs a terminal as its input and output")
    app.run()
    progress = app.judging.queue.progress(rater)
    write(f"{progress.mine} judged by {rater}, {progress.left} of {progress.hits} left\n")


def progress(
    names: Runs = None,
    depth: Depth = POOL_DEPTH,
    rater: Rater = None,
    seed: Seed = SEED,
    output: Annotated[str, format_option("judging")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Show how far the hits of stored runs are judged, and how well raters agree.

    \b
    cranfield judge progress
    cranfield judge progress old new --format json
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "judging")
    opened = _open_runs(names, config, store)
    judging = open_round(opened.runs, opened.store, RoundOptions(depth))
    write_report(written, report_progress(judging, _choose_rater(rater), seed))


def model(
    names: Runs = None,
    depth: Depth = POOL_DEPTH,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be asked and its cost; ask nothing.")
    ] = False,
    executor: Annotated[str, executor_option("Where the model is asked")] = "local",
    output: Annotated[str, format_option("judging")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Let the model of a suite judge hits, within its budget.

    The suite has to opt in, with [judging.model]. Every answer is stored before it counts, and
    nothing is asked twice: run it again to go on where it stopped. Exits with 4 if it stopped
    before the end.

    \b
    cranfield judge model old new --dry-run
    cranfield judge model old new
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "judging")
    start = find_workers(executor)
    project = open_project(config, os.environ)
    opened = project.open_existing_store(store)
    rounds = open_model_rounds(choose_runs(opened, names or ()), project, opened, depth)
    finished = []
    for each in rounds:
        plan = each.plan()
        report_line(describe_plan(each, plan))
        tally = None if dry_run else each.run(plan, os.environ, start=start)
        finished.append((each, plan, tally))
    write_report(written, report_model_round(finished))
    if any(tally is not None and tally.stopped for _, _, tally in finished):
        raise typer.Exit(EXIT_UNANSWERED)


def calibrate(
    names: Runs = None,
    depth: Depth = POOL_DEPTH,
    seed: Order = SEED,
    output: Annotated[str, format_option("judging")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Measure how far the model of a suite agrees with people, and correct its figures by them.

    Name one run, or two to see their difference.

    \b
    cranfield judge calibrate new
    cranfield judge calibrate old new --format json
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "judging")
    project = open_project(config, os.environ)
    opened = project.open_existing_store(store)
    runs = choose_runs(opened, names or ())
    suite = current_suite(runs[-1], project)
    found = measure_agreement(runs, opened, suite=suite, depth=depth, seed=seed)
    write_report(written, report_calibration(found))


def _choose_rater(name: str | None) -> str:
    """Return the name of the rater, or that of the user of this machine."""
    if name and name.strip():
        return name.strip()
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise typer.BadParameter("this machine has no user name; give --rater NAME") from None


class _Opened(NamedTuple):
    """A project, its store, and the runs whose hits are judged."""

    project: Project
    store: Store
    runs: list[Run]


def _open_runs(names: list[str] | None, config: str | None, store: str | None) -> _Opened:
    """Open the store and the runs whose hits are judged, as their suites say now."""
    project = open_project(config, os.environ)
    opened = project.open_existing_store(store)
    found = choose_runs(opened, names or ())
    return _Opened(project, opened, [set_judging(project, run) for run in found])


def _find_pair(opened: _Opened, names: tuple[str, str] | None) -> tuple[Run, Run] | None:
    """Return the two arms that `--decisive` names; each is one run."""
    if names is None:
        return None
    found = []
    for name in names:
        runs = latest_runs(opened.store, name)
        if len(runs) > 1:
            ids = ", ".join(f"{run.header.id} ({run.header.suite.id})" for run in runs)
            raise CranfieldError(f"--decisive: {name} stands for {ids}; name one by its id")
        found.append(set_judging(opened.project, runs[0]))
    return found[0], found[1]


class _PoolGroup(TyperGroup):
    """Takes what is neither a sub-command nor a wish for help for runs and options of `pool`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else [_DEFAULT, *args])


judge = typer.Typer(
    cls=_PoolGroup,
    help="Judge the hits of stored runs: what is in the pool, who judges it, how far it is.\n\n"
    "`cranfield judge RUN …` is short for `cranfield judge pool RUN …`.",
)
judge.command(_DEFAULT)(pool)
judge.command()(progress)
judge.command(no_args_is_help=True)(export)
judge.command("import", no_args_is_help=True)(import_file)
judge.command(no_args_is_help=True)(clicks)
judge.command()(model)
judge.command()(calibrate)
