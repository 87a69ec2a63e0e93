"""`cranfield baseline`: the runs that others are held to, shown, accepted, remembered."""

from __future__ import annotations

import getpass
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import Config, StorePlace
from cranfield.cli.output import write
from cranfield.cli.project import Project, open_project
from cranfield.errors import CranfieldError, InputError

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.gates import Accepted, Baseline
    from cranfield.runs import Run

__all__ = ["accept_run", "baseline"]

baseline = typer.Typer(no_args_is_help=True, help="Show, accept and look back at baselines.")

Name = Annotated[str, typer.Option("--name", metavar="NAME", help="Which baseline.")]


@baseline.command(no_args_is_help=True)
def accept(
    run: Annotated[str, typer.Argument(metavar="RUN", help="An id, its beginning, or a label.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it is good enough to hold to.")],
    name: Name = "main",
    author: Annotated[
        str, typer.Option(metavar="NAME", help="Who accepts it.  [default: git's, or the user]")
    ] = "",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Write a stored run as the baseline of its suite, to be reviewed and committed.

    \b
    cranfield baseline accept latest --reason "the ranking of last week's release"
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.runs import require_runs

    if not reason.strip():
        raise CranfieldError("--reason says why the run is good enough to hold others to")
    project = open_project(config)
    for found in require_runs(project.open_store(store), run):
        path = accept_run(project, found, name, reason, author)
        write(f"{found.header.id} is the baseline {path}; review and commit it\n")


def accept_run(project: Project, run: Run, name: str, reason: str, author: str = "") -> Path:
    """Write a run as a baseline; the one that was there goes into its history."""
    from cranfield.gates import baseline_path, make_baseline, read_baseline, write_baseline
    from cranfield.runs import RunState

    header = run.header
    if header.state is RunState.RUNNING:
        raise CranfieldError(f"run {header.id} is not finished; `cranfield run --resume` ends it")
    project.refuse_partial(run)
    if all(status is None or status.is_failure for status in run.outcomes().statuses):
        raise CranfieldError(f"run {header.id} has no answer; nothing could be held to it")
    path = baseline_path(project.folder, header.suite.id, name)
    accepted = {
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "author": author or _ask_git(project.folder, "config", "user.name") or _user(),
        "reason": reason,
        "commit": _ask_git(project.folder, "rev-parse", "HEAD"),
    }
    before = read_baseline(path) if path.exists() else None
    write_baseline(path, make_baseline(run, name, accepted, before))
    return path


def _ask_git(folder: Path, *arguments: str) -> str:
    """Ask git, if there is one; what it does not know is left empty."""
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
    suite: Annotated[
        str | None, typer.Argument(metavar="[SUITE]", help="The id of a suite; all without.")
    ] = None,
    name: Name = "main",
    config: Config = None,
) -> None:
    """Show what others are held to."""
    for path, found in _find(open_project(config), suite, name):
        accepted = found.accepted
        passed = f"{len(found.queries)} queries by {found.system}, {found.limit} hits each"
        lines = [f"{found.suite}, baseline {found.name}: {passed}", f"  {path}", _tell(accepted)]
        lines += [f"  {measure} {mean:.4f}" for measure, mean in accepted.means.items()]
        write("\n".join(lines) + "\n")


@baseline.command()
def history(
    suite: Annotated[
        str | None, typer.Argument(metavar="[SUITE]", help="The id of a suite; all without.")
    ] = None,
    name: Name = "main",
    config: Config = None,
) -> None:
    """List the baselines that came before, the oldest first, with their means."""
    for _, found in _find(open_project(config), suite, name):
        write(f"{found.suite}, baseline {found.name}\n")
        for each in (*found.history, found.accepted):
            means = ", ".join(f"{measure} {mean:.4f}" for measure, mean in each.means.items())
            write(f"{_tell(each)}\n    {means}\n")


def _tell(accepted: Accepted) -> str:
    commit = f", commit {accepted.commit[:12]}" if accepted.commit else ""
    return (
        f"  {accepted.date} {accepted.run} by {accepted.author or 'nobody known'}{commit}: "
        f"{accepted.reason}"
    )


def _find(project: Project, suite: str | None, name: str) -> list[tuple[Path, Baseline]]:
    """Read the baselines of a name."""
    from cranfield.gates import baseline_path, read_baseline

    pattern = baseline_path(project.folder, suite or "*", name)
    paths = sorted(pattern.parent.glob(pattern.name))
    if not paths:
        raise InputError(
            "there is no such baseline; accept a run with `cranfield baseline accept RUN`",
            file=str(pattern),
        )
    return [(path, read_baseline(path)) for path in paths]
