"""`cranfield runs delete`: remove stored runs by name, by number or by age."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.completions import complete_run
from cranfield.cli.options import Config, StorePlace
from cranfield.cli.output import report, write_report
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from cranfield.evaluation.project import Project
    from cranfield.runs.deletions import Deletion
    from cranfield.runs.store import Store

__all__ = ["delete"]

_NOT_SHRUNK = "the store is in use, and keeps their room for its next runs"


def delete(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]",
            help="Ids, beginnings of ids, labels, or latest.",
            autocompletion=complete_run,
        ),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="NUMBER",
            help="Delete all but the newest of each suite and system, of whole runs and of runs of "
            "a part.",
        ),
    ] = None,
    older_than: Annotated[
        str | None, typer.Option(metavar="AGE", help="Delete runs older than 12h, 30d or 2w.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Delete without asking, as scripts must.")
    ] = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Delete stored runs, after listing them and asking.

    --keep and --older-than leave out the runs of baselines and unfinished runs; with both, a run
    has to be old and not among the newest. A run that is named is deleted even if it is needed.

    \b
    cranfield runs delete latest
    cranfield runs delete --keep 5
    cranfield runs delete --older-than 30d --yes
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.evaluation.project import open_project
    from cranfield.formats import count_of, find_format
    from cranfield.reports.listing_reports import report_deletion
    from cranfield.runs.deletions import delete_runs

    project = open_project(config, os.environ)
    opened = project.open_existing_store(store)
    plan = _plan(project, opened, names or [], keep, older_than)
    write_report(find_format("text", "deletion"), report_deletion(plan))
    if not plan.deleted:
        return
    count = count_of(len(plan.deleted), "run")
    if not yes and not _confirm(f"delete {count}?"):
        report("nothing was deleted")
        return
    shrunk = delete_runs(opened, plan)
    report(f"deleted {count}" if shrunk else f"deleted {count}; {_NOT_SHRUNK}")


def _plan(
    project: Project, store: Store, names: list[str], keep: int | None, older_than: str | None
) -> Deletion:
    from cranfield.gates.baseline_files import baseline_runs
    from cranfield.runs.deletions import plan_deletion, plan_expiry, read_age

    is_by_rule = keep is not None or older_than is not None
    if bool(names) == is_by_rule:
        raise CranfieldError(
            "give runs to delete, or --keep and --older-than: cranfield runs delete latest, "
            "cranfield runs delete --keep 5"
        )
    baselines = baseline_runs(project.folder)
    if names:
        return plan_deletion(store, names, baselines)
    age = read_age(older_than) if older_than is not None else None
    return plan_expiry(store, baselines, datetime.now(UTC), keep=keep, older_than=age)


def _confirm(question: str) -> bool:
    """Ask on a terminal; elsewhere nobody can answer."""
    if not sys.stdin.isatty():
        raise CranfieldError(
            "nothing was deleted: there is no terminal to ask at; --yes deletes what is listed"
        )
    try:
        return typer.confirm(question)
    except typer.Abort:
        return False
