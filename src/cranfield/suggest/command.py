"""`cranfield suggest`: which queries of a log does the golden set lack?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import Config, Out
from cranfield.cli.output import report, write_to
from cranfield.errors import CranfieldError
from cranfield.evaluation.project import open_project
from cranfield.suggest.query_logs import read_column_options
from cranfield.suggest.suggestions import (
    describe_suggestions,
    render_suggestions,
    suggest_queries,
)

__all__ = ["suggest"]


def suggest(
    log: Annotated[
        str,
        typer.Option(
            "--log",
            metavar="FILE",
            help="JSON lines or CSV with query, and count, helpful or clicked, class if known; "
            "similar names of columns are understood.",
        ),
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART=COLUMN",
            help="Where query, count, helpful or class is, if its name does not say so; may be "
            "repeated.",
        ),
    ] = None,
    suite: Annotated[
        list[str] | None,
        typer.Option(
            "--suite",
            "-S",
            metavar="FILE",
            help="A suite whose queries are known; may be repeated.  [default: those of "
            "cranfield.toml]",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="NUMBER", help="Queries to suggest.")
    ] = 30,
    out: Out = None,
    config: Config = None,
) -> None:
    """Suggest queries that people ask and no suite has, for a person to review.

    Frequent queries that rarely helped come first, class by class in turn. Nothing is added to a
    suite, and queries that could identify a person are left out.

    \b
    cranfield suggest --log searches.jsonl --out suggested.toml
    cranfield suggest --log searches.csv --suite canonical.toml --limit 50
    cranfield suggest --log export.csv --column 'query=What they typed' --column count=Sum
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    if out is not None and out != "-" and Path(out).is_file():
        raise CranfieldError(
            f"{out!r} exists already, and somebody may have edited it; name another file"
        )
    project = open_project(config)
    suites = project.load_suites(suite or []) if suite or project.suites else []
    known = [query for each in suites for query in each.queries]
    found = suggest_queries(Path(log), known, limit, read_column_options(column or []))
    write_to(out, render_suggestions(found))
    for line in describe_suggestions(found):
        report(line)
