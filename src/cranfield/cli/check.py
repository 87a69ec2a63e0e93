"""`cranfield check`: is a suite fit to be run?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.output import write

__all__ = ["check"]


def check(
    suites: Annotated[list[str], typer.Argument(metavar="SUITE", help="Suite files or folders.")],
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="PATH", help="The texts that expected passages come from: a file or a folder."
        ),
    ] = None,
    update_ledger: Annotated[
        bool,
        typer.Option(
            "--update-ledger",
            help="Write down the ids that exist now, so that none is reused later.",
        ),
    ] = False,
) -> None:
    """Check suites: patterns, ids, passages, gates. Exits with 2 where anything is wrong.

    \b
    cranfield check canonical.toml
    cranfield check golden-set-en.json --corpus books/
    cranfield check canonical.toml --update-ledger
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.reports import render_checks
    from cranfield.suites import check_suite

    checked = [
        (Path(suite), check_suite(suite, corpus=corpus, accept_ledger=update_ledger))
        for suite in suites
    ]
    write(render_checks(checked))
    if not all(each.passed for _, each in checked):
        raise typer.Exit(2)
