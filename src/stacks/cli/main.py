"""The command itself; the engine behind it is not built yet, and it says so."""

from __future__ import annotations

from typing import Annotated

import typer

from stacks import __version__

__all__ = ["app", "main"]

app = typer.Typer(
    name="stacks",
    help="An embedded search engine in one SQLite file. Not built yet: there is no subcommand.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def stacks(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    """Hold the options of the command."""
    if version:
        typer.echo(f"stacks {__version__}")
        raise typer.Exit
    typer.echo(context.get_help())


def main() -> None:
    """Run the command."""
    app()
