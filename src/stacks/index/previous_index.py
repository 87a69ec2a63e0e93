"""The index that a save replaces: what it holds, and what it says of itself."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import IndexUnusableError
from stacks.schema import APPLICATION_ID

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PreviousIndex", "read_previous_index"]


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
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
