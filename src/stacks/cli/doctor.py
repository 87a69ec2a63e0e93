"""`stacks doctor`: is this index all right, and what happened when it was saved?"""

from __future__ import annotations

from typing import Annotated

import typer

from stacks.cli.options import DbOption, default_folder
from stacks.cli.output import write
from stacks.query import examine

__all__ = ["doctor"]

MOST_EVENTS = 20


def doctor(
    db: DbOption = None,
    show_all: Annotated[
        bool, typer.Option("--all", help=f"Show every event of the last save, not {MOST_EVENTS}.")
    ] = False,
) -> None:
    """Check an index's files, and show what its last save turned away.

    Exits with 1 where something is wrong.
    """
    findings = examine(db or default_folder(), None if show_all else MOST_EVENTS)
    for finding in findings:
        write(f"{'ok   ' if finding.is_fine else 'WRONG'} {finding.message}")
    if not all(finding.is_fine for finding in findings):
        raise typer.Exit(1)
