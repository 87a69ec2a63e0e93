"""A program that answers SQL queries on standard input, each within limits, reading only.

It runs as a process of its own, so the limit of memory is that of one query and a query that
nothing inside SQLite interrupts can be killed. It imports the standard library alone and starts
without the packages that are installed.
"""

from __future__ import annotations

import json
import signal
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["REMEDY", "ReadOnly"]

REMEDY = "add a condition, or list the answers with ids = […]"

_STEPS_AT_ONCE = 10_000
_PRAGMAS = {
    *("foreign_key_list", "index_info", "index_list", "table_info", "table_xinfo"),
    *("data_version", "page_size"),
}
"""Those that describe tables, and the two that full-text search reads itself."""
_NAMES = (
    *("ALTER_TABLE", "ANALYZE", "ATTACH", "CREATE_INDEX", "CREATE_TABLE", "CREATE_TEMP_INDEX"),
    *("CREATE_TEMP_TABLE", "CREATE_TEMP_TRIGGER", "CREATE_TEMP_VIEW", "CREATE_TRIGGER"),
    *("CREATE_VIEW", "CREATE_VTABLE", "DELETE", "DETACH", "DROP_INDEX", "DROP_TABLE"),
    *("DROP_TEMP_INDEX", "DROP_TEMP_TABLE", "DROP_TEMP_TRIGGER", "DROP_TEMP_VIEW"),
    *("DROP_TRIGGER", "DROP_VIEW", "DROP_VTABLE", "FUNCTION", "INSERT", "PRAGMA", "REINDEX"),
    *("SAVEPOINT", "TRANSACTION", "UPDATE"),
)
_ACTIONS = {getattr(sqlite3, f"SQLITE_{name}"): name.replace("_", " ") for name in _NAMES}


class ReadOnly:
    """What a connection may do: read tables and call functions; `refused` is what else was tried.

    SQLite asks it about every part of a statement, also of those that views contain. The database
    itself is opened for reading, so that SQLite refuses to change it; virtual tables prepare such
    changes when they are only read.
    """

    def __init__(self) -> None:
        self.refused = ""

    def __call__(
        self, action: int, first: str | None, second: str | None, schema: str | None, _: str | None
    ) -> int:
        """Allow an action or refuse it."""
        changes_rows = action in (
            sqlite3.SQLITE_INSERT,
            sqlite3.SQLITE_UPDATE,
            sqlite3.SQLITE_DELETE,
        )
        if (changes_rows and schema == "main") or _is_reading(action, first, second):
            return sqlite3.SQLITE_OK
        what = second if action == sqlite3.SQLITE_FUNCTION else first
        name = _ACTIONS.get(action, "that")
        self.refused = self.refused or " ".join(filter(None, (name, what)))
        return sqlite3.SQLITE_DENY


def _is_reading(action: int, first: str | None, second: str | None) -> bool:
    if action == sqlite3.SQLITE_FUNCTION:
        return second != "load_extension"
    if action == sqlite3.SQLITE_PRAGMA:
        # With a value, page_size would set it.
        return first in _PRAGMAS and not (first == "page_size" and second)
    return action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE)


class _LimitError(Exception):
    """A query that reached a limit."""


class _Steps:
    """Counts the steps of SQLite's machine; says when there were too many."""

    def __init__(self, most: int) -> None:
        self._left = most
        self.is_over = False

    def __call__(self) -> bool:
        self._left -= _STEPS_AT_ONCE
        self.is_over = self._left < 0
        return self.is_over


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    limits, reading, steps = request["limits"], ReadOnly(), _Steps(request["limits"]["steps"])
    try:
        # Without isolation_level, the driver would begin transactions of its own.
        connection = sqlite3.connect(request["uri"], uri=True, isolation_level=None)
        with closing(connection) as opened:
            # What is sorted and gathered stays in the memory that is limited, not on the disk.
            opened.execute("PRAGMA temp_store = MEMORY")
            opened.execute(f"PRAGMA hard_heap_limit = {int(limits['memory_mb']) << 20}")
            opened.set_authorizer(reading)
            opened.set_progress_handler(steps, _STEPS_AT_ONCE)
            return {"ids": _gather_ids(opened.execute(request["query"]), limits)}
    except _LimitError as problem:
        return {"problem": str(problem)}
    except MemoryError:
        return {"problem": f"it needs more than {limits['memory_mb']} MB of memory; {REMEDY}"}
    except (sqlite3.Error, sqlite3.Warning, ValueError) as problem:
        if reading.refused:
            return {"problem": f"a rule may only read, not {reading.refused}; write one SELECT"}
        if steps.is_over:
            return {"problem": f"it took more than {limits['steps']:,} steps of SQLite; {REMEDY}"}
        return {"problem": str(problem)}


def _gather_ids(rows: sqlite3.Cursor, limits: dict[str, int]) -> list[str]:
    if rows.description is None:
        raise _LimitError("it is not a query; write one SELECT")
    ids: list[str] = []
    size = 0
    for first, *_ in rows:
        if first is None:
            raise _LimitError(f"row {len(ids) + 1} has NULL for an id; leave such rows out")
        ids.append(str(first))
        size += len(ids[-1])
        if len(ids) > limits["ids"]:
            raise _LimitError(f"it names more than {limits['ids']:,} ids; {REMEDY}")
        if size > limits["ids_mb"] << 20:
            raise _LimitError(f"its ids take more than {limits['ids_mb']} MB; {REMEDY}")
    return ids


def _serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer a line with a line; the alarm ends the process, whatever it is doing."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for line in sys.stdin:
        request = json.loads(line)
        signal.alarm(request["limits"]["seconds"])
        reply = json.dumps(answer(request))
        signal.alarm(0)
        sys.stdout.write(f"{reply}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve(_answer)
