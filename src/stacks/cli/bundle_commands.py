"""`stacks bundle make` and `stacks bundle install`: an index in one file, to be shipped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stacks.cli.index_options import DbOption, default_folder
from stacks.cli.standard_output import write

if TYPE_CHECKING:
    from stacks.index import Bundle

__all__ = ["bundle"]

bundle = typer.Typer(
    help="Pack an index into one file with its version and digest, or install such a file.",
    no_args_is_help=True,
)


@bundle.command(no_args_is_help=True)
def make(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The bundle to write (a ZIP).")],
    version: Annotated[
        str, typer.Option(metavar="TEXT", help="The version of the bundle, such as 2026.11.")
    ],
    db: DbOption = None,
) -> None:
    """Pack the files of an index into a bundle.

    The same index and version give the same file.

    Example: stacks bundle make python-docs.zip --version 2026.11 --db index
    """
    from stacks.index import make_bundle

    made = make_bundle(db or default_folder(), target, version)
    write(_describe(made, f"{target}: {target.stat().st_size / 1e6:,.1f} MB"))


@bundle.command(no_args_is_help=True)
def install(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="The bundle.")],
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of the index.  [default: $STACKS_HOME, else ~/.stacks]"
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace files of an index that are there.")
    ] = False,
) -> None:
    """Check a bundle, and put its files into a folder.

    Nothing is replaced unless the size and digest of every file are as stated.

    Example: stacks bundle install python-docs.zip --to index
    """
    from stacks.index import install_bundle

    folder = to or default_folder()
    installed = install_bundle(source, folder, replace=replace)
    write(_describe(installed, f"installed into {folder}"))


def _describe(described: Bundle, headline: str) -> str:
    lines = [headline, f"  version {described.version}, made by {described.made_by}"]
    for file in described.files:
        documents = sum(file.documents.values())
        sources = ", ".join(file.documents)
        lines.append(f"  {file.name}: {documents:,} documents of {sources}")
    lines.append(f"  digest {described.digest}")
    return "\n".join(lines)
