"""The command `stacks`: its subcommands, and how errors are reported."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import typer

from cranfield_shared.plain_text import printable_lines
from cranfield_shared.terminal import (
    add_completion,
    discard_output,
    make_app,
    outlast_closed_errors,
    refuse_repeated_options,
)
from cranfield_shared.version import __version__
from stacks.errors import StacksError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["COMMANDS", "build_app", "main"]

_EXIT_USAGE = 2
_EXIT_INTERRUPTED = 130

COMMANDS = {
    "save": "save_command:save",
    "search": "search_command:search",
    "read": "lookup_commands:read",
    "symbols": "lookup_commands:symbols",
    "conformances": "lookup_commands:conformances",
    "inheritance": "lookup_commands:inheritance",
    "examples": "lookup_commands:examples",
    "serve": "serve_command:serve",
    "list": "index_commands:list_contents",
    "doctor": "index_commands:doctor",
    "bundle": "index_commands:bundle",
    "export": "index_commands:export",
}
"""The module and the function of each command, in the order of the help page."""
_WITHOUT_ARGUMENTS = {"symbols", "list", "doctor"}
"""Commands that do something without any argument; the others print their help."""


def build_app(names: Collection[str] = COMMANDS) -> typer.Typer:
    """Build the command line with some of its commands."""
    app = make_app(
        "stacks",
        "Search documentation, packages and samples in one SQLite file each, offline.",
        __version__,
    )
    for name in names:
        module, _, function = COMMANDS[name].partition(":")
        command = getattr(import_module(f"stacks.cli.{module}"), function)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name=name, no_args_is_help=name not in _WITHOUT_ARGUMENTS)(command)
    add_completion(app, "stacks")
    refuse_repeated_options(app)
    return app


def main() -> None:
    """Run the command; a user's mistake prints one message and exits with 2."""
    # To build a command takes longer than to search: build only the one that is called.
    called = sys.argv[1:2]
    if called == ["search"]:
        # NumPy would start threads that one query has no use for, in a tenth of all its time.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    outlast_closed_errors()
    try:
        build_app(called if called and called[0] in COMMANDS else COMMANDS)()
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
