"""The command `stacks`: its subcommands, and how errors are reported."""

from __future__ import annotations

import sys

import typer

from cranfield_shared import add_completion, discard_output, make_app, printable_lines
from cranfield_shared.version import __version__
from stacks.cli.bundle_commands import bundle
from stacks.cli.index_commands import doctor, list_contents
from stacks.cli.lookup_commands import conformances, examples, inheritance, read, symbols
from stacks.cli.save_command import save
from stacks.cli.search_command import search
from stacks.cli.serve_command import serve
from stacks.errors import StacksError

__all__ = ["app", "main"]

_EXIT_USAGE = 2
_EXIT_INTERRUPTED = 130

app = make_app(
    "stacks",
    "Search documentation, packages and samples in one SQLite file each, offline.",
    __version__,
)
for command in (save, search, read, symbols, conformances, inheritance, examples, serve):
    app.command(no_args_is_help=command is not symbols)(command)
app.command(name="list")(list_contents)
app.command()(doctor)
app.add_typer(bundle, name="bundle")
add_completion(app, "stacks")


def main() -> None:
    """Run the command; a user's mistake prints one message and exits with 2."""
    try:
        app()
    except StacksError as problem:
        typer.echo(printable_lines(f"stacks: {problem}"), err=True)
        sys.exit(_EXIT_USAGE)
    except OSError as problem:
        # Typer writes help pages, and does not handle a full disk.
        discard_output()
        typer.echo(f"stacks: {problem.strerror or problem}", err=True)
        sys.exit(_EXIT_USAGE)
    except KeyboardInterrupt:
        sys.exit(_EXIT_INTERRUPTED)
