"""Writing to the terminal, a file or a pipe that may break."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield_shared import discard_output

if TYPE_CHECKING:
    from cranfield.formats import Format

__all__ = ["read_report", "write", "write_to"]


def read_report(text: str, kind: str) -> tuple[Format, str]:
    """Read what `--report` was given, FORMAT=FILE, for a report of a kind."""
    from cranfield.formats import find_format

    name, _, file = text.partition("=")
    if not file:
        raise CranfieldError(f"--report takes FORMAT=FILE, such as json=report.json; got {text!r}")
    return find_format(name, kind), file


def write(text: str) -> None:
    """Write to standard output, all of it or with an error.

    A reader that has seen enough (`| head`) is no error: what follows is written nowhere, and the
    command goes on to its own exit code.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except OSError as problem:
        discard_output()
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
