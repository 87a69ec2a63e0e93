"""An index that stays open between requests, and gives way to the one that replaces it."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import StacksError
from stacks.query import Index, open_index
from stacks.schema import DATABASES

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["IndexHolder"]

_logger = logging.getLogger(__name__)


class _FileState(NamedTuple):
    """What tells a file from the one that takes its place."""

    path: str
    device: int
    inode: int
    changed: int
    size: int


class _Lent:
    """An open index, how many requests read it, and whether a newer one has come."""

    def __init__(self, index: Index, states: list[_FileState]) -> None:
        self.index = index
        self.states = states
        self.readers = 0
        self.is_retired = False

    def close_if_done(self) -> None:
        """Let the files of a retired index go with its last reader."""
        if self.is_retired and not self.readers:
            self.index.close()


class IndexHolder:
    """Lends an index to any number of threads; a new save is seen by the next request.

    A request keeps the index it began with. Where the new files cannot be opened, the old ones
    go on answering, and `problem` says why.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser()
        self.problem = ""
        self._lock = threading.Lock()
        self._refused: list[_FileState] | None = None
        self._current = _open(self.path)

    @contextmanager
    def lend(self) -> Iterator[Index]:
        """Give the newest index for the time of one request."""
        with self._lock:
            self._renew()
            lent = self._current
            lent.readers += 1
        try:
            yield lent.index
        finally:
            with self._lock:
                lent.readers -= 1
                lent.close_if_done()

    def close(self) -> None:
        """Let the files go when their last reader is done."""
        with self._lock:
            self._current.is_retired = True
            self._current.close_if_done()

    def _renew(self) -> None:
        states = _look(self.path)
        if states == self._current.states:
            self._refused, self.problem = None, ""
            return
        if states == self._refused:
            return
        try:
            newer = _open(self.path)
        except StacksError as problem:
            self._refused, self.problem = states, str(problem)
            _logger.warning("the new index is not used, the old one answers: %s", problem)
            return
        self._current.is_retired = True
        self._current.close_if_done()
        self._current = newer
        self._refused, self.problem = None, ""
        _logger.info("%s was saved anew and is open", self.path)


def _open(path: Path) -> _Lent:
    """Open the index; looked at before it is opened, so that a later change is a change."""
    states = _look(path)
    return _Lent(open_index(path), states)


def _look(path: Path) -> list[_FileState]:
    """Describe the files as they lie there now; those that went away are left out."""
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
