"""`stacks doctor`: is this index all right, and what happened when it was saved?"""

from __future__ import annotations

import typer

from stacks.cli.options import DbOption, default_folder
from stacks.cli.output import write
from stacks.query import examine

__all__ = ["doctor"]


def doctor(db: DbOption = None) -> None:
    """Check an index's files, and show what its last save turned away.

    Exits with 1 where something is wrong.
    """
    findings = examine(db or default_folder())
    for finding in findings:
        write(f"{'ok   ' if finding.is_fine else 'WRONG'} {finding.message}")
    if not all(finding.is_fine for finding in findings):
        raise typer.Exit(1)
