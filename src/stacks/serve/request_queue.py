"""How many requests are answered at a time, how many wait for their turn, and who is refused.

More threads than processors only make every answer slower, and a line that grows without end
keeps everybody waiting. So a few requests work at a time, a limited number waits in the order of
arrival, for a limited time, and the rest is refused at once and told when to come back.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import OverloadError, QueryError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Load", "QueueLimits", "RequestQueue"]

_LONGEST_RETRY = 30
_SMOOTHING = 0.1
"""The share of the last answer in the average time of an answer."""


def _count_workers() -> int:
    """Return one worker for each processor, up to four: they share one interpreter."""
    return max(1, min(4, os.cpu_count() or 1))


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many requests work at a time, how many wait, and for how many seconds at most."""

    workers: int = field(default_factory=_count_workers)
    waiting: int = 64
    seconds: float = 5.0

    def __post_init__(self) -> None:
        if self.workers < 1 or self.waiting < 0:
            raise QueryError(
                f"a server needs at least 1 worker and a queue of 0 or more; got "
                f"{self.workers} and {self.waiting}"
            )


class Load(NamedTuple):
    """What a server has to do at this moment, and what it has done."""

    workers: int
    working: int
    queue: int
    waiting: int
    answered: int
    refused: int


class RequestQueue:
    """Gives turns to the threads of requests, in the order of their arrival."""

    def __init__(self, limits: QueueLimits | None = None) -> None:
        self.limits = limits or QueueLimits()
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._working = 0
        self._answered = 0
        self._refused = 0
        self._usual_seconds = 0.0

    @property
    def load(self) -> Load:
        """The load at this moment."""
        with self._lock:
            return Load(
                self.limits.workers,
                self._working,
                self.limits.waiting,
                len(self._waiting),
                self._answered,
                self._refused,
            )

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and keep it in the block; an `OverloadError` if there is none to have."""
        self._enter()
        began = time.monotonic()
        try:
            yield
        finally:
            self._leave(time.monotonic() - began)

    def _enter(self) -> None:
        with self._lock:
            if self._working < self.limits.workers:
                self._working += 1
                return
            if len(self._waiting) >= self.limits.waiting:
                raise self._refuse(
                    f"{self._working} requests are being answered and {len(self._waiting)} are "
                    "waiting, the most that it holds"
                )
            # An event for each, not one condition for all: to wake everybody for one turn takes
            # longer than the turn, and says nothing about who came first.
            given = threading.Event()
            self._waiting.append(given)
        if given.wait(self.limits.seconds):
            return
        with self._lock:
            # The turn may have been given between the end of the wait and the lock.
            if not given.is_set():
                self._waiting.remove(given)
                raise self._refuse(
                    f"the request waited {self.limits.seconds:g} s for its turn, the longest "
                    "that it may"
                )

    def _leave(self, seconds: float) -> None:
        with self._lock:
            # The first answer is the average, not a tenth of it.
            share = _SMOOTHING if self._answered else 1.0
            self._usual_seconds += share * (seconds - self._usual_seconds)
            self._answered += 1
            if self._waiting:
                # The next in line has this turn, so nobody who just came can take it.
                self._waiting.popleft().set()
            else:
                self._working -= 1

    def _refuse(self, why: str) -> OverloadError:
        """Count a refusal; by the time to retry, those who wait now should have been answered."""
        self._refused += 1
        ahead = len(self._waiting) + self._working
        expected = math.ceil(ahead * self._usual_seconds / self.limits.workers)
        retry_after = max(1, min(_LONGEST_RETRY, expected))
        return OverloadError(
            f"the server is overloaded: {why}; try again in {retry_after} s", retry_after
        )
