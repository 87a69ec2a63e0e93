"""`cranfield runs`: list, show, export, import, delete and audit stored runs."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import Config, Out, StorePlace, complete_run, format_option
from cranfield.cli.output import report, write, write_report
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from cranfield.evaluation.project import Project
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store
    from cranfield.runs.transfer import Deletion

__all__ = [
    "delete",
    "runs",
]

runs = typer.Typer(
    no_args_is_help=True, help="List, show, export, import, delete and audit stored runs."
)

RunName = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="An id, its beginning, or a label.", autocompletion=complete_run
    ),
]


def _store(config: str | None, store: str | None) -> Store:
    return _project(config).open_existing_store(store)


def _project(config: str | None) -> Project:
    from cranfield.evaluation.project import open_project

    return open_project(config, os.environ)


def _judged(run: Run, config: str | None) -> Run:
    """Return a run as its suite is judged now."""
    from cranfield.evaluation.sessions import use_judgments

    return use_judgments(_project(config), run.store, [run])[0]


@runs.command("list")
def list_runs(
    output: Annotated[str, format_option("runs")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """List all stored runs, the oldest first."""
    from cranfield.formats import find_format
    from cranfield.reports.listing_reports import report_run_list

    written = find_format(output, "runs")
    write_report(written, report_run_list(_store(config, store).headers()))


@runs.command(no_args_is_help=True)
def show(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN [RUN] [QUERY]",
            help="A run, and the id of a query; or two runs, or systems, and a query.",
            autocompletion=complete_run,
        ),
    ],
    output: Annotated[str, format_option("ranking", "; without a query, as of run.")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Show a run, one query's ranking with what matched and why, or what moved between two runs.

    \b
    cranfield runs show latest
    cranfield runs show 261116-0031 hashable
    cranfield runs show before after hashable
    cranfield runs show latest hashable --format json
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import find_format
    from cranfield.gates.gated_runs import gate_run
    from cranfield.reports.ranking_comparison import report_ranking_change
    from cranfield.reports.run_report import report_runs
    from cranfield.reports.stored_reports import report_ranking
    from cranfield.runs.lookup import find_run, find_run_with

    if len(names) > 3:
        raise typer.BadParameter("show takes a run, a run and a query, or two runs and a query")
    written = find_format(output, ("run", "ranking", "ranking change")[len(names) - 1])
    opened = _store(config, store)
    if len(names) == 1:
        run = _judged(find_run(opened, names[0]), config)
        shown = report_runs([gate_run(run)], per_query=True)
    elif len(names) == 2:
        shown = report_ranking(_judged(find_run_with(opened, *names), config), names[1])
    else:
        first, second = (
            _judged(find_run_with(opened, name, names[2]), config) for name in names[:2]
        )
        shown = report_ranking_change(first, second, names[2])
    write_report(written, shown)


@runs.command(no_args_is_help=True)
def export(
    run: RunName,
    output: Annotated[
        str, format_option("run", "; recorded can be run again, trec scored.")
    ] = "json",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Write a run as a report, as recorded responses to run again, or as a TREC run to score.

    \b
    cranfield runs export latest --format trec --out latest.run
    cranfield runs export latest --format recorded --out responses.jsonl
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import find_format
    from cranfield.gates.gated_runs import gate_run
    from cranfield.reports.run_report import report_runs
    from cranfield.runs.lookup import find_run

    written = find_format(output, "run")
    found = gate_run(_judged(find_run(_store(config, store), run), config))
    if missing := found.outcomes.missing:
        report(f"warning: the run is not finished; {missing} answers are not in what is written")
    write_report(written, report_runs([found], per_query=True), out)


@runs.command("import", no_args_is_help=True)
def import_stores(
    files: Annotated[list[str], typer.Argument(metavar="STORE", help="Stores of other machines.")],
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Copy the runs of other stores into this one, such as those that CI jobs kept.

    \b
    cranfield runs import artifacts/*/cranfield.db
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.evaluation.project import open_project
    from cranfield.formats import count_of
    from cranfield.runs.transfer import import_runs, open_copy

    opened = open_project(config, os.environ).open_store(store)
    for file in files:
        with open_copy(file) as other:
            done = import_runs(opened, other)
        lost = f", {len(done.damaged)} damaged" if done.damaged else ""
        write(
            f"{file}: {count_of(len(done.copied), 'run')} imported, {len(done.left)} known or "
            f"unfinished left out{lost}\n"
        )
        for run, reason in done.damaged.items():
            write(f"  {run}: {reason}\n")


@runs.command()
def audit(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN]", help="Ids or labels.  [default: all]")
    ] = None,
    output: Annotated[str, format_option("audit")] = "text",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Compute every stored figure again from the stored responses; exit with 1 if any differs."""
    from cranfield.formats import find_format
    from cranfield.reports.stored_reports import report_audit
    from cranfield.runs.regrading import audit_store

    written = find_format(output, "audit")
    opened = _store(config, store)
    audited = audit_store(opened, names or ())
    write_report(written, report_audit(audited, opened.name))
    if not audited.passed:
        raise typer.Exit(1)


_NOT_SHRUNK = "the store is in use, and keeps their room for its next runs"


@runs.command(no_args_is_help=True)
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
    from cranfield.runs.transfer import delete_runs

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
    from cranfield.runs.transfer import plan_deletion, plan_expiry, read_age

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
