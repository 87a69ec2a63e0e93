"""`cranfield baseline`: accept runs as baselines, and show them."""

from __future__ import annotations

import getpass
import os
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import Config, StorePlace, format_option
from cranfield.cli.output import write, write_report
from cranfield.errors import CranfieldError
from cranfield.evaluation.acceptance import Acceptance, accept_baseline, review_acceptance
from cranfield.evaluation.project import open_project
from cranfield.evaluation.sessions import use_judgments
from cranfield.formats import find_format
from cranfield.gates.baseline_files import read_baselines
from cranfield.reports.listing_reports import report_baseline_history, report_baselines
from cranfield.runs.lookup import require_batch

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.evaluation.project import Project
    from cranfield.formats import Format
    from cranfield.gates.baselines import Baseline

__all__ = ["baseline", "make_acceptance"]

baseline = typer.Typer(no_args_is_help=True, help="Accept, show and list baselines.")

SuiteId = Annotated[
    str | None, typer.Argument(metavar="[SUITE]", help="The id of a suite.  [default: all]")
]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="The name of the baseline.")]
Output = Annotated[str, format_option("baselines")]


@baseline.command(no_args_is_help=True)
def accept(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="An id, its beginning, or a label; latest is all runs of the last command.",
        ),
    ],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why it is good enough to be the baseline.")
    ],
    name: Name = "main",
    author: Annotated[
        str, typer.Option(metavar="NAME", help="Who accepts it.  [default: git's, or the user]")
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Accept it even if it fails its gate or lacks answers.")
    ] = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Write a stored run as the baseline of its suite, to be reviewed and committed.

    Prints what speaks against it: failed rules and thresholds, queries that got worse since
    the baseline before, queries without an answer.

    \b
    cranfield baseline accept latest --reason "the ranking of last week's release"
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    project = open_project(config, os.environ)
    acceptance = make_acceptance(project, reason, author, name)
    opened = project.open_existing_store(store)
    found = use_judgments(project, opened, require_batch(opened, run))
    lines = review_acceptance(found, project, name)
    write("".join(f"{line}\n" for line in lines))
    if lines and not force:
        raise CranfieldError("nothing was accepted, for the reasons above; --force accepts it")
    for each in found:
        path = accept_baseline(each, project, acceptance)
        write(f"{each.header.id} is the baseline {path}; review and commit it\n")


def make_acceptance(
    project: Project, reason: str, author: str = "", name: str = "main"
) -> Acceptance:
    """Accept now, at the current commit, by the author or the user of git or of this machine."""
    return Acceptance(
        reason,
        date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        author=author or _ask_git(project.folder, "config", "user.name") or _user(),
        commit=_ask_git(project.folder, "rev-parse", "HEAD"),
        name=name,
    )


def _ask_git(folder: Path, *arguments: str) -> str:
    """Ask git, if it is there; empty if it does not know."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


@baseline.command()
def show(
    suite: SuiteId = None, name: Name = "main", output: Output = "text", config: Config = None
) -> None:
    """Show baselines, with their means."""
    written, found = _find(suite, name, output, config)
    write_report(written, report_baselines(found))


@baseline.command()
def history(
    suite: SuiteId = None, name: Name = "main", output: Output = "text", config: Config = None
) -> None:
    """List the baselines so far, the oldest first, with their means."""
    written, found = _find(suite, name, output, config)
    write_report(written, report_baseline_history(found))


def _find(
    suite: str | None, name: str, output: str, config: str | None
) -> tuple[Format, dict[Path, Baseline]]:
    """Return the format and the baselines that were asked for."""
    written = find_format(output, "baselines")
    return written, read_baselines(open_project(config).folder, name, suite)
