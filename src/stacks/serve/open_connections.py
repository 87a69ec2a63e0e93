"""The open connections of a server: how many there may be, and who makes room for others."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ConnectionLimits", "ConnectionRoom", "OpenConnections"]


class ConnectionRoom(Enum):
    """What a new connection gets: its place, one reply of health or refusal, or nothing."""

    PLACE = "place"
    SPARE = "spare"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections have a place, how many more are spare, and how long both may idle."""

    places: int = 512
    spare: int = 32
    idle_seconds: float = 5.0
    spare_seconds: float = 2.0


class OpenConnections:
    """Counts connections; if all places are taken, the one that was idle the longest is closed.

    A connection is idle until the head of a request has been read, however slowly it arrives. If
    none is idle for long, a few spare connections remain, so that health can be asked for.
    """

    def __init__(self, limits: ConnectionLimits | None = None) -> None:
        self.limits = limits or ConnectionLimits()
        self._lock = threading.Lock()
        self._idle_since: dict[socket.socket, float | None] = {}
        self._spare: set[socket.socket] = set()

    @property
    def count(self) -> int:
        """How many connections are open."""
        with self._lock:
            return len(self._idle_since) + len(self._spare)

    def add(self, connection: socket.socket) -> ConnectionRoom:
        """Make room for a connection, if there is any."""
        with self._lock:
            if len(self._idle_since) >= self.limits.places:
                self._close_idle()
            if len(self._idle_since) < self.limits.places:
                self._idle_since[connection] = time.monotonic()
                return ConnectionRoom.PLACE
            if len(self._spare) < self.limits.spare:
                self._spare.add(connection)
                return ConnectionRoom.SPARE
        return ConnectionRoom.NONE

    def remove(self, connection: socket.socket) -> None:
        """Forget a connection."""
        with self._lock:
            self._idle_since.pop(connection, None)
            self._spare.discard(connection)

    def is_spare(self, connection: socket.socket) -> bool:
        """Return whether a connection has no place of its own."""
        with self._lock:
            return connection in self._spare

    @contextmanager
    def busy(self, connection: socket.socket) -> Iterator[None]:
        """Keep a connection from being closed as idle."""
        self._note(connection, None)
        try:
            yield
        finally:
            self._note(connection, time.monotonic())

    def _note(self, connection: socket.socket, idle_since: float | None) -> None:
        with self._lock:
            if connection in self._idle_since:
                self._idle_since[connection] = idle_since

    def _close_idle(self) -> None:
        idle = {key: since for key, since in self._idle_since.items() if since is not None}
        if not idle:
            return
        oldest = min(idle, key=lambda key: idle[key])
        if time.monotonic() - idle[oldest] < self.limits.idle_seconds:
            return
        del self._idle_since[oldest]
        # Its thread reads the end of the connection, and closes it.
        with suppress(OSError):
            oldest.shutdown(socket.SHUT_RDWR)
