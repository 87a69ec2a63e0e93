"""Writing to the terminal, and choosing how."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import typer

from stacks.errors import QueryError, StacksError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Shown = TypeVar("Shown")

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

__all__ = ["choose_format", "discard_output", "shorten", "write", "write_json"]


def write(text: str) -> None:
    """Write a line or more; a reader that has seen enough (`| head`) is no error.

    What the encoding of the output cannot say becomes a question mark, and so does what would
    steer the terminal: names of files are somebody else's.
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise StacksError("the output cannot be written: standard output is closed")
    encoding = stream.encoding or "utf-8"
    try:
        shown = _STEERING.sub("?", text)
        stream.write(shown.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
    except OSError as problem:
        discard_output()
        if isinstance(problem, BrokenPipeError):
            raise typer.Exit from None
        reason = problem.strerror or problem
        raise StacksError(f"the output cannot be written: {reason}") from problem


def discard_output() -> None:
    """Let what was not written go: Python flushes once more at exit, which must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(value: Any) -> str:
    """Write JSON for people and programs alike."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def shorten(text: str, width: int = 100) -> str:
    """Put text on one line of at most so many columns, but never of fewer than twenty."""
    flat = " ".join(text.split())
    width = max(width, 20)
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"


def choose_format(
    formats: Mapping[str, Callable[[Shown], str]], name: str
) -> Callable[[Shown], str]:
    """Return the way of writing that a name stands for."""
    if name not in formats:
        raise QueryError(f"there is no format {name!r}; formats are {', '.join(formats)}")
    return formats[name]
