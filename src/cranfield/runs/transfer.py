"""Runs copied from one store into another, such as those that CI jobs kept."""

from __future__ import annotations

import shutil
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import DamagedStoreError, StoreError
from cranfield.runs.records import RunState
from cranfield.runs.store import open_store
from cranfield.runs.store_places import read_place
from cranfield.runs.store_rows import answer_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cranfield.runs.records import RunHeader
    from cranfield.runs.store import Store

__all__ = ["ImportedRuns", "import_runs", "open_copy"]

_ROWS = 500


class ImportedRuns(NamedTuple):
    """Runs that were copied, those left out, and those that are damaged, by id with the reason.

    A run is left out if the store has it, or if it was not finished when its store was kept:
    nobody can resume it here.
    """

    copied: tuple[RunHeader, ...]
    left: tuple[RunHeader, ...]
    damaged: Mapping[str, str]


@contextmanager
def open_copy(place: str) -> Iterator[Store]:
    """Open a copy of another store, which stays as it is.

    An older store is migrated before it can be read, and this one belongs to somebody else.
    """
    where = read_place(place)
    path = where.file
    if path is None:
        yield open_store(place)
        return
    if not path.is_file() or not where.exists:
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
        with closing(open_store(copy, name=place)) as opened:
            yield opened


def import_runs(store: Store, other: Store) -> ImportedRuns:
    """Copy the runs that a store does not have, if they can be read and are finished."""
    known = {header.id for header in store.headers()}
    copied: list[RunHeader] = []
    left: list[RunHeader] = []
    damaged: dict[str, str] = {}
    for run in other.run_ids():
        try:
            header = other.header(run)
            is_left = run in known or header.state is RunState.RUNNING
            if not is_left:
                _refuse_incomplete(other, header)
        except DamagedStoreError as problem:
            damaged[run] = problem.reason
            continue
        if not is_left:
            _copy(store, other, header)
        (left if is_left else copied).append(header)
    return ImportedRuns(tuple(copied), tuple(left), damaged)


def _refuse_incomplete(store: Store, header: RunHeader) -> None:
    """Read a whole run before any of it is copied."""
    expected = len(header.suite.queries) * header.repeats
    found = sum(1 for _ in store.answers(header.id))
    if found != expected:
        raise DamagedStoreError(store.name, f"it has {found} of {expected} answers")


def _copy(store: Store, other: Store, header: RunHeader) -> None:
    # Marked as running until it is complete, so that an interruption leaves no partial run.
    store.begin(replace(header, state=RunState.RUNNING), as_dated=True)
    rows = (answer_row(header.id, answer) for answer in other.answers(header.id))
    while some := list(islice(rows, _ROWS)):
        store.add(header.id, some)
    store.update(header)
