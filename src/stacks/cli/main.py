"""The command itself: its subcommands, its version, and what an error looks like."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from stacks import __version__
from stacks.cli.doctor import doctor
from stacks.cli.examples import examples
from stacks.cli.inheritance import inheritance
from stacks.cli.listing import list_contents
from stacks.cli.output import discard_output
from stacks.cli.read import read
from stacks.cli.save import save
from stacks.cli.search import search
from stacks.cli.serve import serve
from stacks.cli.symbols import conformances, symbols
from stacks.errors import StacksError

__all__ = ["app", "main"]

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="stacks",
    help="Search documentation, packages and samples in one SQLite file each, offline.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (save, search, read, symbols, conformances, inheritance, examples, serve):
    app.command(no_args_is_help=command is not symbols)(command)
app.command(name="list")(list_contents)
app.command()(doctor)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - called by typer with the flag
    if wanted:
        typer.echo(f"stacks {__version__}")
        raise typer.Exit


@app.callback()
def stacks(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version),
    ] = False,
) -> None:
    """Hold the options that come before a subcommand."""


def main() -> None:
    """Run the command; a user's mistake prints one message and exits with 2."""
    try:
        app()
    except StacksError as problem:
        typer.echo(f"stacks: {problem}", err=True)
        sys.exit(EXIT_USAGE)
    except OSError as problem:
        # Help pages are written by the library, which lets a full disk through.
        discard_output()
        typer.echo(f"stacks: {problem.strerror or problem}", err=True)
        sys.exit(EXIT_USAGE)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
