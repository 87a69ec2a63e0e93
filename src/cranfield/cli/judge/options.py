"""Options that several sub-commands of `cranfield judge` share."""

from __future__ import annotations

import getpass
import os
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

from cranfield.cli.completions import complete_run

if TYPE_CHECKING:
    from cranfield.evaluation import Project
    from cranfield.runs import Run, Store

__all__ = [
    "Depth",
    "Error",
    "Opened",
    "Order",
    "Rater",
    "Runs",
    "choose_rater",
    "find_pair",
    "open_runs",
]

Runs: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RUN]",
        help="Runs whose hits are judged: ids, labels, or systems, which stand for their latest "
        "run.  [default: the latest run of every system]",
        autocompletion=complete_run,
    ),
]
Depth: TypeAlias = Annotated[
    int, typer.Option(min=1, max=100_000, metavar="NUMBER", help="Hits of each run to judge.")
]
Rater: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who judges.  [default: the user of this machine]"),
]
Order: TypeAlias = Annotated[
    int, typer.Option("--seed", min=0, metavar="NUMBER", help="Seed of the order of hits.")
]
Error: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        max=0.2,
        metavar="SHARE",
        help="How often --decisive may stop at a verdict that all judgments would not give; with "
        "0 it stops only when no judgment can change the verdict.  [default: 0.05]",
    ),
]


def choose_rater(name: str | None) -> str:
    """Return the name of the rater, or that of the user of this machine."""
    if name and name.strip():
        return name.strip()
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise typer.BadParameter("this machine has no user name; give --rater NAME") from None


class Opened(NamedTuple):
    """A project, its store, and the runs whose hits are judged."""

    project: Project
    store: Store
    runs: list[Run]


def open_runs(names: list[str] | None, config: str | None, store: str | None) -> Opened:
    """Open the store and the runs whose hits are judged, as their suites say now."""
    from cranfield.evaluation import open_project, set_judging
    from cranfield.judging import choose_runs

    project = open_project(config, os.environ)
    opened = project.open_existing_store(store)
    found = choose_runs(opened, names or ())
    return Opened(project, opened, [set_judging(project, run) for run in found])


def find_pair(opened: Opened, names: tuple[str, str] | None) -> tuple[Run, Run] | None:
    """Return the two arms that `--decisive` names; each is one run."""
    from cranfield.errors import CranfieldError
    from cranfield.evaluation import set_judging
    from cranfield.runs import latest_runs

    if names is None:
        return None
    found = []
    for name in names:
        runs = latest_runs(opened.store, name)
        if len(runs) > 1:
            ids = ", ".join(f"{run.header.id} ({run.header.suite.id})" for run in runs)
            raise CranfieldError(f"--decisive: {name} stands for {ids}; name one by its id")
        found.append(set_judging(opened.project, runs[0]))
    return found[0], found[1]
