"""Runs copied from one store into another, such as those that CI jobs kept."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cranfield.errors import StoreError
from cranfield.runs.records import RunState
from cranfield.runs.store import answer_row, open_store
from cranfield.runs.store_schema import version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.runs.records import RunHeader
    from cranfield.runs.store import Store

__all__ = ["import_runs", "open_copy"]

_ROWS = 500
_IS_STORE = "SELECT 1 FROM sqlite_master WHERE name = ?"


@contextmanager
def open_copy(place: str) -> Iterator[Store]:
    """Open a copy of another store, which stays as it is.

    An older store is migrated before it can be read, and this one belongs to somebody else.
    """
    if "://" in place:
        yield open_store(place)
        return
    path = Path(place)
    if not path.is_file():
        raise StoreError(f"there is no store at {place}")
    with TemporaryDirectory(prefix="cranfield-") as folder:
        copy = Path(folder) / "cranfield.db"
        try:
            shutil.copyfile(path, copy)
            log = Path(f"{path}-wal")
            if log.exists():
                shutil.copyfile(log, f"{copy}-wal")
        except OSError as problem:
            raise StoreError(f"{place} cannot be read: {problem.strerror}") from None
        _refuse_foreign(copy, place)
        with closing(open_store(copy)) as opened:
            yield opened


def _refuse_foreign(copy: Path, name: str) -> None:
    try:
        with closing(sqlite3.connect(copy)) as connection:
            found = connection.execute(_IS_STORE, (version.name,)).fetchone()
    except sqlite3.DatabaseError as problem:
        raise StoreError(f"{name} is no store of runs: {problem}") from None
    if not found:
        raise StoreError(f"{name} is no store of runs: it has no table {version.name}")


def import_runs(store: Store, other: Store) -> tuple[list[RunHeader], list[RunHeader]]:
    """Copy the runs that a store does not have; return those copied and those left.

    A run that was not finished when its store was kept is left: nobody can resume it here.
    """
    known = {header.id for header in store.headers()}
    copied, left = [], []
    for header in other.headers():
        if header.id in known or header.state is RunState.RUNNING:
            left.append(header)
            continue
        # Marked as running until it is complete, so that an interruption leaves no partial run.
        store.begin(replace(header, state=RunState.RUNNING))
        rows = (answer_row(header.id, answer) for answer in other.answers(header.id))
        while some := list(islice(rows, _ROWS)):
            store.add(header.id, some)
        store.update(header)
        copied.append(header)
    return copied, left
