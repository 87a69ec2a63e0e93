"""What pages are made of: a project, its store and baselines as they are now, and pages kept."""

from __future__ import annotations

import gc
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import StoreError
from cranfield.evaluation.project import open_project
from cranfield.gates.baseline_files import DEFAULT_BASELINE, find_baselines, read_baseline
from cranfield.runs.records import RunState

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from pathlib import Path

    from cranfield.evaluation.project import Project
    from cranfield.gates.baselines import Baseline
    from cranfield.runs.store import Store

__all__ = [
    "CachedPage",
    "PageCache",
    "Progress",
    "Workbench",
]


class Progress(NamedTuple):
    """How far a run is that has not come to its end; `quiet` are seconds without an answer."""

    run: str
    done: int
    total: int
    failed: int
    quiet: float


class Workbench:
    """A project that may change while it is looked at.

    The file of the project is read again if it changes; the store is opened when there is one.
    """

    def __init__(
        self, config: str | None, store: str | None, environment: Mapping[str, str]
    ) -> None:
        self.environment = environment
        self._config = config
        self._place = store
        self._lock = Lock()
        self._project = open_project(config, environment)
        self._stamp = _stamp(self._project.file)
        self._project.require_file_or_store(store)
        self._store = self._open_store() if self._project.names_store(store) else None
        self._totals: dict[str, int] = {}
        self._seen: dict[str, tuple[int, float]] = {}

    @property
    def project(self) -> Project:
        """The project as its file is now."""
        with self._lock:
            now = _stamp(self._project.file)
            if now != self._stamp:
                self._project = open_project(self._project.file or self._config, self.environment)
                self._stamp = now
            return self._project

    def project_stamp(self) -> Hashable:
        """Return what changes when the project's file does."""
        return _stamp(self._project.file)

    @property
    def store(self) -> Store | None:
        """The store; None as long as nothing is stored."""
        with self._lock:
            if self._store is None and self._project.has_store(self._place):
                self._store = self._open_store()
            return self._store

    def _open_store(self) -> Store:
        """Open the store; a page says at once that its server is away."""
        return self._project.open_existing_store(self._place, patience=0.0)

    def require_store(self) -> Store:
        """Return the store; raise StoreError as long as there is none."""
        if (store := self.store) is None:
            raise StoreError("nothing is stored yet; `cranfield run` stores the first run")
        return store

    def baselines(self) -> dict[str, Baseline]:
        """Return the accepted baselines by suite."""
        found = find_baselines(self._project.folder, DEFAULT_BASELINE)
        return {suite: read_baseline(path) for suite, path in found.items()}

    def baseline_stamps(self) -> Hashable:
        """Return what changes when a baseline does."""
        found = find_baselines(self._project.folder, DEFAULT_BASELINE)
        return tuple((suite, _stamp(path)) for suite, path in found.items())

    def progress(self) -> list[Progress]:
        """Return how far the runs are that have not come to their end."""
        if (store := self.store) is None:
            return []
        running = [run for run, state, _ in store.states() if state == RunState.RUNNING]
        return [self._progress_of(store, run) for run in running]

    def _progress_of(self, store: Store, run: str) -> Progress:
        if run not in self._totals:
            header = store.header(run)
            self._totals[run] = len(header.suite.queries) * header.repeats
        done, failed = store.count_answers(run)
        now = monotonic()
        before, since = self._seen.get(run, (-1, now))
        if before != done:
            self._seen[run] = (done, now)
            since = now
        return Progress(run, done, self._totals[run], failed, now - since)

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()


def _stamp(path: Path | None) -> tuple[int, int]:
    if path is None:
        return (0, 0)
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


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
