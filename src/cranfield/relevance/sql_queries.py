"""SQL queries on databases of other people: reading only, with limits, in another process."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import ExpectationError
from cranfield.relevance.sql_reader import REMEDY, ReadOnly
from cranfield_shared.files import sqlite_uri

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LIMITS", "SqlLimits", "keep_reader", "open_read_only", "query_ids"]

_PROGRAM = Path(__file__).with_name("sql_reader.py")
_MOST_SHOWN = 300


@dataclass(frozen=True, slots=True)
class SqlLimits:
    """What one query may take: steps of SQLite's machine, whole seconds, memory, and its ids."""

    steps: int = 1_000_000_000
    seconds: int = 30
    memory_mb: int = 512
    ids: int = 1_000_000
    ids_mb: int = 128


LIMITS = SqlLimits()


class _Reader:
    """The process that runs queries; it is started by the first, and again after one that ended it.

    It ends when its standard input does, also if nobody is left to close it.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def ask(self, path: Path, query: str, limits: SqlLimits) -> list[str]:
        """Return the ids that a query names; raises ExpectationError with the reason."""
        process = self._process = self._process or _start()
        request = {"uri": _uri(path), "query": query, "limits": asdict(limits)}
        reply = _exchange(process, json.dumps(request))
        if not reply:
            code = process.wait()
            self.close()
            raise ExpectationError(_describe_end(code, limits))
        answer = json.loads(reply)
        if "problem" in answer:
            raise ExpectationError(answer["problem"])
        return list(answer["ids"])

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


_KEPT: ContextVar[_Reader | None] = ContextVar("_KEPT", default=None)


@contextmanager
def keep_reader() -> Iterator[_Reader]:
    """Run all queries within by one process, and not each by its own."""
    if (kept := _KEPT.get()) is not None:
        yield kept
        return
    reader = _Reader()
    token = _KEPT.set(reader)
    try:
        yield reader
    finally:
        _KEPT.reset(token)
        reader.close()


def query_ids(path: Path, query: str, limits: SqlLimits | None = None) -> list[str]:
    """Return the first column of a query's result as ids.

    Raises ExpectationError if the query does anything but read, or reaches a limit.
    """
    with keep_reader() as reader:
        try:
            return reader.ask(path, query, limits or LIMITS)
        except ExpectationError as problem:
            shown = query if len(query) <= _MOST_SHOWN else f"{query[:_MOST_SHOWN]}…"
            raise ExpectationError(f"{path} does not answer {shown!r}: {problem}") from None


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open an SQLite database for SQL of our own; nothing is written, neither in it nor beside it.

    What its views and tables contain is somebody else's, and may only read as well.
    """
    opened = sqlite3.connect(_uri(path), uri=True)
    opened.set_authorizer(ReadOnly())
    return opened


def _uri(path: Path) -> str:
    """Name a database so it is opened for reading alone.

    In WAL mode even a reader creates two files beside a database, unless it is opened as immutable;
    that is correct as long as there is no write-ahead log.
    """
    logged = path.with_name(f"{path.name}-wal").exists()
    return sqlite_uri(path, immutable=not logged)


def _start() -> subprocess.Popen[str]:
    # Isolated and without site packages: it starts in half the time, and runs nothing of others.
    return subprocess.Popen(  # noqa: S603 - our own program, run by our own interpreter
        [sys.executable, "-I", "-S", str(_PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _exchange(process: subprocess.Popen[str], line: str) -> str:
    """Send a line and return the answer; empty if the process ended instead."""
    if process.stdin is None or process.stdout is None:
        return ""
    try:
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process.stdout.readline()
    except BrokenPipeError:
        return ""


def _describe_end(code: int, limits: SqlLimits) -> str:
    if code == -signal.SIGALRM:
        return f"it took more than {limits.seconds} s; {REMEDY}"
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"it ended the process that ran it ({how}); {REMEDY}"
