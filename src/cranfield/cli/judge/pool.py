"""`cranfield judge pool`: what is to be judged, and the terminal in which it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.judge.options import (
    Depth,
    Error,
    Opened,
    Order,
    Rater,
    Runs,
    choose_rater,
    find_pair,
    open_runs,
)
from cranfield.cli.options import Config, StorePlace, format_option
from cranfield.cli.output import write, write_report
from cranfield.defaults import POOL_DEPTH, SEED
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from cranfield.judging import RoundOptions

__all__ = ["pool"]


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
    from cranfield.formats import find_format
    from cranfield.judging import QueueFilter, RoundOptions, open_round
    from cranfield.reports import report_round

    written = find_format(output, "judging")
    if error is not None and decisive is None:
        raise typer.BadParameter("--error goes with --decisive A B")
    opened = open_runs(names, config, store)
    tolerated = 0.05 if error is None else error
    options = RoundOptions(
        depth,
        seed,
        QueueFilter(query, document, since, until),
        find_pair(opened, decisive),
        error=tolerated,
        adjudicates=disputed,
    )
    if terminal:
        _run_terminal(opened, choose_rater(rater), options, output)
        return
    judging = open_round(opened.runs, opened.store, options)
    write_report(written, report_round(judging, choose_rater(rater)))


def _run_terminal(opened: Opened, rater: str, options: RoundOptions, output: str) -> None:
    """Judge in this terminal, until everything is judged or the rater leaves."""
    if output != "text":
        raise typer.BadParameter("--terminal shows hits, and writes no report; leave out --format")
    try:
        from cranfield.judging.terminal import JudgingApp
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
