"""Trying again, politely."""

from __future__ import annotations

import functools
import logging
import random
import time
from dataclasses import dataclass
from typing import Any, Callable, Iterator, TypeVar

from bramble.errors import Unavailable

F = TypeVar("F", bound=Callable[..., Any])
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Backoff:
    """Pauses that double up to a ceiling, each shortened by a little chance."""

    first: float = 0.5
    ceiling: float = 30.0
    attempts: int = 5
    spread: float = 0.2

    def delays(self, dice: Callable[[], float] = random.random) -> Iterator[float]:
        pause = self.first
        for _ in range(self.attempts - 1):
            yield min(pause, self.ceiling) * (1 - self.spread * dice())
            pause *= 2


def persistently(backoff: Backoff, on: type[Exception] = Unavailable) -> Callable[[F], F]:
    """Decorate a call so that it is repeated while it raises `on`."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            for pause in backoff.delays():
                try:
                    return function(*args, **kwargs)
                except on as problem:
                    log.warning("%s failed (%s), next try in %.1f s", function, problem, pause)
                    time.sleep(pause)
            return function(*args, **kwargs)

        return wrapper  # type: ignore[return-value]

    return decorate


class Breaker:
    """Stops asking a service that keeps failing, and lets one call through after a rest."""

    def __init__(self, limit: int = 5, rest: float = 60.0) -> None:
        self.limit = limit
        self.rest = rest
        self._failures = 0
        self._opened_at: float | None = None

    def call(self, function: Callable[[], Any], now: Callable[[], float] = time.monotonic) -> Any:
        if self._opened_at is not None and now() - self._opened_at < self.rest:
            raise Unavailable("resting after repeated failures")
        try:
            result = function()
        except Exception:
            self._failures += 1
            if self._failures >= self.limit:
                self._opened_at = now()
            raise
        self._failures, self._opened_at = 0, None
        return result
