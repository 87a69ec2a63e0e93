"""Where a store is: a file, a PostgreSQL database, or memory; and how it is connected to."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool, StaticPool

from cranfield.errors import StoreError
from cranfield_shared.files import sqlite_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import URL, Connection, Engine

__all__ = ["StorePlace", "connect", "fill_place", "make_folder", "read_place"]

_BUSY_SECONDS = 30.0
_CONNECT_SECONDS = 10
_FORMS = "a store is a file, or the URL of a database such as postgresql://user@host/name"
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_CLOSED = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
"""The beginnings of what SQLite says of a log that it cannot make, in a folder that is closed."""


@dataclass(frozen=True, slots=True)
class StorePlace:
    """A store's place: a `file`, the `url` of a database, or memory without either.

    `name` is how messages name it, without a password.
    """

    name: str
    file: Path | None = None
    url: URL | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a file that is not empty; a database counts as existing."""
        if self.file is None:
            return self.url is not None
        return self.file.exists() and self.file.stat().st_size > 0

    @property
    def has_password(self) -> bool:
        """Whether its address has a password in it."""
        if self.url is None:
            return False
        return self.url.password is not None or any("password" in key for key in self.url.query)

    @property
    def is_empty(self) -> bool:
        """Whether there is a file, and nothing in it."""
        return self.file is not None and self.file.exists() and not self.exists


def fill_place(place: str, environment: Mapping[str, str]) -> str:
    """Return a place; one written as ${NAME} is that variable's value.

    So a password stays out of files, the list of processes and the history of the shell.
    """
    named = _VARIABLE.fullmatch(place)
    if named is None:
        if "${" in place:
            raise StoreError(
                "the name of the store has a variable inside; put all of it, the file or the URL, "
                "into the variable, and name the store ${NAME}"
            )
        return place
    if not environment.get(named[1]):
        raise StoreError(
            f"the store is {place}, and the environment variable {named[1]} is not set; set it to "
            "a file or a database URL such as postgresql://user@host/name"
        )
    return environment[named[1]]


def read_place(place: str | Path | None) -> StorePlace:
    """Read where a store is: a path as it is, a URL if it has `://`, memory for None."""
    if place is None:
        return StorePlace("the store in memory")
    if place == "":
        raise StoreError(f"the store has no name; {_FORMS}")
    if isinstance(place, Path) or "://" not in place:
        return StorePlace(str(place), Path(place))
    try:
        url = make_url(place)
        kind = url.get_backend_name()
        name = _name(url)
    except (ArgumentError, ValueError):
        raise StoreError(f"the URL of the store cannot be read; {_FORMS}") from None
    if kind == "postgresql":
        return StorePlace(name, url=_with_driver(url))
    if kind == "sqlite" and url.database and not (url.query or url.host):
        return StorePlace(url.database, Path(url.database))
    raise StoreError(f"{name} names no store; {_FORMS}")


def _name(url: URL) -> str:
    """Write an address without a password, wherever it is."""
    shown = {key: each for key, each in url.query.items() if "password" not in key}
    return url.set(query=shown).render_as_string(hide_password=True)


def _with_driver(url: URL) -> URL:
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def make_folder(path: Path) -> None:
    """Make the folder of a file that is about to be created."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(f"{path.parent} cannot be made: {problem.strerror}") from None


def connect(place: StorePlace) -> Engine:
    """Make an engine for a place; nothing is opened yet."""
    if place.url is not None:
        return _connect_server(place.url)
    file = place.file
    opener: Callable[[], sqlite3.Connection] = _open_memory if file is None else _opener(file)
    pool = StaticPool if file is None else QueuePool
    engine = create_engine("sqlite://", creator=opener, poolclass=pool)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _connect_server(url: URL) -> Engine:
    usual = {"application_name": "cranfield", "connect_timeout": _CONNECT_SECONDS}
    given = {name: value for name, value in usual.items() if name not in url.query}
    try:
        # A connection that a restart has ended is found out before it is used.
        return create_engine(url, pool_pre_ping=True, connect_args=given)
    except ModuleNotFoundError as problem:
        raise StoreError(
            f"this store needs the package {problem.name}; for PostgreSQL install "
            "cranfield[postgres]"
        ) from None
    except (ArgumentError, ValueError, TypeError) as problem:
        raise StoreError(f"the URL of the store cannot be used: {problem}; {_FORMS}") from None


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _open_memory() -> sqlite3.Connection:
    return _open(":memory:")


def _opener(path: Path) -> Callable[[], sqlite3.Connection]:
    return lambda: _open_file(path.absolute())


def _open_file(path: Path) -> sqlite3.Connection:
    """Open a file for writing if it can be written, else for reading.

    A file that is read-only is read as any other. In a folder that is read-only SQLite cannot make
    the files beside it that a reader needs; without a write-ahead log it can do without them.
    """
    if not path.exists() or not path.stat().st_size:
        _start_log(path)
    try:
        return _open(str(path))
    except sqlite3.OperationalError as problem:
        if not problem.sqlite_errorname.startswith(_CLOSED) or _has_log(path):
            raise
        return _open(sqlite_uri(path, immutable=True))


def _start_log(path: Path) -> None:
    """Have a new file keep a write-ahead log, so its readers do not wait for its writers."""
    with closing(_open(str(path))) as opened:
        opened.execute("PRAGMA journal_mode = WAL")


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _open(name: str) -> sqlite3.Connection:
    # Transactions begin when we say so, not when Python's driver guesses.
    opened = sqlite3.connect(
        name,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=name.startswith("file:"),
    )
    try:
        # With a write-ahead log, this loses nothing when the process is killed, only when the
        # machine is.
        opened.execute("PRAGMA synchronous = NORMAL")
        opened.execute("PRAGMA foreign_keys = ON")
        opened.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error:
        opened.close()
        raise
    return opened
