"""Runs that leave their store: exported to a file, imported, copied to another store."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from cranfield.errors import DamagedStoreError, StoreError
from cranfield.runs import store_schema
from cranfield.runs.records import RunState
from cranfield.runs.store import open_store
from cranfield.runs.store_connection import insert_missing
from cranfield.runs.store_places import read_place
from cranfield.runs.store_rows import answer_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import Table

    from cranfield.runs.records import RunHeader
    from cranfield.runs.store import Store

__all__ = [
    "CopiedStore",
    "ImportedRuns",
    "copy_store",
    "import_runs",
    "open_copy",
]

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


_BY_KEY = ("judged_queries", "judged_contents", "model_answers")
"""Tables whose rows never change: a key is enough to know one."""
_APPENDED = ("judgments", "preferences")
"""Tables that are only added to, numbered in their order."""
_KEPT_BY_A_RUN = ("suite_hash", "system", "label", "started")
"""What stays the same of a run while it goes on."""
_Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class CopiedStore:
    """How many rows were added by table, and the runs that contradict those of their id."""

    added: dict[str, int]
    contradicting: tuple[str, ...]

    @property
    def total(self) -> int:
        """The number of rows that were added."""
        return sum(self.added.values())


def copy_store(source: Store, target: Store) -> CopiedStore:
    """Add all that a store has and another lacks: runs with their answers, and judgments.

    A second time, nothing is added. A run that was unfinished when it was copied is completed. One
    that both have, and that differs, is left as it is and named. Reservations of raters, which last
    for minutes, are not copied.
    """
    added: Counter[str] = Counter()
    added["suites"] += _copy_by_key(source, target, store_schema.suites)
    runs = source.run_ids()
    contradicting = [run for run in runs if not _copy_run(source, target, run, added)]
    for name in _BY_KEY:
        table = store_schema.metadata.tables[name]
        added[name] += _copy_by_key(source, target, table)
    for name in _APPENDED:
        added[name] += _append(source, target, store_schema.metadata.tables[name])
    return CopiedStore(dict(added), tuple(contradicting))


def _copy_run(source: Store, target: Store, run: str, added: Counter[str]) -> bool:
    """Copy a run, or the answers that the target's lacks; return False if the two contradict."""
    table = store_schema.runs
    [row] = _read(source, table, table.c.id == run)
    found = next(iter(_read(target, table, table.c.id == run)), None)
    if found is None:
        # Marked as running until it is complete, so that an interruption leaves no partial run.
        _insert(target, table, [{**row, "state": str(RunState.RUNNING), "headline": None}])
        added["runs"] += 1
    elif found["state"] != RunState.RUNNING:
        return found == row
    elif any(found[name] != row[name] for name in _KEPT_BY_A_RUN):
        return False
    added["answers"] += _copy_answers(source, target, run)
    with target.changing() as connection:
        connection.execute(table.update().where(table.c.id == run).values(**row))
    return True


def _copy_answers(source: Store, target: Store, run: str) -> int:
    table = store_schema.answers
    known = target.answered(run)
    wanted = sorted(source.answered(run) - known)
    count = 0
    for start in range(0, len(wanted), _ROWS):
        some = set(wanted[start : start + _ROWS])
        low, high = min(some)[0], max(some)[0]
        rows = _read(source, table, table.c.run == run, table.c.place.between(low, high))
        chosen = [row for row in rows if (row["place"], row["repeat"]) in some]
        _insert(target, table, chosen)
        count += len(chosen)
    return count


def _copy_by_key(source: Store, target: Store, table: Table) -> int:
    [key] = table.primary_key.columns
    known = {row[0] for row in _read_columns(target, key)}
    wanted = [row[0] for row in _read_columns(source, key) if row[0] not in known]
    for start in range(0, len(wanted), _ROWS):
        some = wanted[start : start + _ROWS]
        _insert(target, table, list(_read(source, table, key.in_(some))))
    return len(wanted)


def _append(source: Store, target: Store, table: Table) -> int:
    """Append rows in their order, all or none; the target gives them numbers of its own."""
    columns = [each for each in table.columns if each.name != "number"]
    rows = _read_columns(source, *columns, order=table.c.number)
    with target.changing() as connection:
        known = Counter(tuple(row) for row in connection.execute(select(*columns)))
        added = [dict(zip(table.columns.keys()[1:], row, strict=True)) for row in rows
                 if not _take(known, row)]  # fmt: skip
        for start in range(0, len(added), _ROWS):
            connection.execute(table.insert(), added[start : start + _ROWS])
    return len(added)


def _take(known: Counter[_Row], row: _Row) -> bool:
    """Take one of the known rows that is equal to a row; return whether there is one."""
    is_known = known[row] > 0
    known[row] -= is_known
    return is_known


def _read(store: Store, table: Table, *conditions: Any) -> Iterator[dict[str, Any]]:
    with store.reading(f"the table {table.name}") as connection:
        rows = connection.execute(select(table).where(*conditions)).all()
    return (row._asdict() for row in rows)


def _read_columns(store: Store, *columns: Any, order: Any = None) -> Iterable[_Row]:
    query = select(*columns)
    with store.reading("a table") as connection:
        rows = connection.execute(query if order is None else query.order_by(order)).all()
    return [tuple(row) for row in rows]


def _insert(store: Store, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    with store.changing() as connection:
        insert_missing(connection, table, rows)
