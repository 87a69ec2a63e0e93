"""Pages that were made before, by what they were made of; the longest unused are forgotten."""

from __future__ import annotations

import gc
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["CachedPage", "PageCache"]

_MOST_BYTES = 128_000_000


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page as it is sent, and the mark by which a browser asks whether it changed."""

    content: bytes
    mark: str


def _make(make: Callable[[], str]) -> str:
    """Make a page without looking for garbage meanwhile: all that is made is needed until the end.

    A page of 10,000 queries consists of hundreds of thousands of values, and looking through them
    again and again takes a third of the time. A page that another thread makes at the same time
    may be looked through earlier, which costs only time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return make()
    finally:
        if was_enabled:
            gc.enable()


class PageCache:
    """Keeps pages; two requests for one page make it once."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most = most_bytes
        self._pages: OrderedDict[Hashable, CachedPage] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], str]) -> CachedPage:
        """Return a page, made now if it is not kept."""
        with self._lock:
            making = self._making.setdefault(key, Lock())
        with making:
            try:
                return self._find(key) or self._keep(key, _make(make))
            finally:
                with self._lock:
                    self._making.pop(key, None)

    def _find(self, key: Hashable) -> CachedPage | None:
        with self._lock:
            found = self._pages.get(key)
            if found is not None:
                self._pages.move_to_end(key)
            return found

    def _keep(self, key: Hashable, text: str) -> CachedPage:
        content = text.encode("utf-8", "backslashreplace")
        made = CachedPage(content, f'"{sha256(content).hexdigest()[:32]}"')
        with self._lock:
            self._pages[key] = made
            while sum(len(each.content) for each in self._pages.values()) > self._most:
                self._pages.popitem(last=False)
        return made
