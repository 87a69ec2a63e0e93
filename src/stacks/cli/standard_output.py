"""Writing results to standard output."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

import typer

from cranfield_shared.plain_text import escape_json, printable_lines
from cranfield_shared.terminal import discard_output
from stacks.errors import StacksError

__all__ = ["format_json", "shorten", "write"]


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
