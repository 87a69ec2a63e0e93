"""`cranfield power`: how small a difference can a suite detect?"""

from __future__ import annotations

import os
from typing import Annotated

import typer

from cranfield.cli.options import Config, Out, StorePlace, SuiteFiles, format_option
from cranfield.cli.output import write_report
from cranfield.comparisons import estimate_power, runs_for_power
from cranfield.errors import StoreError
from cranfield.evaluation.project import open_project
from cranfield.formats import find_format
from cranfield.reports.power_report import report_power

__all__ = ["power"]


def power(
    suites: SuiteFiles = None,
    delta: Annotated[
        float,
        typer.Option(
            min=0.000001, max=1.0, metavar="NUMBER", help="The difference that should be detected."
        ),
    ] = 0.03,
    system: Annotated[
        str | None,
        typer.Option("--system", "-s", metavar="NAME", help="Only the runs of this system."),
    ] = None,
    output: Annotated[str, format_option("power")] = "text",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Estimate from stored runs what a suite can detect, and how many queries it would need.

    \b
    cranfield power
    cranfield power canonical.toml --delta 0.05
    cranfield power canonical.toml --system new --format json
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "power")
    project = open_project(config, os.environ)
    loaded = project.load_suites(suites or [])
    opened = project.open_existing_store(store)
    estimated = [
        estimate_power(suite, runs_for_power(opened, suite, system), delta) for suite in loaded
    ]
    if not any(each.is_known for each in estimated):
        by = f" by {system}" if system else ""
        raise StoreError(
            f"{opened.name} has no complete run{by} of {', '.join(each.id for each in loaded)}; "
            "`cranfield run` makes one, `cranfield runs list` shows what is there"
        )
    write_report(written, report_power(estimated), out)
