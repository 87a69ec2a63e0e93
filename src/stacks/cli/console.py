"""What the commands share: the options that name an index, and how results are written."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from cranfield_shared.plain_text import escape_json, printable_lines
from cranfield_shared.terminal import discard_output
from stacks.errors import QueryError, StacksError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "DbOption",
    "FormatOption",
    "LimitOption",
    "choose_format",
    "default_folder",
    "format_json",
    "shorten",
    "write",
]

Shown = TypeVar("Shown")

DbOption = Annotated[
    Path | None,
    typer.Option(
        "--db",
        metavar="PATH",
        help="An index file, or a folder of them.  [default: $STACKS_HOME, else ~/.stacks]",
    ),
]
FormatOption = Annotated[
    str, typer.Option("--format", metavar="NAME", help="text, json or markdown.")
]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")]


def default_folder() -> Path:
    """Return the folder of the indexes: `$STACKS_HOME`, else `~/.stacks`."""
    home = os.environ.get("STACKS_HOME")
    return Path(home).expanduser() if home else Path.home() / ".stacks"


def choose_format(
    formats: Mapping[str, Callable[[Shown], str]], name: str
) -> Callable[[Shown], str]:
    """Return the renderer of a format."""
    if name not in formats:
        raise QueryError(f"there is no format {name!r}; formats are {', '.join(formats)}")
    return formats[name]


def write(text: str) -> None:
    """Write one or more lines; a reader that has seen enough (`| head`) is not an error.

    Characters that the encoding of the output lacks become question marks. Texts and file names
    come from others, and are made harmless: they must not control the terminal.
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise StacksError("the output cannot be written: standard output is closed")
    encoding = stream.encoding or "utf-8"
    try:
        shown = printable_lines(text)
        stream.write(shown.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
    except OSError as problem:
        discard_output()
        if isinstance(problem, BrokenPipeError):
            raise typer.Exit from None
        reason = problem.strerror or problem
        raise StacksError(f"the output cannot be written: {reason}") from problem


def format_json(value: Any) -> str:
    """Return indented JSON that is harmless to show."""
    return escape_json(json.dumps(value, ensure_ascii=False, indent=2))


def shorten(text: str, width: int = 100) -> str:
    """Put text on one line of at most `width` columns, but of at least twenty."""
    flat = " ".join(text.split())
    width = max(width, 20)
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
