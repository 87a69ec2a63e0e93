"""`cranfield judge progress`: how far a pool is judged."""

from __future__ import annotations

from typing import Annotated

from cranfield.cli.judge.options import Depth, Rater, Runs, choose_rater, open_runs
from cranfield.cli.options import Config, Seed, StorePlace, format_option
from cranfield.cli.output import write_report
from cranfield.defaults import POOL_DEPTH, SEED

__all__ = ["progress"]


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
    from cranfield.formats import find_format
    from cranfield.judging import RoundOptions, open_round
    from cranfield.reports import report_progress

    written = find_format(output, "judging")
    opened = open_runs(names, config, store)
    judging = open_round(opened.runs, opened.store, RoundOptions(depth))
    write_report(written, report_progress(judging, choose_rater(rater), seed))
