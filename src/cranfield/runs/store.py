"""The store of runs: one SQLite file, or any database that SQLAlchemy speaks to."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np
from sqlalchemy import and_, bindparam, create_engine, event, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, IntegrityError, OperationalError
from sqlalchemy.pool import StaticPool

from cranfield.errors import StoreError
from cranfield.model import Response, Status
from cranfield.runs.records import Answer, AskedSuite, Outcomes, RunHeader, RunState
from cranfield.runs.store_schema import answers, migrate, runs, suites

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Engine, Insert

__all__ = ["Store", "answer_row", "open_store"]

Row: TypeAlias = dict[str, Any]

_MEMORY = "sqlite://"
_BUSY_MILLISECONDS = 30_000
_ROWS_A_PAGE = 1000
_RESPONSE = msgspec.json.Decoder(Response)
_FIGURES = msgspec.json.Decoder(tuple[float | None, ...])
_REASONS = msgspec.json.Decoder(dict[int, str])


def open_store(place: str | Path | None = None) -> Store:
    """Open a store, created if it does not exist: a file, a database URL, or memory for None."""
    if place is None:
        return Store(_MEMORY, "the store in memory")
    if "://" in str(place):
        return Store(str(place), make_url(str(place)).render_as_string(hide_password=True))
    path = Path(place)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(f"{path.parent} cannot be made: {problem.strerror}") from None
    return Store(f"sqlite:///{path}", str(path), path)


class Store:
    """Runs and their answers. Everything added is on disk when the call returns."""

    def __init__(self, url: str, name: str, file: Path | None = None) -> None:
        self.name = name
        self._file = file
        self._last_suite: tuple[str, AskedSuite] | None = None
        pool: dict[str, Any] = {"poolclass": StaticPool} if url == _MEMORY else {}
        self._engine = _engine(url, pool)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _prepare_sqlite)
            event.listen(self._engine, "begin", _begin_sqlite)
        with self._changing() as connection:
            migrate(connection, name)

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    def begin(self, header: RunHeader) -> None:
        """Add a run that has no answers yet."""
        content = msgspec.json.encode(header.asked)
        key = hashlib.sha256(content).hexdigest()
        with self._changing() as connection:
            connection.execute(self._insert_suite(key, content.decode()))
            connection.execute(runs.insert().values(suite_hash=key, **_header_row(header)))

    def _insert_suite(self, key: str, content: str) -> Insert:
        """Build the insertion of a suite that another run may have stored already."""
        if self._engine.dialect.name == "postgresql":
            inserted = postgresql.insert(suites).values(hash=key, content=content)
            return inserted.on_conflict_do_nothing()
        return sqlite.insert(suites).values(hash=key, content=content).on_conflict_do_nothing()

    def update(self, header: RunHeader) -> None:
        """Replace a run's header."""
        self._refuse_removed()
        with self._changing() as connection:
            row = _header_row(header)
            connection.execute(runs.update().where(runs.c.id == header.id).values(**row))

    def add(self, run: str, rows: Sequence[Row], *, replacing: bool = False) -> None:
        """Add answers, all of them or none; `replacing` removes earlier answers first."""
        self._refuse_removed()
        with self._changing() as connection:
            if replacing:
                earlier = answers.delete().where(
                    answers.c.run == run,
                    answers.c.place == bindparam("at_place"),
                    answers.c.repeat == bindparam("at_repeat"),
                )
                places = [{"at_place": row["place"], "at_repeat": row["repeat"]} for row in rows]
                connection.execute(earlier, places)
            connection.execute(answers.insert(), list(rows))

    def headers(self) -> list[RunHeader]:
        """List all runs, the oldest first."""
        query = select(runs.c.header, runs.c.suite_hash).order_by(runs.c.started, runs.c.id)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return [self._read_header(row) for row in rows]

    def header(self, run: str) -> RunHeader:
        """Return one run's header."""
        query = select(runs.c.header, runs.c.suite_hash).where(runs.c.id == run)
        with self._reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise StoreError(f"{self.name} has no run {run!r}; `cranfield runs list` shows them")
        return self._read_header(row)

    def delete(self, run: str) -> None:
        """Remove a run and its answers."""
        with self._changing() as connection:
            connection.execute(answers.delete().where(answers.c.run == run))
            connection.execute(runs.delete().where(runs.c.id == run))
            used = select(runs.c.suite_hash)
            connection.execute(suites.delete().where(suites.c.hash.not_in(used)))

    def answered(self, run: str, *, but_failed: bool = False) -> set[tuple[int, int]]:
        """Return the places and repetitions that have an answer.

        `but_failed` leaves out timeouts and errors; unparseable answers would be the same again.
        """
        query = select(answers.c.place, answers.c.repeat, answers.c.status)
        with self._reading() as connection:
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
        at = (-1, -1)
        while True:
            # Page by page, so that others can write in between.
            later = or_(
                answers.c.place > at[0], and_(answers.c.place == at[0], answers.c.repeat > at[1])
            )
            with self._reading() as connection:
                rows = connection.execute(query.where(later)).all()
            yield from map(_read_answer, rows)
            if len(rows) < _ROWS_A_PAGE:
                return
            at = (rows[-1].place, rows[-1].repeat)

    def outcomes(self, header: RunHeader) -> Outcomes:
        """Return the outcome of every query, without reading the hits."""
        read = ("place", "repeat", "status", "seconds", "first_rank", "figures", "reasons")
        query = select(*(answers.c[name] for name in read))
        query = query.where(answers.c.run == header.id).order_by(answers.c.place, answers.c.repeat)
        gathering = _Gathering(header)
        with self._reading() as connection:
            for row in connection.execution_options(yield_per=10_000).execute(query):
                gathering.add(row)
        return gathering.outcomes()

    def inconsistencies(self, header: RunHeader) -> list[tuple[str, str, str]]:
        """Return where the tables contradict each other: name, stored value, right value."""
        query = select(answers.c.place, answers.c.repeat, answers.c.status, answers.c.response)
        found = []
        count = 0
        with self._reading() as connection:
            rows = connection.execution_options(yield_per=_ROWS_A_PAGE)
            for row in rows.execute(query.where(answers.c.run == header.id)):
                count += 1
                status = str(_RESPONSE.decode(row.response).status)
                if status != row.status:
                    found.append((f"status of answer {row.place + 1}", row.status, status))
            suite = select(suites.c.hash, suites.c.content).join(
                runs, runs.c.suite_hash == suites.c.hash
            )
            [(key, content)] = connection.execute(suite.where(runs.c.id == header.id)).all()
        if (computed := hashlib.sha256(content.encode()).hexdigest()) != key:
            found.append(("hash of the suite", key[:12], computed[:12]))
        expected = len(header.suite.queries) * header.repeats
        if header.state is not RunState.RUNNING and count != expected:
            found.append(("number of answers", str(count), str(expected)))
        return found

    def _read_header(self, row: Any) -> RunHeader:
        known = msgspec.json.decode(row.header)
        return msgspec.convert({**known, "asked": self._asked(row.suite_hash)}, RunHeader)

    def _asked(self, key: str) -> AskedSuite:
        """Read a suite; the last one is cached, as runs of one suite mostly come together."""
        if self._last_suite is None or self._last_suite[0] != key:
            query = select(suites.c.content).where(suites.c.hash == key)
            with self._reading() as connection:
                content = connection.execute(query).scalar_one()
            self._last_suite = (key, msgspec.json.decode(content, type=AskedSuite))
        return self._last_suite[1]

    def _refuse_removed(self) -> None:
        """Refuse to write to a file that has been deleted."""
        if self._file is not None and not self._file.exists():
            raise StoreError(f"{self.name} was deleted during the run; start it again")

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """Open a transaction that writes; it waits for other writers before it reads anything."""
        with self._explaining_errors(), self._engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._explaining_errors(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _explaining_errors(self) -> Iterator[None]:
        """Turn errors of the database into messages that say what to do."""
        try:
            yield
        except IntegrityError:
            raise StoreError(
                f"another process wrote the same to {self.name} at the same time; run one at a time"
            ) from None
        except OperationalError as problem:
            raise StoreError(f"the store {self.name} cannot be used: {problem.orig}") from None
        except DatabaseError as problem:
            raise StoreError(
                f"{self.name} is no store of runs: {problem.orig}; name another with --store"
            ) from None


class _Gathering:
    """Columns of outcomes, filled row by row in any order."""

    def __init__(self, header: RunHeader) -> None:
        self._header = header
        queries = len(header.suite.queries)
        shape = (header.repeats, queries, len(header.measures))
        self._values = np.full(shape, np.nan)
        self._seconds = np.full((header.repeats, queries), np.nan)
        self._failed = np.zeros((header.repeats, queries), dtype=np.bool_)
        self._statuses: list[Status | None] = [None] * queries
        self._ranks: list[int | None] = [None] * queries
        self._reasons: dict[tuple[int, int], str] = {}
        self._answers = 0

    def add(self, row: Any) -> None:
        place, repeat = row.place, row.repeat
        self._answers += 1
        figures = msgspec.json.decode(row.figures)
        self._values[repeat, place] = [np.nan if each is None else each for each in figures]
        if row.seconds is not None:
            self._seconds[repeat, place] = row.seconds
        status = Status(row.status)
        self._failed[repeat, place] = status.is_failure
        if repeat == 0:
            self._ranks[place] = row.first_rank
        if self._statuses[place] is None or status.is_failure:
            self._statuses[place] = status
        if row.reasons != "{}":
            for column, reason in _REASONS.decode(row.reasons).items():
                self._reasons[place, column] = reason

    def outcomes(self) -> Outcomes:
        return Outcomes(
            queries=self._header.suite.queries,
            hashes=self._header.asked.hashes,
            values=self._values.mean(axis=0),
            by_repeat=self._values,
            failed=self._failed,
            reasons=self._reasons,
            statuses=tuple(self._statuses),
            first_ranks=tuple(self._ranks),
            seconds=self._seconds[0],
            missing=self._seconds.size - self._answers,
        )


def _engine(url: str, pool: dict[str, Any]) -> Engine:
    try:
        place = make_url(url)
        if place.drivername == "postgresql":
            place = place.set(drivername="postgresql+psycopg")
        return create_engine(place, **pool)
    except ModuleNotFoundError as problem:
        raise StoreError(
            f"this store needs the package {problem.name}; for PostgreSQL install "
            "cranfield[postgres]"
        ) from None
    except ArgumentError as problem:
        raise StoreError(
            f"{problem}; a store is a file, or a database URL such as postgresql://host/name"
        ) from None


def _prepare_sqlite(connection: Any, _: Any) -> None:
    # Transactions begin when we say so, not when Python's driver guesses.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    # With WAL, this loses nothing when the process is killed, only when the machine is.
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _header_row(header: RunHeader) -> dict[str, str]:
    return {
        "id": header.id,
        "label": header.label,
        "suite": header.suite.id,
        "system": header.system,
        "state": str(header.state),
        "started": header.started,
        "finished": header.finished,
        "header": msgspec.json.encode(
            {name: value for name, value in _fields(header) if name != "asked"}
        ).decode(),
    }


def _fields(header: RunHeader) -> Iterator[tuple[str, Any]]:
    return ((each.name, getattr(header, each.name)) for each in fields(header))


def answer_row(run: str, answer: Answer) -> Row:
    """Write an answer as a row; raises what the encoder raises for what cannot be written."""
    response = answer.response
    return {
        "run": run,
        "place": answer.place,
        "repeat": answer.repeat,
        "status": str(response.status),
        "seconds": response.seconds,
        "first_rank": answer.first_rank,
        "figures": msgspec.json.encode(answer.values).decode(),
        "reasons": msgspec.json.encode(answer.reasons).decode(),
        "response": msgspec.json.encode(response),
    }


def _read_answer(row: Any) -> Answer:
    return Answer(
        row.place,
        row.repeat,
        _RESPONSE.decode(row.response),
        _FIGURES.decode(row.figures),
        _REASONS.decode(row.reasons),
        row.first_rank,
    )
