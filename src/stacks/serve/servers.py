"""An index that stays open between requests, and the two servers of it: HTTP and MCP."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import StacksError
from stacks.query import Index, open_index
from stacks.schema import DATABASES
from stacks.serve.http_server import HttpServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stacks.serve.request_queue import QueueLimits

__all__ = [
    "ServedIndex",
    "serve_http",
    "serve_mcp",
]

_logger = logging.getLogger(__name__)


def serve_http(
    served: ServedIndex,
    host: str,
    port: int,
    wait: Callable[[], object],
    limits: QueueLimits | None = None,
) -> None:
    """Answer requests in threads until `wait` returns, then those that were read before."""
    server = HttpServer(served, host, port, limits)
    accepting = threading.Thread(target=server.serve_forever, daemon=True)
    accepting.start()
    _logger.info("listening on %s", server.url)
    try:
        wait()
    finally:
        server.finish()
        accepting.join()


def serve_mcp(served: ServedIndex) -> None:
    """Serve the tools on standard input and output until the input is closed."""
    try:
        from stacks.serve.mcp_session import run_session
    except ImportError as problem:
        raise StacksError(
            f"an MCP server needs the package mcp, version 2.3 or later ({problem}); "
            "install it with: pip install 'cranfield[stacks]'"
        ) from problem
    run_session(served)


class _FileState(NamedTuple):
    """What distinguishes a file from one that replaced it."""

    path: str
    device: int
    inode: int
    changed: int
    size: int


class _OpenIndex:
    """An open index, the number of requests that read it, and whether it was replaced."""

    def __init__(self, index: Index, states: list[_FileState]) -> None:
        self.index = index
        self.states = states
        self.readers = 0
        self.is_retired = False

    def close_if_done(self) -> None:
        """Close a retired index after its last reader."""
        if self.is_retired and not self.readers:
            self.index.close()


class ServedIndex:
    """Shares an index between threads; the next request after a save gets the new one.

    A request keeps the index it began with. If the new files cannot be opened, the old ones stay
    in use, and `problem` says why. So many threads can read a file at a time as it has connections.
    """

    def __init__(self, path: str | Path, connections: int = 1) -> None:
        self.path = Path(path).expanduser()
        self.connections = connections
        self.problem = ""
        self._lock = threading.Lock()
        self._refused: list[_FileState] | None = None
        self._current = _open(self.path, self.connections)

    @contextmanager
    def acquire(self) -> Iterator[Index]:
        """Yield the newest index for the duration of one request."""
        with self._lock:
            self._reopen_if_changed()
            current = self._current
            current.readers += 1
        try:
            yield current.index
        finally:
            with self._lock:
                current.readers -= 1
                current.close_if_done()

    def close(self) -> None:
        """Close the files after their last reader."""
        with self._lock:
            self._current.is_retired = True
            self._current.close_if_done()

    def _reopen_if_changed(self) -> None:
        states = _read_states(self.path)
        if states == self._current.states:
            self._refused, self.problem = None, ""
            return
        # The same files that could not be opened are not tried again with every request.
        if states == self._refused:
            return
        try:
            newer = _open(self.path, self.connections)
        except StacksError as problem:
            self._refused, self.problem = states, str(problem)
            _logger.warning("the new index cannot be used, the old one stays in use: %s", problem)
            return
        self._current.is_retired = True
        self._current.close_if_done()
        self._current = newer
        self._refused, self.problem = None, ""
        _logger.info("%s was saved again; the new index is in use", self.path)


def _open(path: Path, connections: int) -> _OpenIndex:
    """Open the index; file states are read first, so no later change is missed."""
    states = _read_states(path)
    # Words are scored faster with numpy, which a search alone does not load.
    import_module("numpy")
    return _OpenIndex(open_index(path, connections), states)


def _read_states(path: Path) -> list[_FileState]:
    """Read the present state of the files; missing ones are left out."""
    states = []
    for file in [path / f"{name}.db" for name in DATABASES] if path.is_dir() else [path]:
        try:
            found = file.stat()
        except OSError:
            continue
        states.append(
            _FileState(str(file), found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size)
        )
    return states
