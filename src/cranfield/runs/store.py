"""The store of runs: one SQLite file, or a PostgreSQL database."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import and_, bindparam, func, null, or_, select, text

from cranfield.errors import ReadOnlyStoreError, StoreError
from cranfield.model import Status
from cranfield.runs.records import RunState
from cranfield.runs.run_entries import (
    ENTRIES,
    compute_headline,
    read_entry,
    read_size,
    store_headline,
)
from cranfield.runs.store_connection import (
    PATIENCE,
    ConnectedStore,
    insert_missing,
    reading_rows,
    repeated_while_away,
)
from cranfield.runs.store_migrations import find_missing_tables, is_current, migrate
from cranfield.runs.store_places import make_folder, read_place
from cranfield.runs.store_rows import (
    OutcomeColumns,
    Shape,
    header_row,
    read_answer,
    read_header,
    read_response,
    read_suite,
    suite_row,
)
from cranfield.runs.store_schema import answers, runs, suites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from sqlalchemy import Connection, Select
    from sqlalchemy import Row as FoundRow

    from cranfield.runs.records import Answer, AskedSuite, Outcomes, RunHeader
    from cranfield.runs.run_entries import RunEntry, SuiteSize
    from cranfield.runs.store_places import StorePlace
    from cranfield.runs.store_rows import Row

__all__ = ["Store", "open_store"]

Made = TypeVar("Made")

_ROWS_A_PAGE = 1000
_OUTCOMES_AT_ONCE = 10_000
_OUTCOMES_KEPT = 8
_MOST_FINDINGS = 20
_MOST_SUITES = 8
_HEADERS = select(runs.c.id, runs.c.header, runs.c.suite_hash)


def open_store(
    place: str | Path | None = None, *, name: str = "", patience: float = PATIENCE
) -> Store:
    """Open a store, created if it does not exist: a file, a database URL, or memory for None.

    Messages call it by its `name`, or else by its place. A database server that goes away is waited
    for, `patience` seconds.
    """
    where = read_place(place)
    where = replace(where, name=name or where.name)
    if where.file is not None:
        make_folder(where.file)
    return Store(where, patience)


class Store(ConnectedStore):
    """Runs and their answers. Everything added is on disk when the call returns."""

    def __init__(self, place: StorePlace, patience: float = PATIENCE) -> None:
        super().__init__(place, patience)
        self._file = place.file
        self._suites: dict[str, AskedSuite] = {}
        self._sizes: dict[str, SuiteSize] = {}
        self._has_headlines = True
        self._missing_tables: frozenset[str] = frozenset()
        self._outcomes: tuple[tuple[RunHeader, Outcomes], ...] = ()
        with self.reading() as connection:
            current = is_current(connection, self.name)
        if not current:
            self._migrate()

    def _migrate(self) -> None:
        """Bring the tables up to date; an older store that is read-only is read as it is."""
        try:
            with self.changing() as connection:
                migrate(connection, self.name)
        except ReadOnlyStoreError:
            if not self.run_ids():
                raise
            self._has_headlines = False
            with self.reading() as connection:
                self._missing_tables = find_missing_tables(connection)

    def read_rows(
        self,
        query: Select[*tuple[Any, ...]],
        make: Callable[[FoundRow[*tuple[Any, ...]]], Made],
        what: str,
    ) -> list[Made]:
        """Make a value of each row that a query finds; `what` names them if one is damaged.

        A table that an older, read-only store lacks has no rows.
        """
        asked = {getattr(each, "name", "") for each in query.get_final_froms()}
        if asked & self._missing_tables:
            return []
        with self.reading(what) as connection:
            rows = connection.execution_options(yield_per=10_000).execute(query)
            return [make(row) for row in rows]

    @repeated_while_away
    def begin(self, header: RunHeader, *, as_dated: bool = False) -> None:
        """Add a run that has no answers yet; it is the newest, whatever the clock says.

        `as_dated` puts a run that was made earlier where its date says.
        """
        suite = suite_row(header.asked)
        row = header_row(header)
        with self.changing() as connection:
            if not as_dated:
                row["started"] = self._date_last(connection, header.started)
            insert_missing(connection, suites, [suite])
            connection.execute(runs.insert().values(suite_hash=suite["hash"], **row))

    def _date_last(self, connection: Connection, started: str) -> str:
        """Return when a run started, or just after the newest run if the clock was set back."""
        newest = connection.execute(select(func.max(runs.c.started))).scalar()
        if newest is None or newest < started:
            return started
        with reading_rows(self.name, "the date of the newest run"):
            after = datetime.fromisoformat(newest) + timedelta(milliseconds=1)
        return after.isoformat(timespec="milliseconds")

    @repeated_while_away
    def update(self, header: RunHeader) -> None:
        """Replace a run's header."""
        self._refuse_removed()
        with self.changing() as connection:
            row = header_row(header)
            del row["started"]  # its place among the runs
            connection.execute(runs.update().where(runs.c.id == header.id).values(**row))
            if header.state is not RunState.RUNNING:
                store_headline(connection, header.id, row["header"])

    @repeated_while_away
    def add(self, run: str, rows: Sequence[Row], *, replacing: bool = False) -> None:
        """Add answers, all of them or none; `replacing` removes earlier answers first."""
        self._refuse_removed()
        self._forget_outcomes(run)
        with self.changing(alone=False) as connection:
            if replacing:
                earlier = answers.delete().where(
                    answers.c.run == run,
                    answers.c.place == bindparam("at_place"),
                    answers.c.repeat == bindparam("at_repeat"),
                )
                places = [{"at_place": row["place"], "at_repeat": row["repeat"]} for row in rows]
                connection.execute(earlier, places)
                connection.execute(runs.update().where(runs.c.id == run).values(headline=None))
            connection.execute(answers.insert(), list(rows))

    def headers(self) -> list[RunHeader]:
        """List all runs, the oldest first."""
        return self._read_headers(_HEADERS.order_by(runs.c.started, runs.c.id))

    def entries(self) -> list[RunEntry]:
        """List all runs as lists show them, the oldest first; answers are not read."""
        headline = runs.c.headline if self._has_headlines else null().label("headline")
        query = ENTRIES.add_columns(headline).order_by(runs.c.started, runs.c.id)
        with self.reading() as connection:
            rows = connection.execute(query).all()
            self._learn_sizes(connection, {row.suite_hash for row in rows})
        with reading_rows(self.name, "a run in the list"):
            return [read_entry(row, self._sizes[row.suite_hash]) for row in rows]

    def _learn_sizes(self, connection: Connection, hashes: set[str]) -> None:
        """Read how large suites are; a suite never changes."""
        query = select(suites.c.content).where(suites.c.hash == bindparam("key"))
        learnt = {
            key: read_size(connection.execute(query, {"key": key}).scalar_one())
            for key in hashes - self._sizes.keys()
        }
        self._sizes = {**self._sizes, **learnt}

    def states(self) -> list[tuple[str, str, str]]:
        """List the id of each run, its state, and when it finished: what changes of a run."""
        query = select(runs.c.id, runs.c.state, runs.c.finished)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(runs.c.started, runs.c.id)).all()
        return [(row.id, row.state, row.finished) for row in rows]

    def count_answers(self, run: str) -> tuple[int, int]:
        """Return how many answers a run has, and how many of them are failures."""
        query = select(answers.c.status, func.count()).where(answers.c.run == run)
        with self.reading(f"an answer of run {run}") as connection:
            rows = connection.execute(query.group_by(answers.c.status)).all()
            counts = {Status(status): count for status, count in rows}
        failed = sum(count for status, count in counts.items() if status.is_failure)
        return sum(counts.values()), failed

    def header(self, run: str) -> RunHeader:
        """Return one run's header."""
        if found := self._read_headers(_HEADERS.where(runs.c.id == run)):
            return found[0]
        raise StoreError(f"{self.name} has no run {run!r}; `cranfield runs list` shows them")

    def has_run(self, run: str) -> bool:
        """Return whether there is a run with this id."""
        with self.reading() as connection:
            return connection.execute(select(runs.c.id).where(runs.c.id == run)).first() is not None

    def run_ids(self) -> list[str]:
        """List the ids of all runs, as far as they can be found in a damaged store."""
        found: dict[str, None] = {}
        for query in (
            select(runs.c.id).order_by(runs.c.started, runs.c.id),
            select(runs.c.id).order_by(runs.c.label),
            select(runs.c.id),
            select(answers.c.run).distinct(),
        ):
            with suppress(StoreError), self.reading() as connection:
                for (run,) in connection.execution_options(yield_per=1).execute(query):
                    found[str(run)] = None
        return list(found)

    def find_damage(self) -> list[str]:
        """Check the structure of a file; an empty list if it is sound."""
        if self._engine.dialect.name != "sqlite":
            return []
        with self.reading() as connection:
            checked = connection.execute(text(f"PRAGMA integrity_check({_MOST_FINDINGS})"))
            return [line for (line,) in checked if line != "ok"]

    @repeated_while_away
    def delete(self, run: str) -> None:
        """Remove a run and its answers."""
        self._forget_outcomes(run)
        with self.changing() as connection:
            connection.execute(answers.delete().where(answers.c.run == run))
            connection.execute(runs.delete().where(runs.c.id == run))
            used = select(runs.c.suite_hash)
            connection.execute(suites.delete().where(suites.c.hash.not_in(used)))

    def shrink(self) -> bool:
        """Give the room of deleted runs back to the disk; False if another process prevents it."""
        if self._file is None:
            return True
        with closing(self._engine.raw_connection()) as opened:
            try:
                opened.execute("PRAGMA busy_timeout = 0")
                opened.execute("VACUUM")
                opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError:
                return False
            finally:
                opened.invalidate()  # it would not wait for others any more
        return True

    def answered(self, run: str, *, but_failed: bool = False) -> set[tuple[int, int]]:
        """Return the places and repetitions that have an answer.

        `but_failed` leaves out timeouts and errors; unparseable answers would be the same again.
        """
        query = select(answers.c.place, answers.c.repeat, answers.c.status)
        with self.reading(f"an answer of run {run}") as connection:
            rows = connection.execute(query.where(answers.c.run == run)).all()
        return {
            (row.place, row.repeat)
            for row in rows
            if not (but_failed and row.status in (Status.TIMEOUT, Status.ERROR))
        }

    def answers(self, run: str, place: int | None = None) -> Iterator[Answer]:
        """Yield a run's answers with their responses, in the order of the suite."""
        query = select(answers).where(answers.c.run == run)
        if place is not None:
            query = query.where(answers.c.place == place)
        query = query.order_by(answers.c.place, answers.c.repeat).limit(_ROWS_A_PAGE)
        shapes = [Shape.of(each) for each in self._read_headers(_HEADERS.where(runs.c.id == run))]
        at = (-1, -1)
        while shapes:
            # Page by page, so others can write in between.
            later = or_(
                answers.c.place > at[0], and_(answers.c.place == at[0], answers.c.repeat > at[1])
            )
            with self.reading(f"an answer of run {run}") as connection:
                rows = connection.execute(query.where(later)).all()
                page = [read_answer(row, shapes[0]) for row in rows]
            yield from page
            if len(rows) < _ROWS_A_PAGE:
                return
            at = (rows[-1].place, rows[-1].repeat)

    def outcomes(self, header: RunHeader) -> Outcomes:
        """Return the outcome of every query, without reading the hits; those of a few are kept."""
        for known, outcomes in self._outcomes:
            # The same header, and not an equal one: whoever looks a run up again reads it again.
            if known is header:
                return outcomes
        found = self._read_outcomes(header)
        if header.state is not RunState.RUNNING:
            self._outcomes = ((header, found), *self._outcomes[: _OUTCOMES_KEPT - 1])
        return found

    def _forget_outcomes(self, run: str) -> None:
        self._outcomes = tuple(each for each in self._outcomes if each[0].id != run)

    def _read_outcomes(self, header: RunHeader) -> Outcomes:
        read = ("place", "repeat", "status", "seconds", "first_rank", "figures", "reasons")
        query = select(*(answers.c[name] for name in read))
        query = query.where(answers.c.run == header.id).order_by(answers.c.place, answers.c.repeat)
        with self.reading(f"an answer of run {header.id}") as connection:
            columns = OutcomeColumns(header)
            found = connection.execution_options(yield_per=_OUTCOMES_AT_ONCE).execute(query)
            for rows in found.partitions():
                columns.add(rows)
        return columns.outcomes()

    def inconsistencies(self, header: RunHeader) -> list[tuple[str, str, str]]:
        """Return where the tables contradict each other: name, stored value, right value."""
        query = select(answers.c.place, answers.c.repeat, answers.c.status, answers.c.response)
        found = []
        count = 0
        with self.reading(f"an answer of run {header.id}") as connection:
            rows = connection.execution_options(yield_per=_ROWS_A_PAGE)
            for row in rows.execute(query.where(answers.c.run == header.id)):
                count += 1
                status = str(read_response(row.response).status)
                if status != row.status:
                    found.append((f"status of answer {row.place + 1}", row.status, status))
        expected = len(header.suite.queries) * header.repeats
        if header.state is not RunState.RUNNING and count != expected:
            found.append(("number of answers", str(count), str(expected)))
        return found

    def stale_headline(self, run: str) -> list[tuple[str, str, str]]:
        """Return a stored headline that does not follow from the stored figures."""
        if not self._has_headlines:
            return []
        query = select(runs.c.header, runs.c.headline).where(runs.c.id == run)
        with self.reading(f"run {run}") as connection:
            header, stored = connection.execute(query).one()
            computed = stored if stored is None else compute_headline(connection, run, header)
        return [] if stored == computed else [("headline", str(stored), str(computed))]

    def _read_headers(self, query: Select[Any]) -> list[RunHeader]:
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [self._read_header(row) for row in rows]

    def _read_header(self, row: Any) -> RunHeader:
        with reading_rows(self.name, f"run {row.id}"):
            return read_header(row, self._asked(row))

    def _asked(self, row: Any) -> AskedSuite:
        """Read a suite; the last few are kept, as the runs of a store are mostly of few."""
        key = row.suite_hash
        found = self._suites.get(key)
        if found is None:
            query = select(suites.c.content).where(suites.c.hash == key)
            with self.reading(f"the suite of run {row.id}") as connection:
                found = read_suite(key, connection.execute(query).scalar_one())
            # Replaced whole, as other threads may read it.
            self._suites = {**dict(list(self._suites.items())[1 - _MOST_SUITES :]), key: found}
        return found

    def _refuse_removed(self) -> None:
        """Refuse to write to a file that has been deleted."""
        if self._file is not None and not self._file.exists():
            raise StoreError(f"{self.name} was deleted during the run; start it again")
