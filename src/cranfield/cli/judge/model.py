"""`cranfield judge model`: a model judges what the rules of a suite leave open."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from cranfield.cli.exit_codes import EXIT_UNANSWERED
from cranfield.cli.judge.options import Depth, Runs
from cranfield.cli.options import Config, StorePlace, executor_option, format_option
from cranfield.cli.output import report as report_line
from cranfield.cli.output import write_report
from cranfield.defaults import POOL_DEPTH

__all__ = ["model"]


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
    from cranfield.evaluation import open_project
    from cranfield.executors import find_workers
    from cranfield.formats import find_format
    from cranfield.judging import choose_runs
    from cranfield.judging.models import open_model_rounds
    from cranfield.judging.models.model_report import describe_plan, report_model_round

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
