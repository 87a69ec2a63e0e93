"""`cranfield report`: a page of what is stored."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import (
    Config,
    OptionalSeed,
    Out,
    StorePlace,
    complete_run,
    format_option,
    refuse_comparison_options,
)
from cranfield.cli.output import StepLines, write, write_report
from cranfield.comparisons import CompareOptions, Comparison, Leaderboard
from cranfield.defaults import MARGIN
from cranfield.errors import CranfieldError
from cranfield.evaluation.comparison_evaluation import evaluate_stored
from cranfield.evaluation.project import open_project
from cranfield.formats import find_format
from cranfield.gates.gated_runs import gate_run
from cranfield.reports.additions import find_supplements
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.reports.run_report import report_runs

if TYPE_CHECKING:
    from cranfield.evaluation.comparison_evaluation import StoredArms
    from cranfield.evaluation.project import Project
    from cranfield.formats import Report

__all__ = ["report"]

_FILE = "report.html"


def report(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN] …",
            help="A run to show, or two and more to compare with the first: ids, labels, or "
            "systems, which stand for their latest run of each suite.  [default: latest]",
            autocompletion=complete_run,
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Show the file in a browser when it is written.")
    ] = False,
    site: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Write a page for every run, suite and comparison of the store, and one that "
            "lists them.",
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            min=0.000001,
            metavar="NUMBER",
            help=f"Differences within this margin are equivalent.  [default: {MARGIN}]",
        ),
    ] = None,
    seed: OptionalSeed = None,
    output: Annotated[str, format_option("comparison", "; of one run as of run.")] = "html",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Write what is stored as one HTML file that can be mailed: verdict, charts, every query.

    Nothing is run. Without --out, HTML goes to report.html, other formats to standard output.

    \b
    cranfield report
    cranfield report old new --open
    cranfield report before-change after-change --out verdict.html
    cranfield report --site pages
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    if site is not None:
        _refuse_beside_site(names=names, output=output, out=out)
        options = _options(margin, seed)
        _write_site(Path(site), open_project(config, os.environ), store, options)
        if open_page:
            _show(Path(site) / "index.html")
        return
    asked = names or ["latest"]
    kind = ("run", "comparison", "leaderboard")[min(len(asked), 3) - 1]
    written = find_format(output, kind)
    refuse_comparison_options(written, len(asked), margin=margin, seed=seed)
    file = out or (_FILE if written.name == "html" else None)
    if open_page and (written.name != "html" or file == "-"):
        raise typer.BadParameter("--open shows a file; take --format html and a file")
    project = open_project(config, os.environ)
    opened = project.open_existing_store(store)
    evaluated = evaluate_stored(project, opened, asked, _options(margin, seed))
    write_report(written, _report(evaluated, project), file)
    if file and file != "-":
        write(f"{file}\n")
    if open_page and file:
        _show(Path(file))


def _refuse_beside_site(**given: object) -> None:
    """Refuse what a site has no use for: it shows everything, in its own way."""
    usual = {"names": None, "output": "html", "out": None}
    named = {"names": "run", "output": "--format", "out": "--out"}
    for name, value in given.items():
        if value != usual[name]:
            raise typer.BadParameter(f"--site shows the whole store and takes no {named[name]}")


def _write_site(folder: Path, project: Project, store: str | None, options: CompareOptions) -> None:
    from cranfield.reports.additions import SITES

    opened = project.open_existing_store(store)
    write_site = SITES.get("html").write
    count = write_site(opened, folder, options, project, StepLines("pages").advance)
    write(f"{folder / 'index.html'}: {count} pages\n")


def _options(margin: float | None, seed: int | None) -> CompareOptions:
    usual = CompareOptions()
    return CompareOptions(
        usual.margin if margin is None else margin, usual.seed if seed is None else seed
    )


def _report(evaluated: StoredArms, project: Project) -> Report:
    """Report one arm, two or more, with what slices add to the figures of one and two."""
    result, store = evaluated.result, evaluated.store
    if isinstance(result, Comparison):
        supplements = find_supplements(result.paired, project, store)
        return report_comparison(result, supplements=supplements)
    if isinstance(result, Leaderboard):
        return report_leaderboard(result)
    [runs] = evaluated.arms
    supplements = find_supplements([[run] for run in runs], project, store)
    gated = [gate_run(run) for run in runs]
    return report_runs(gated, per_query=True, supplements=supplements)


def _show(file: Path) -> None:
    if not webbrowser.open(file.resolve().as_uri()):
        raise CranfieldError(f"--open: no browser could be started; open {file} yourself")
