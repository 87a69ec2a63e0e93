"""Writing to the terminal, and choosing how."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Shown = TypeVar("Shown")

__all__ = ["choose_format", "write", "write_json"]


def write(text: str) -> None:
    """Write a line or more; a reader that has seen enough (`| head`) is no error."""
    try:
        sys.stdout.write(text.encode("utf-8", "replace").decode() + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None


def write_json(value: Any) -> str:
    """Write JSON for people and programs alike."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def choose_format(
    formats: Mapping[str, Callable[[Shown], str]], name: str
) -> Callable[[Shown], str]:
    """Return the way of writing that a name stands for."""
    if name not in formats:
        raise QueryError(f"there is no format {name!r}; formats are {', '.join(formats)}")
    return formats[name]
