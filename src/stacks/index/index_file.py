"""The file of an index: the one that is there, and the staging file that is renamed over it.

Everything is written to `search.db.in-flight`. A reader of `search.db` sees the old index until
it sees the new one; a kill or a full disk at any moment leaves the old one as it was. The staging
file of a killed save is never read, and the next save removes it. A lock prevents two saves of
one file at a time; it ends with the process that holds it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cranfield_shared.files import held_file, sqlite_uri
from stacks.errors import IndexUnusableError, SaveError
from stacks.schema import APPLICATION_ID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["PreviousIndex", "locked", "read_previous_index", "staged", "staging_path"]

# Nobody reads the file while it is built, and a half-built one is thrown away: it needs no
# journal and no waiting for the disk. It is synchronised once, before it is renamed.
_PRAGMAS = """
PRAGMA page_size = 16384;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -131072;
"""


def staging_path(path: Path) -> Path:
    """Return the path at which a file is built before it becomes `path`."""
    return path.with_name(f"{path.name}.in-flight")


@contextmanager
def staged(path: Path, *, copy: bool) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the staging file, which becomes `path` if the block succeeds.

    It starts empty, or with `copy` as a copy of the file at `path`.
    """
    try:
        yield from _stage(path, staging_path(path), copy=copy)
    except (sqlite3.Error, OSError) as problem:
        raise SaveError(_describe_failure(path, problem)) from problem


def _stage(path: Path, staging: Path, *, copy: bool) -> Iterator[sqlite3.Connection]:
    _remove(staging)
    try:
        if copy:
            shutil.copyfile(path, staging)
        with closing(sqlite3.connect(staging, isolation_level=None)) as connection:
            connection.executescript(_PRAGMAS)
            yield connection
            if connection.in_transaction:
                connection.execute("COMMIT")
        # The content before the name: a crash in between must not leave a name without content.
        # The folder last, or the rename itself may be lost.
        _synchronise(staging)
        staging.replace(path)
        _synchronise(path.parent)
    finally:
        _remove(staging)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, from before it is read until it is replaced.

    Folders made for a save that then writes nothing are removed again.
    """
    # Noted before anything is made, the innermost first, as they are removed.
    made = [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()]
    lock = path.with_name(f".{path.name}.lock")
    with ExitStack() as afterwards:
        afterwards.callback(_remove_empty, made)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Two saves of one file would both start from it, and the later drop the other's work.
            afterwards.enter_context(held_file(lock, wait=False))
        except BlockingIOError:
            raise SaveError(
                f"{path} is being saved by another process; wait for it, or stop it"
            ) from None
        except OSError as problem:
            raise SaveError(_describe_failure(path, problem)) from problem
        afterwards.callback(lock.unlink, missing_ok=True)
        yield


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, the innermost first, as long as there is nothing in them."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _remove(staging: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        staging.with_name(f"{staging.name}{suffix}").unlink(missing_ok=True)


def _synchronise(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _describe_failure(path: Path, problem: Exception) -> str:
    reason = getattr(problem, "strerror", None) or str(problem)
    kept = "; the index that was there is untouched" if path.exists() else ""
    hint = ""
    if "full" in reason or "space" in reason or "I/O" in reason or "too large" in reason:
        hint = "; make room on the disk, or choose another folder with --to"
    return f"{path} could not be saved: {reason}{hint}{kept}"


class PreviousIndex(NamedTuple):
    """Documents by source, corpora by source and location, and facts (its table `meta`)."""

    path: Path
    documents: dict[str, int]
    corpora: set[tuple[str, str]]
    facts: dict[str, str]

    def connect(self) -> sqlite3.Connection:
        """Open it for reading."""
        return _connect(self.path)


def read_previous_index(path: Path) -> PreviousIndex | None:
    """Read what the existing index holds; None if there is none."""
    if not path.exists():
        return None
    try:
        with closing(_connect(path)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application == APPLICATION_ID:
                return _read(path, connection)
    except sqlite3.Error as problem:
        message = f"{path} exists and is not an index ({problem}); move it away, or use --to"
        raise IndexUnusableError(message) from problem
    raise IndexUnusableError(
        f"{path} exists and is another program's database; move it away, or use --to"
    )


def _read(path: Path, connection: sqlite3.Connection) -> PreviousIndex:
    counts = "SELECT source, count(*) FROM docs_metadata GROUP BY source"
    return PreviousIndex(
        path,
        dict(connection.execute(counts).fetchall()),
        set(connection.execute("SELECT DISTINCT source, location FROM pages")),
        dict(connection.execute("SELECT name, value FROM meta").fetchall()),
    )


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(sqlite_uri(path), uri=True)
