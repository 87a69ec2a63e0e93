"""What the command lines of both packages share: the application, bars, colour, closed pipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

    import typer

__all__ = ["CLEAR_LINE", "discard_output", "draw_bar", "has_colour", "make_app", "paint"]

CLEAR_LINE = "\r\x1b[K"
"""Returns to the start of a line of the terminal, and clears it."""

_BAR_WIDTH = 24
_COLOURS = {"green": 32, "red": 31, "yellow": 33}


def make_app(name: str, summary: str, version: str) -> typer.Typer:
    """Make an application without commands, with the option `--version`."""
    import typer

    app = typer.Typer(
        name=name,
        help=summary,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    def print_version(wanted: bool) -> None:  # noqa: FBT001 - typer passes the flag
        if wanted:
            typer.echo(f"{name} {version}")
            raise typer.Exit

    show = typer.Option(
        False, "--version", help="Print the version and exit.", callback=print_version
    )

    @app.callback()
    def hold_options(version: bool = show) -> None:  # noqa: FBT001 - read by typer
        """Hold the options that come before a subcommand."""

    return app


def has_colour(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal that shows colour, and the user wants it.

    `NO_COLOR` with any value turns colour off (https://no-color.org).
    """
    import os

    if stream is None or not stream.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str) -> str:
    """Colour a text of one line for a terminal."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def draw_bar(done: int, total: int) -> str:
    """Draw a progress bar."""
    filled = _BAR_WIDTH * done // total
    return "█" * filled + "·" * (_BAR_WIDTH - filled)


def discard_output() -> None:
    """Send the rest of standard output nowhere: Python flushes at exit, which must not fail."""
    import os
    import sys

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
