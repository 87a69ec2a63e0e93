"""`stacks export`: an index for a search server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stacks.cli.index_options import DbOption, default_folder
from stacks.cli.standard_output import write

__all__ = ["export"]


def export(
    to: Annotated[
        str, typer.Option("--to", metavar="ENGINE", help="opensearch, postgres or typesense.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to make.")],
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="The name of the index, the table or the collection."),
    ] = "docs",
    db: DbOption = None,
) -> None:
    """Write an index for a search server: documents, a mapping, and a query.

    The folder has bulk files of all documents with what was derived of them (symbols, parts of
    names, vectors), the schema, a query that carries the weights of the columns, and a
    cranfield.toml with the system that sends it.

    Example: stacks export --to postgres --out exported --db index
    """
    from stacks.export import export_index

    made = export_index(db or default_folder(), to, out, name)
    vectors = f"{made.vectors:,} vectors by {made.plan.embedder}" if made.vectors else "no vectors"
    lines = [
        f"{out}: {made.documents:,} documents, {vectors}",
        f"load them in {out}:",
        *(f"  {step}" for step in made.steps),
    ]
    write("\n".join(lines))
