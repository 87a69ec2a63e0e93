"""Systems for tests: real programs in a folder, opened as a user would write them down."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.model import Query
from cranfield.systems import SystemSpec, open_system

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.systems import System

ENVIRONMENT = {"PATH": os.environ.get("PATH", os.defpath)}


def ask(text: str = "cats", *, name: str = "q1", **told: Any) -> Query:
    return Query(name, text, **told)


def write_program(folder: Path, code: str, name: str = "program.py") -> list[str]:
    """Write a Python program and return the command that runs it."""
    path = folder / name
    path.write_text("import json, os, signal, subprocess, sys, time\n" + textwrap.dedent(code))
    return [sys.executable, str(path)]


@contextmanager
def opened(
    kind: str, folder: Path, environment: dict[str, str] | None = None, /, **settings: Any
) -> Iterator[System]:
    """Open a system as it would stand in a file of its folder."""
    spec = SystemSpec("mine", kind, settings, folder)
    system = open_system(spec, {**ENVIRONMENT, **(environment or {})})
    try:
        yield system
    finally:
        system.close()


def ends(process: int) -> bool:
    """Wait until a process is gone, or dead and only not yet taken note of."""
    for _ in range(500):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
        time.sleep(0.01)
    return False


def wait_for(path: Path) -> str:
    """Wait until a file has content, and return that."""
    for _ in range(2000):
        if path.exists() and (text := path.read_text()):
            return text
        time.sleep(0.01)
    raise AssertionError(f"{path} was never written")


def open_handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def short(value: object) -> str:
    """Name a case after the beginning of its value."""
    return repr(value)[:30]
