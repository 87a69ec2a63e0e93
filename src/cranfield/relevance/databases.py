"""Other people's SQLite databases, read without leaving a trace."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["open_read_only"]


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a database so that nothing is written, neither into it nor beside it.

    Even a reader lays two files beside a database in WAL mode, unless it takes the database as
    immutable, which it is while there is no log of changes.
    """
    logged = path.with_name(f"{path.name}-wal").exists()
    mode = "mode=ro" if logged else "mode=ro&immutable=1"
    return sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)
