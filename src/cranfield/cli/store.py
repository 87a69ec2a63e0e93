"""`cranfield store copy`: everything that is stored, moved to a file or a database."""

from __future__ import annotations

import os
from contextlib import closing
from typing import Annotated

import typer

from cranfield.cli.output import EXIT_FAILED, write

__all__ = ["store"]

store = typer.Typer(no_args_is_help=True, help="Copy a store to another place.")

_WORDS = {"judged_queries": "judged queries", "judged_contents": "judged texts"}


@store.callback()
def _group() -> None:
    """Copy a store to another place."""


@store.command(no_args_is_help=True)
def copy(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A file, a database URL, or '${NAME}'.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="Likewise; it is created if it does not exist.")
    ],
) -> None:
    """Copy all runs and judgments of a store into another: a file or a PostgreSQL database.

    What the other has already is left as it is, so a copy can be repeated. '${NAME}' is the
    value of an environment variable: a password belongs there. Exits with 1 if both stores have a
    run of one id, and these differ.

    \b
    cranfield store copy .cranfield/cranfield.db '${CRANFIELD_STORE}'
    cranfield store copy '${CRANFIELD_STORE}' backup.db
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.runs.store import open_store
    from cranfield.runs.store_places import fill_place
    from cranfield.runs.transfer import copy_store, open_copy

    places = [fill_place(each, os.environ) for each in (source, target)]
    with open_copy(places[0]) as read, closing(open_store(places[1])) as written:
        done = copy_store(read, written)
        counts = [
            f"{count:,} {_WORDS.get(name, name.replace('_', ' '))}"
            for name, count in done.added.items()
            if count
        ]
        write(f"{read.name} to {written.name}: {', '.join(counts) or 'nothing new'}\n")
    for run in done.contradicting:
        write(f"  {run}: both have it, and it differs; left as it is\n")
    if done.contradicting:
        raise typer.Exit(EXIT_FAILED)
