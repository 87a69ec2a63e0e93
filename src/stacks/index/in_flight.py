"""A file that is built aside and takes its place in one step.

Everything is written to `search.db.in-flight`. A reader of `search.db` sees the old index until
the moment it sees the new one; a kill or a full disk at any moment leaves the old one as it was.
What a killed save leaves behind is never read, and the next save removes it. A lock keeps two
saves of one file apart; it goes with the process that holds it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from stacks.errors import SaveError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["building", "in_flight_path", "locked"]

# Nobody reads the file while it is built, and a half-built one is thrown away: it needs neither
# a journal nor waits for the disk. It is synchronised once, before it takes its place.
_LOADING = """
PRAGMA page_size = 16384;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -131072;
"""


def in_flight_path(path: Path) -> Path:
    """Where a file is built before it is `path`."""
    return path.with_name(f"{path.name}.in-flight")


@contextmanager
def building(path: Path, *, start_from_old: bool) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the file in flight; it becomes `path` when the block succeeds."""
    try:
        yield from _build(path, in_flight_path(path), start_from_old=start_from_old)
    except sqlite3.Error as problem:
        raise SaveError(_explain(path, str(problem))) from problem
    except OSError as problem:
        raise SaveError(_explain(path, problem.strerror or str(problem))) from problem


def _build(path: Path, flight: Path, *, start_from_old: bool) -> Iterator[sqlite3.Connection]:
    _remove(flight)
    try:
        if start_from_old:
            shutil.copyfile(path, flight)
        with closing(sqlite3.connect(flight, isolation_level=None)) as connection:
            connection.executescript(_LOADING)
            yield connection
            if connection.in_transaction:
                connection.execute("COMMIT")
        _synchronise(flight)
        flight.replace(path)
        _synchronise(path.parent)
    finally:
        _remove(flight)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the right to save a file, from before it is looked at until it is replaced."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = path.with_name(f".{path.name}.lock").open("w")
    except OSError as problem:
        raise SaveError(_explain(path, problem.strerror or str(problem))) from problem
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SaveError(
                f"{path} is being saved by another process; wait for it, or stop it"
            ) from None
        yield


def _remove(flight: Path) -> None:
    for name in (flight.name, f"{flight.name}-journal", f"{flight.name}-wal", f"{flight.name}-shm"):
        flight.with_name(name).unlink(missing_ok=True)


def _synchronise(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _explain(path: Path, reason: str) -> str:
    kept = "; the index that was there is untouched" if path.exists() else ""
    hint = ""
    if "full" in reason or "space" in reason or "I/O" in reason or "too large" in reason:
        hint = "; make room on the disk, or choose another folder with --to"
    return f"{path} could not be saved: {reason}{hint}{kept}"
