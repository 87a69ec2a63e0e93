"""One file of an index, opened for reading only."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections import deque
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield_shared.files import sqlite_uri
from stacks.errors import IndexUnusableError, QueryError
from stacks.schema import APPLICATION_ID, DATABASES, LATEST_SCHEMA
from stacks.storage.damage import make_unusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from stacks.postings import TextLengths

__all__ = ["Database", "SourceInfo", "find_files", "open_databases"]

_BUSY_SECONDS = 5.0
"""How long a statement waits for a file that is locked."""

_CACHE_KIBIBYTES = 65_536
"""The cache of all connections to a file."""

_OPENING_ATTEMPTS = 5

_SOURCES = "SELECT number, name, weight, prefers_symbols, ranking, is_archive FROM sources"


class SourceInfo(NamedTuple):
    """A source as the file describes it."""

    number: int
    name: str
    weight: float
    prefers_symbols: bool
    ranking: str
    is_archive: bool


class _ConnectionPool:
    """Connections that are free, the last one used first: its cache is warm.

    `queue.LifoQueue` does the same, in ten times the time.
    """

    def __init__(self, connections: Iterable[sqlite3.Connection]) -> None:
        self._free: deque[sqlite3.Connection] = deque()
        self._tickets: queue.SimpleQueue[None] = queue.SimpleQueue()
        for connection in connections:
            self.put(connection)

    def get(self) -> sqlite3.Connection:
        """Take a connection, as soon as one is free."""
        self._tickets.get()
        return self._free.pop()

    def put(self, connection: sqlite3.Connection) -> None:
        """Give a connection back."""
        self._free.append(connection)
        self._tickets.put(None)


class Database:
    """Read-only connections, each used by one thread at a time, and what is known of the file."""

    def __init__(self, path: Path, connections: int = 1) -> None:
        self.path = path
        self._connections = _connect_all(path, connections)
        self._closing = threading.Lock()
        self._free = _ConnectionPool(self._connections)
        self.frequencies: dict[str, int] = {}
        with ExitStack() as unless_read:
            unless_read.callback(self.close)
            self.documents = int(self.value("SELECT count(*) FROM docs_metadata"))
            self.sources = {
                row[0]: SourceInfo(row[0], row[1], row[2], bool(row[3]), row[4], bool(row[5]))
                for row in self.rows(_SOURCES)
            }
            self.facts: dict[str, str] = dict(self.rows("SELECT name, value FROM meta"))
            self.languages = tuple(
                language
                for (language,) in self.rows("SELECT DISTINCT language FROM docs_metadata")
                if language
            )
            unless_read.pop_all()

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run a statement on a free connection and fetch everything."""
        connection = self._free.get()
        try:
            return connection.execute(sql, values).fetchall()
        except UnicodeEncodeError:
            raise QueryError(
                "the query contains half of a character, which is no text; give it as UTF-8"
            ) from None
        except OverflowError:
            raise QueryError("a number is too large; give a smaller one") from None
        except sqlite3.DatabaseError as problem:
            raise make_unusable(self.path, problem) from problem
        finally:
            self._free.put(connection)

    def value(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Run a statement and return the first column of its first row, or None."""
        rows = self.rows(sql, values)
        return rows[0][0] if rows else None

    @cached_property
    def text_lengths(self) -> TextLengths | None:
        """The lengths of all documents; None if the file has no posting lists."""
        # numpy is loaded only if it is needed.
        from stacks.postings import TextLengths

        rows = self.rows("SELECT ids, words, total FROM text_lengths")
        return TextLengths.unpack(*rows[0]) if rows else None

    @property
    def embedder(self) -> str:
        """The spec of the model that made the file's vectors; empty if it has none."""
        return self.facts["embedder"] if "embedder_identity" in self.facts else ""

    def close(self) -> None:
        """Close the file, after the statements that are running."""
        with self._closing:
            taken = [self._free.get() for _ in self._connections]
        for connection in taken:
            connection.close()
            # A search of a closed index must fail, not wait.
            self._free.put(connection)


def _connect_all(path: Path, count: int) -> list[sqlite3.Connection]:
    """Open so many connections to one file, even if another takes its place meanwhile."""
    for _ in range(_OPENING_ATTEMPTS):
        with ExitStack() as unless_one_file:
            before = _identify(path)
            opened = []
            for _ in range(count):
                opened.append(_connect(path, count))
                unless_one_file.callback(opened[-1].close)
            if _identify(path) == before:
                unless_one_file.pop_all()
                return opened
    raise IndexUnusableError(f"{path} is being replaced again and again; try again later")


def _identify(path: Path) -> tuple[int, int]:
    """Return what tells a file from another of its name; a missing one has no identity."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _connect(path: Path, count: int) -> sqlite3.Connection:
    """Open a file and check that it is an index of this version."""
    with ExitStack() as unless_ours:
        try:
            if not path.stat().st_size:
                raise IndexUnusableError(f"{path} is empty; make an index with stacks save")
            connection = sqlite3.connect(
                sqlite_uri(path),
                uri=True,
                timeout=_BUSY_SECONDS,
                check_same_thread=False,
            )
            unless_ours.callback(connection.close)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as problem:
            raise make_unusable(path, problem) from problem
        except OSError as problem:
            message = f"{path} is no index ({problem}); make one with stacks save"
            raise IndexUnusableError(message) from problem
        if application != APPLICATION_ID:
            message = f"{path} is another program's database, not an index of stacks"
            raise IndexUnusableError(message)
        if version != LATEST_SCHEMA:
            raise IndexUnusableError(_wrong_version(path, version))
        try:
            _prepare(connection, count)
        except sqlite3.Error as problem:
            raise make_unusable(path, problem) from problem
        unless_ours.pop_all()
        return connection


def _prepare(connection: sqlite3.Connection, count: int) -> None:
    """Show the words of the text index as a table in memory; then nothing can be written."""
    connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', docs_fts, row)")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA mmap_size = 1073741824")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES // count}")


def _wrong_version(path: Path, version: int) -> str:
    if version > LATEST_SCHEMA:
        return (
            f"{path} has version {version}, newer than the {LATEST_SCHEMA} that this stacks "
            "knows; upgrade stacks, or save the index again with this one"
        )
    return (
        f"{path} has version {version}, older than {LATEST_SCHEMA}; bring it up to date with "
        "stacks save --only-changed and the same --from"
    )


def find_files(path: Path) -> list[Path]:
    """Return the file, or the files of an index in a folder, in their order."""
    try:
        if path.is_dir():
            files = [path / f"{name}.db" for name in DATABASES]
            files = [file for file in files if file.is_file()]
            if not files:
                raise IndexUnusableError(
                    f"{path} holds no index; make one with stacks save --to {path}"
                )
            return files
        is_there = path.exists()
    except (OSError, ValueError) as problem:
        raise IndexUnusableError(f"{path} cannot be read ({problem})") from problem
    if not is_there:
        raise IndexUnusableError(
            f"there is no index at {path}; make one with stacks save, or name another with --db"
        )
    return [path]


def open_databases(path: Path, connections: int = 1) -> list[Database]:
    """Open one file, or all of an index's files in a folder; all or none."""
    opened: list[Database] = []
    with ExitStack() as unless_all:
        for file in find_files(path):
            database = Database(file, connections)
            unless_all.callback(database.close)
            opened.append(database)
        unless_all.pop_all()
    return opened
