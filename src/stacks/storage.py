"""One file of an index, opened for reading only, and how damage in it is reported."""

from __future__ import annotations

import functools
import queue
import sqlite3
import threading
from collections import deque
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from cranfield_shared.files import sqlite_uri
from stacks.errors import IndexUnusableError, QueryError
from stacks.schema import APPLICATION_ID, DATABASES, LATEST_SCHEMA, TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import Protocol

    from stacks.postings import TextLengths

    class _Opened(Protocol):
        databases: list[Database]


__all__ = [
    "UNREADABLE",
    "Database",
    "SourceInfo",
    "explaining_damage",
    "find_corpora",
    "find_damage",
    "find_files",
    "make_unusable",
    "open_databases",
    "read_all",
    "reports_damage",
]

_BUSY_SECONDS = 5.0
"""How long a statement waits for a file that is locked."""

_CACHE_KIBIBYTES = 65_536
"""The cache of all connections to a file."""

_OPENING_ATTEMPTS = 5

_SOURCES = "SELECT number, name, weight, prefers_symbols, ranking, is_archive FROM sources"


UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading raises for content of another type, length or form than was saved."""
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_ERROR", "SQLITE_FORMAT", "SQLITE_IOERR_SHORT_READ")
_MOST_FINDINGS = 20
_TABLES = """
SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
AND sql NOT LIKE 'CREATE TABLE ''%' AND name NOT LIKE 'sqlite%' ORDER BY name
"""
_TYPES = {
    "TEXT": ("text",),
    "INTEGER": ("integer",),
    "REAL": ("real", "integer"),
    "BLOB": ("blob",),
}
_LAWS = {
    "documents whose facts are no JSON": """
        SELECT count(*) FROM docs_structured
        WHERE NOT json_valid(coalesce(nullif(facts, ''), '{}'))
        OR NOT json_valid(coalesce(nullif(platforms, ''), '{}'))""",
    "facts of the index that are no JSON": """
        SELECT count(*) FROM meta
        WHERE name IN ('embedder_identity', 'last_save') AND NOT json_valid(value)""",
    "lengths of other documents than there are": """
        SELECT count(*) FROM text_lengths
        WHERE length(ids) <> 8 * (SELECT count(*) FROM docs_fts_docsize)
        OR length(words) <> 4 * (SELECT count(*) FROM docs_fts_docsize)""",
    "vectors of another length than the first": """
        SELECT count(*) FROM vectors
        WHERE length(vector) <> (SELECT length(vector) FROM vectors LIMIT 1)""",
}


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
                "the query contains half of a character, which is not text; give it as UTF-8"
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
            message = f"{path} is not an index ({problem}); make one with stacks save"
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


def read_all(
    databases: Iterable[Database], sql: str, values: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Run a statement against every file of an index; return the rows of all, file by file."""
    rows: list[tuple[Any, ...]] = []
    for database in databases:
        rows += database.rows(sql, values)
    return rows


_Self = TypeVar("_Self", bound="_Opened")
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def make_unusable(path: Path, problem: sqlite3.Error) -> IndexUnusableError:
    """Make the error of a file that SQLite cannot read."""
    code = getattr(problem, "sqlite_errorname", "")
    if code == "SQLITE_NOTADB":
        return IndexUnusableError(f"{path} is not an index ({problem}); make one with stacks save")
    if code.startswith(_DAMAGE) or str(problem).startswith("Could not decode"):
        return _make_damaged(path, str(problem).partition(" with text ")[0])
    return IndexUnusableError(f"{path} cannot be read ({problem})")


def _make_damaged(path: Path, reason: str) -> IndexUnusableError:
    return IndexUnusableError(
        f"{path} is damaged ({reason}), and was left as it is; stacks doctor says more, and "
        "stacks save with the same --from makes it again"
    )


@contextmanager
def explaining_damage(databases: Sequence[Database]) -> Iterator[None]:
    """Tell a file that is damaged from a defect of the program, which stays what it is."""
    try:
        yield
    except UNREADABLE as problem:
        for database in databases:
            if found := find_damage(database):
                raise _make_damaged(database.path, found[0]) from problem
        raise


def reports_damage(
    method: Callable[Concatenate[_Self, _Arguments], _Result],
) -> Callable[Concatenate[_Self, _Arguments], _Result]:
    """Have a method of an open index report damage of its files."""

    @functools.wraps(method)
    def call(self: _Self, /, *given: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        with explaining_damage(self.databases):
            return method(self, *given, **named)

    return call


def find_damage(database: Database) -> list[str]:
    """Check a file: its structure, the type of every value, and what values must fulfil."""
    try:
        checked = database.rows(f"PRAGMA quick_check({_MOST_FINDINGS})")
        found = [line for (line,) in checked if line != "ok"]
        return found or [*_find_mistyped(database), *_find_unlawful(database)]
    except IndexUnusableError as problem:
        return [str(problem.__cause__ or problem)]


def _find_mistyped(database: Database) -> Iterator[str]:
    for (table,) in database.rows(_TABLES):
        columns = database.rows(f"PRAGMA table_info({table})")
        typed = [(name, kind) for _, name, kind, *_ in columns if kind in _TYPES]
        wrong = " OR ".join(_write_condition(name, kind) for name, kind in typed) or "0"
        count = database.value(f"SELECT count(*) FROM {table} WHERE {wrong}")  # noqa: S608 - its own names
        if count:
            yield f"{count:,} rows of {table} have a value of another type"


def _write_condition(name: str, kind: str) -> str:
    """Write the condition that a column has a value of another type than it is declared with."""
    allowed = ", ".join(f"'{each}'" for each in ("null", *_TYPES[kind]))
    return f'typeof("{name}") NOT IN ({allowed})'


def _find_unlawful(database: Database) -> Iterator[str]:
    for what, sql in _LAWS.items():
        if count := database.value(sql):
            yield f"{count:,} {what}"
    if count := _count_broken_lists(database):
        yield f"{count:,} posting lists that are none of this index"


def _count_broken_lists(database: Database) -> int:
    # numpy is loaded only if it is needed.
    from stacks.postings import PostingList

    def is_sound(column: int, stored: bytes) -> bool:
        try:
            return 0 <= column < len(TEXT_COLUMNS) and PostingList.unpack(stored).fits(documents)
        except ValueError:
            return False

    documents = database.value("SELECT count(*) FROM docs_fts_docsize")
    rows = database.rows('SELECT "column", postings FROM term_postings')
    return sum(not is_sound(*row) for row in rows)


def find_corpora(path: Path) -> list[str]:
    """Find what a file was made from, as `--from` takes it, as far as it can be read."""
    try:
        with closing(sqlite3.connect(sqlite_uri(path), uri=True)) as connection:
            return _write_corpora(connection.execute("SELECT DISTINCT source, location FROM pages"))
    except sqlite3.Error:
        return []


def _write_corpora(rows: Iterable[tuple[object, object]]) -> list[str]:
    return [f"{source}={location}" for source, location in rows]
