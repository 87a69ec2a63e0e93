"""`cranfield sweep`: which settings are best, said by queries that did not choose them."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Annotated

import typer

from cranfield.cli.options import (
    Config,
    ExecutorName,
    Out,
    Quiet,
    Reports,
    StorePlace,
    format_option,
)
from cranfield.cli.output import (
    EXIT_FAILED,
    StepLines,
    open_session,
    read_report,
    report,
    typed_command,
    write_reports,
    write_with_summary,
)
from cranfield.formats import find_format
from cranfield.runs.execution import Silent
from cranfield.sweeps.report import report_sweep
from cranfield.sweeps.settings import apply_winner
from cranfield.sweeps.sweep import Sweep, SweepOptions, run_sweep
from cranfield.sweeps.sweep_plan import open_sweep
from cranfield_shared.signals import Stopped

__all__ = ["sweep"]

_STORE = "sweeps.db"


def sweep(
    file: Annotated[str, typer.Argument(metavar="SWEEP", help="The file of the sweep.")],
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=1, max=256, metavar="NUMBER", help="Trials at a time."),
    ] = 1,
    executor: ExecutorName = "local",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask for everything again, whatever is stored.")
    ] = False,
    apply: Annotated[
        bool,
        typer.Option(
            "--apply",
            help="Write the winner's values into cranfield.toml, if held-out queries show it "
            "better in a suite and worse in none; otherwise exit with 1.",
        ),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --apply: write them whatever is shown.")
    ] = False,
    reports: Reports = None,
    quiet: Quiet = False,
    output: Annotated[str, format_option("sweep")] = "text",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Try settings of a system, and check the best on queries that did not choose it.

    Repeated, it goes on where it was stopped: every answer is stored, by default in
    .cranfield/sweeps.db.

    \b
    cranfield sweep fusion.toml
    cranfield sweep fusion.toml --jobs 4 --report html=fusion.html
    cranfield sweep fusion.toml --apply
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    if force and not apply:
        raise typer.BadParameter("--force goes with --apply")
    written = find_format(output, "sweep")
    additional = [read_report(text, "sweep") for text in reports or ()]
    plan = open_sweep(file, config, os.environ)
    kept = plan.bases[0].project.open_store(store, usual=_STORE)
    opened = open_session(kept, lambda _: "", quiet=quiet, executor=executor)
    session = replace(opened, progress=lambda _: Silent(), stopped=_leave_out)
    options = SweepOptions(jobs, fresh, *([] if quiet else [_TrialLines()]))
    try:
        found = run_sweep(plan, session, options)
    except (KeyboardInterrupt, Stopped):
        report(f"\nstopped; all answers so far are stored. Continue with:\n  {typed_command()}")
        raise
    made = report_sweep(found)
    write_reports(made, additional)
    write_with_summary(written, made, out)
    if apply:
        _apply(found, force=force)


def _leave_out(_: str) -> None:
    """Leave out the note of a run that was stopped: a sweep has its own."""


def _apply(found: Sweep, *, force: bool) -> None:
    if not found.is_shown_better and not force:
        report("not applied: held-out queries do not show the winner better; --force writes it")
        raise typer.Exit(EXIT_FAILED)
    for file in apply_winner(found):
        report(f"written: {file}")


class _TrialLines:
    """Shows trials as they are scored, and the time that is left."""

    def __init__(self) -> None:
        self._lines = StepLines("trials")

    def advance(self, done: int, total: int, text: str, seconds_left: float) -> None:
        """Show one more trial."""
        left = f", {_show_duration(seconds_left)} left" if done < total else ""
        self._lines.advance(done, total, f"{text}{left}")


def _show_duration(seconds: float) -> str:
    """Write how long something takes, to the unit that matters."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
