"""`cranfield baseline`: the runs that others are held to, shown, accepted, remembered."""

from __future__ import annotations

import getpass
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.holding import refuse_unfit
from cranfield.cli.options import Config, StorePlace
from cranfield.cli.output import write
from cranfield.cli.project import Project, open_project
from cranfield.errors import CranfieldError, InputError
from cranfield.formats import show_milliseconds

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.gates import Accepted, Baseline
    from cranfield.runs import Run

__all__ = ["Acceptance", "accept_run", "baseline"]

_MOST = 20
"""Queries that are named; the others are counted."""

baseline = typer.Typer(no_args_is_help=True, help="Show, accept and look back at baselines.")

SuiteId = Annotated[
    str | None, typer.Argument(metavar="[SUITE]", help="The id of a suite; all without.")
]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="Which baseline.")]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Under which name a run is accepted, why and by whom; queries that are `kept` stay as is."""

    name: str
    reason: str
    author: str = ""
    kept: tuple[str, ...] = ()


@baseline.command(no_args_is_help=True)
def accept(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="An id, its beginning, or a label; latest is the last command's."
        ),
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it is good enough to hold to.")],
    name: Name = "main",
    author: Annotated[
        str, typer.Option(metavar="NAME", help="Who accepts it.  [default: git's, or the user]")
    ] = "",
    force: Annotated[
        bool,
        typer.Option("--force", help="Accept it although it fails its gate or lacks answers."),
    ] = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Write a stored run as the baseline of its suite, to be reviewed and committed.

    Says what is accepted with it: queries that regressed against the baseline before, thresholds
    that are missed, queries without an answer.

    \b
    cranfield baseline accept latest --reason "the ranking of last week's release"
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.runs import require_batch

    if not reason.strip():
        raise CranfieldError("--reason says why the run is good enough to hold others to")
    project = open_project(config)
    found = require_batch(project.open_store(store), run)
    _refuse_several(found, run)
    for each in found:
        _refuse_unusable(project, each)
    lines = [line for each in found for line in _review(project, each, name)]
    write("".join(f"{line}\n" for line in lines))
    if lines and not force:
        raise CranfieldError(
            "nothing was accepted, for the reasons above; --force accepts it all the same"
        )
    for each in found:
        path = accept_run(project, each, Acceptance(name, reason, author))
        write(f"{each.header.id} is the baseline {path}; review and commit it\n")


def _refuse_several(runs: list[Run], name: str) -> None:
    """Refuse several runs of one suite: only one can be its baseline."""
    ids = [run.header.suite.id for run in runs]
    if twice := [run for run in runs if ids.count(run.header.suite.id) > 1]:
        named = ", ".join(f"{run.header.id} ({run.header.name})" for run in twice)
        raise CranfieldError(f"{name} stands for several runs of one suite: {named}; name one")


def _refuse_unusable(project: Project, run: Run) -> None:
    """Refuse what can be no baseline, whoever forces it."""
    refuse_unfit(project, run)
    if run.outcomes().is_unanswered:
        raise CranfieldError(f"run {run.header.id} has no answer; nothing could be held to it")


def _review(project: Project, run: Run, name: str) -> list[str]:
    """Say what speaks against a run: what fails, what regressed, what was not answered."""
    from cranfield.gates import ChangeKind, GatedRun, Severity

    header = run.header
    gated = GatedRun(run, _read_before(project, run, name))
    # What cannot be compared any more is just what a new baseline is for.
    failing = [
        each.message
        for each in gated.results
        if each.severity is Severity.FAIL and each.rule != "compared"
    ]
    fallen = gated.regressions.of_kind(ChangeKind.REGRESSED) if gated.regressions else ()
    unanswered = [
        query.id
        for place, query in enumerate(gated.outcomes.queries)
        if gated.outcomes.failed[:, place].any()
    ]
    lines = [f"{header.id}, {header.suite.id}: {message}" for message in failing]
    named = {
        "regressed against the baseline before": [change.query.id for change in fallen],
        "not answered, or not every time": unanswered,
    }
    lines += [
        f"{header.id}, {header.suite.id}: {what}: {len(queries)} ({', '.join(queries[:_MOST])}"
        f"{', …' if len(queries) > _MOST else ''})"
        for what, queries in named.items()
        if queries
    ]
    return lines


def _read_before(project: Project, run: Run, name: str) -> Baseline | None:
    """Read the baseline that a run would take the place of; one of another suite is refused."""
    from cranfield.gates import baseline_path, read_baseline

    path = baseline_path(project.folder, run.header.suite.id, name)
    if not path.exists():
        return None
    before = read_baseline(path)
    if before.suite != run.header.suite.id:
        raise InputError(
            f"is a baseline of the suite {before.suite!r}, and would be overwritten by one of "
            f"{run.header.suite.id!r}; rename the suite or the file",
            file=str(path),
        )
    return before


def accept_run(project: Project, run: Run, acceptance: Acceptance) -> Path:
    """Write a run as a baseline; the one that was there goes into its history."""
    from cranfield.gates import baseline_path, make_baseline, write_baseline

    header = run.header
    _refuse_unusable(project, run)
    path = baseline_path(project.folder, header.suite.id, acceptance.name)
    accepted = {
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "author": acceptance.author or _ask_git(project.folder, "config", "user.name") or _user(),
        "reason": acceptance.reason,
        "commit": _ask_git(project.folder, "rev-parse", "HEAD"),
    }
    before = _read_before(project, run, acceptance.name)
    made = make_baseline(run, acceptance.name, accepted, before, acceptance.kept)
    write_baseline(path, made)
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
    suite: SuiteId = None,
    name: Name = "main",
    config: Config = None,
) -> None:
    """Show what others are held to."""
    for path, found in _find(open_project(config), suite, name):
        accepted = found.accepted
        passed = f"{len(found.queries)} queries by {found.system}, {found.limit} hits each"
        lines = [f"{found.suite}, baseline {found.name}: {passed}", f"  {path}", _tell(accepted)]
        lines += [f"  {measure} {mean:.4f}" for measure, mean in accepted.means.items()]
        lines += [f"  {told}" for told in _tell_latency(accepted)]
        write("\n".join(lines) + "\n")


@baseline.command()
def history(
    suite: SuiteId = None,
    name: Name = "main",
    config: Config = None,
) -> None:
    """List the baselines that came before, the oldest first, with their means."""
    for _, found in _find(open_project(config), suite, name):
        write(f"{found.suite}, baseline {found.name}\n")
        for each in (*found.history, found.accepted):
            means = [f"{measure} {mean:.4f}" for measure, mean in each.means.items()]
            write(f"{_tell(each)}\n    {', '.join(means + _tell_latency(each))}\n")


def _tell_latency(accepted: Accepted) -> list[str]:
    times = accepted.latency.items()
    return [f"{name} {show_milliseconds(seconds)}" for name, seconds in times]


def _tell(accepted: Accepted) -> str:
    commit = f", commit {accepted.commit[:12]}" if accepted.commit else ""
    return (
        f"  {accepted.date} {accepted.run} by {accepted.author or 'nobody known'}{commit}: "
        f"{accepted.reason}"
    )


def _find(project: Project, suite: str | None, name: str) -> list[tuple[Path, Baseline]]:
    """Read the baselines of a name."""
    from cranfield.gates import baseline_path, find_baselines, read_baseline

    found = find_baselines(project.folder, name)
    paths = [path for of, path in found.items() if suite in (None, of)]
    if not paths:
        place = baseline_path(project.folder, suite, name).name if suite else f"*.{name}.json"
        raise InputError(
            "there is no such baseline; accept a run with `cranfield baseline accept RUN`",
            file=str(project.folder / "baselines" / place),
        )
    return [(path, read_baseline(path)) for path in paths]
