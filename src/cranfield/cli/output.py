"""Writing to the terminal, a file or a pipe that may break."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from cranfield.errors import CranfieldError

__all__ = ["write", "write_to"]


def write(text: str) -> None:
    """Write to standard output, all of it or with an error.

    A reader that has seen enough (`| head`) ends the command without one.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise CranfieldError(f"the output cannot be written: {problem.strerror}") from None


def write_to(file: str | None, text: str) -> None:
    """Write to a file, whole or not at all, or to standard output without one."""
    if file is None or file == "-":
        write(text)
        return
    path = Path(file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as problem:
        raise CranfieldError(f"{file} cannot be written: {problem.strerror}") from None
