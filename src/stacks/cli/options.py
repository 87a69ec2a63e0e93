"""Options that several commands share, and where an index lies by default."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["DbOption", "FormatOption", "LimitOption", "default_folder"]


def default_folder() -> Path:
    """Where indexes are saved and looked for: `$STACKS_HOME`, else `~/.stacks`."""
    home = os.environ.get("STACKS_HOME")
    return Path(home).expanduser() if home else Path.home() / ".stacks"


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
