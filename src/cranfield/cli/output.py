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
    try:
        _write_file(Path(file).resolve() if file else Path(), text)
    except OSError as problem:
        raise CranfieldError(f"{file!r} cannot be written: {problem.strerror}") from None


def _write_file(path: Path, text: str) -> None:
    """Put a whole file in the place of another; a device or a pipe is written into."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", errors="backslashreplace") as opened:
            opened.write(text)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
