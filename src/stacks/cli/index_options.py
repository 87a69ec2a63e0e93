"""Options that several commands share, and what their values mean."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["DbOption", "FormatOption", "LimitOption", "choose_format", "default_folder"]

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
