"""`cranfield runs`: list, show, export, import, delete and audit stored runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import Config, Out, StorePlace, format_option
from cranfield.cli.output import write, write_to

if TYPE_CHECKING:
    from cranfield.runs import Store

__all__ = ["runs"]

runs = typer.Typer(
    no_args_is_help=True, help="List, show, export, import, delete and audit stored runs."
)

RunName = Annotated[str, typer.Argument(metavar="RUN", help="An id, its beginning, or a label.")]


def _store(config: str | None, store: str | None) -> Store:
    from cranfield.projects import open_project

    return open_project(config).open_existing_store(store)


@runs.command("list")
def list_runs(config: Config = None, store: StorePlace = None) -> None:
    """List all stored runs, the oldest first."""
    from cranfield.formats import render
    from cranfield.reports import report_run_list

    write(render(report_run_list(_store(config, store).headers())))


@runs.command(no_args_is_help=True)
def show(
    run: RunName,
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="The id of a query.  [default: all]")
    ] = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Show a run, or one query's ranking with what matched and why.

    \b
    cranfield runs show latest
    cranfield runs show 261116-0031 hashable
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import render
    from cranfield.gates import gate_run
    from cranfield.reports import report_ranking, report_runs
    from cranfield.runs import find_run

    found = find_run(_store(config, store), run)
    if query is None:
        write(render(report_runs([gate_run(found)], per_query=True)))
    else:
        write(render(report_ranking(found, query)))


@runs.command(no_args_is_help=True)
def export(
    run: RunName,
    output: Annotated[str, format_option("run", "; recorded can be run again.")] = "json",
    out: Out = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Write a run as a report, or as recorded responses that can be run again.

    \b
    cranfield runs export latest --format recorded --out responses.jsonl
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import find_format
    from cranfield.gates import gate_run
    from cranfield.reports import report_runs
    from cranfield.runs import find_run

    written = find_format(output, "run")
    found = find_run(_store(config, store), run)
    write_to(out, written.render(report_runs([gate_run(found)], per_query=True)))


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
    from cranfield.projects import open_project
    from cranfield.runs import import_runs, open_copy

    opened = open_project(config).open_store(store)
    for file in files:
        with open_copy(file) as other:
            copied, left = import_runs(opened, other)
        write(f"{file}: {len(copied)} runs imported, {len(left)} known or unfinished left out\n")


@runs.command(no_args_is_help=True)
def delete(
    names: Annotated[list[str], typer.Argument(metavar="RUN", help="Ids, not labels.")],
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Delete stored runs, by their whole ids."""
    opened = _store(config, store)
    found = [opened.header(name) for name in names]
    for header in found:
        opened.delete(header.id)
        typer.echo(f"deleted {header.id}: {header.suite.id} by {header.name}", err=True)


@runs.command()
def audit(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN]", help="Ids or labels.  [default: all]")
    ] = None,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Compute every stored figure again from the stored responses; exit with 1 if any differs."""
    from cranfield.formats import render
    from cranfield.reports import report_audit
    from cranfield.runs import Run, audit_run, require_runs

    opened = _store(config, store)
    found = (
        [run for name in names for run in require_runs(opened, name)]
        if names
        else [Run(header, opened) for header in opened.headers()]
    )
    findings = [finding for run in found for finding in audit_run(run)]
    write(render(report_audit(len(found), findings)))
    if findings:
        raise typer.Exit(1)
