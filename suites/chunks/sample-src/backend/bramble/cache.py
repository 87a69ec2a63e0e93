"""Small in-memory caches for things that are asked often and change seldom."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Callable, Generic, Hashable, TypeVar

V = TypeVar("V")


class TimedCache(Generic[V]):
    """Remembers values for a number of seconds, and no more than `capacity` of them."""

    def __init__(
        self, seconds: float, capacity: int = 1000, now: Callable[[], float] = time.monotonic
    ):
        self.seconds = seconds
        self.capacity = capacity
        self._now = now
        self._data: OrderedDict[Hashable, tuple[float, V]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._data)

    def get(self, key: Hashable) -> V | None:
        entry = self._data.get(key)
        if entry is None:
            return None
        expires, value = entry
        if expires <= self._now():
            del self._data[key]
            return None
        self._data.move_to_end(key)
        return value

    def put(self, key: Hashable, value: V) -> None:
        self._data[key] = (self._now() + self.seconds, value)
        self._data.move_to_end(key)
        while len(self._data) > self.capacity:
            self._data.popitem(last=False)
