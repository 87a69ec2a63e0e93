"""`cranfield judge pool`: what is to be judged, and the terminal in which it is."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.judge.options import (
    Depth,
    Error,
    Order,
    Rater,
    Runs,
    choose_rater,
    find_pair,
    open_runs,
)
from cranfield.cli.options import Config, StorePlace, format_option
from cranfield.cli.output import write_report

__all__ = ["pool"]


def pool(
    names: Runs = None,
    depth: Depth = 10,
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
    seed: Order = 1967,
    output: Annotated[str, format_option("judging")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Show which hits of stored runs are to be judged, and how far that is.

    \b
    cranfield judge
    cranfield judge old new --depth 20
    cranfield judge --decisive old new
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import find_format
    from cranfield.judging import RoundOptions, open_round
    from cranfield.reports import report_round

    written = find_format(output, "judging")
    if error is not None and decisive is None:
        raise typer.BadParameter("--error is how sure --decisive has to be; name two runs by it")
    opened = open_runs(names, config, store)
    tolerated = 0.05 if error is None else error
    options = RoundOptions(depth, seed, decisive=find_pair(opened, decisive), error=tolerated)
    judging = open_round(opened.runs, opened.store, options)
    write_report(written, report_round(judging, choose_rater(rater)))
