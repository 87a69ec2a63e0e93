"""Fairness among clients: a bucket for each, refilled at a steady pace."""

from __future__ import annotations

import time
from typing import Callable

from bramble.cache import TimedCache
from bramble.errors import TooMany


class Bucket:
    def __init__(self, size: float, per_second: float, now: float) -> None:
        self.size = size
        self.per_second = per_second
        self._level = size
        self._seen = now

    def take(self, now: float) -> bool:
        self._level = min(self.size, self._level + (now - self._seen) * self.per_second)
        self._seen = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def wait_seconds(self) -> float:
        return max(0.0, (1 - self._level) / self.per_second)


class Throttle:
    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._now = now
        self._buckets: TimedCache[Bucket] = TimedCache(seconds=600, capacity=10_000)

    def check(self, client: str) -> None:
        """Raise TooMany for a client whose bucket is empty, with the time to wait."""
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = Bucket(self._per_minute, self._per_minute / 60, self._now())
            self._buckets.put(client, bucket)
        if not bucket.take(self._now()):
            raise TooMany("please slow down", seconds=round(bucket.wait_seconds(), 1))
