"""`cranfield judge calibrate`: how far a model agrees with people, corrected figures."""

from __future__ import annotations

import os
from typing import Annotated

from cranfield.cli.judge.options import Depth, Order, Runs
from cranfield.cli.options import Config, StorePlace, format_option
from cranfield.cli.output import write_report
from cranfield.defaults import POOL_DEPTH, SEED

__all__ = ["calibrate"]


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
    from cranfield.evaluation import open_project
    from cranfield.formats import find_format
    from cranfield.judging import choose_runs
    from cranfield.judging.models import calibrate as measure
    from cranfield.judging.models import current_suite
    from cranfield.judging.models.model_report import report_calibration

    written = find_format(output, "judging")
    project = open_project(config, os.environ)
    opened = project.open_existing_store(store)
    runs = choose_runs(opened, names or ())
    suite = current_suite(runs[-1], project)
    found = measure(runs, opened, suite=suite, depth=depth, seed=seed)
    write_report(written, report_calibration(found))
