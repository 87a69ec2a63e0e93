"""Runs that leave their store: exported and imported, copied to another store, deleted."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from cranfield.errors import CranfieldError, DamagedStoreError, StoreError
from cranfield.runs import store_schema
from cranfield.runs.lookup import require_runs
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
    "Deletion",
    "ImportedRuns",
    "copy_store",
    "delete_runs",
    "import_runs",
    "open_copy",
    "plan_deletion",
    "plan_expiry",
    "read_age",
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
    # Marked as running until it is complete, so an interruption leaves no partial run.
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
        # Marked as running until it is complete, so an interruption leaves no partial run.
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


_AGE = re.compile(r"(\d{1,5})\s*(h|d|w)[a-z]*", re.I)
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Deletion:
    """The runs that would be deleted, those that are old enough but needed, and by what.

    `needs` says what needs a run, by the run's id; a run that was named is deleted all the same.
    """

    deleted: tuple[RunHeader, ...]
    kept: tuple[RunHeader, ...]
    needs: Mapping[str, str]


def read_age(text: str) -> timedelta:
    """Read an age such as `30d`, `12h` or `2w`."""
    found = _AGE.fullmatch(text.strip())
    if found is None:
        raise CranfieldError(
            f"{text!r} is not an age; write a number of hours, days or weeks: 12h, 30d, 2w"
        )
    return timedelta(**{_UNITS[found[2].lower()]: int(found[1])})


def plan_deletion(store: Store, names: Iterable[str], baselines: Mapping[str, str]) -> Deletion:
    """Plan to delete runs by id, beginning of an id, label or `latest`, needed or not.

    `baselines` names the baseline that each accepted run is, by its id.
    """
    found = [run.header for name in names for run in require_runs(store, name)]
    chosen = {header.id: header for header in found}
    needs = {**_find_needs(store.headers()), **baselines}
    return Deletion(
        tuple(chosen.values()), (), {name: needs[name] for name in chosen if name in needs}
    )


def plan_expiry(
    store: Store,
    baselines: Mapping[str, str],
    now: datetime,
    *,
    keep: int | None = None,
    older_than: timedelta | None = None,
) -> Deletion:
    """Plan to delete all runs but the newest `keep` of each suite by each system.

    Runs of a part of a suite are counted apart from whole runs, so they never displace one;
    unfinished runs are not counted. With `older_than`, only runs started so long before `now`. What
    is needed is kept.
    """
    headers = store.headers()
    needs = {**_find_needs(headers), **baselines}
    chosen = [
        header
        for header in (headers if keep is None else _drop_newest(headers, keep))
        if older_than is None or now - datetime.fromisoformat(header.started) > older_than
    ]
    kept = tuple(header for header in chosen if header.id in needs)
    deleted = tuple(header for header in chosen if header.id not in needs)
    return Deletion(deleted, kept, {header.id: needs[header.id] for header in kept})


def delete_runs(store: Store, plan: Deletion) -> bool:
    """Delete the runs of a plan, with their answers; return whether their room is free again."""
    for header in plan.deleted:
        store.delete(header.id)
    return store.shrink()


def _drop_newest(headers: Sequence[RunHeader], keep: int) -> Iterator[RunHeader]:
    """Yield the runs that are not among the newest of their suite and system.

    Whole runs and those of a part are counted separately, unfinished ones not at all.
    """
    left = Counter(_counted_with(header) for header in headers if _is_finished(header))
    for header in headers:
        if left[_counted_with(header)] > keep:
            yield header
        left[_counted_with(header)] -= _is_finished(header)


def _counted_with(header: RunHeader) -> tuple[str, str, bool]:
    return header.suite.id, header.system, bool(header.selection)


def _is_finished(header: RunHeader) -> bool:
    return header.state is not RunState.RUNNING


def _find_needs(headers: Sequence[RunHeader]) -> dict[str, str]:
    """Say which runs `--resume` would continue, and which belong to the same command."""
    unfinished = [header for header in headers if header.state is RunState.RUNNING]
    batches = {header.batch for header in unfinished} - {""}
    needs = {
        header.id: "a stopped command, for --resume"
        for header in headers
        if header.batch in batches
    }
    return {**needs, **{header.id: "--resume: it is unfinished" for header in unfinished}}
