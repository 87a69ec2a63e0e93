"""Asking a system all queries of a suite: threads, order, and nothing lost."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cranfield.measures import parse_measure
from cranfield.model import Response, Status
from cranfield.runs.measuring import Measuring

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.model import Query, Suite
    from cranfield.runs.records import Answer, RunHeader
    from cranfield.runs.store import Store
    from cranfield.systems import System

__all__ = ["AskOptions", "Progress", "Silent", "Task", "ask"]

_MOST_WAITING = 1000
_MOST_AT_ONCE = 500
_REST_SECONDS = 0.005
"""Answers that come faster than this are stored together: a transaction each would cost more."""


class Progress(Protocol):
    """Is told of every answer, after it is stored."""

    def advance(self, done: int, total: int, query: Query, response: Response) -> None:
        """Show that one more query is answered."""


class Silent:
    """Shows nothing."""

    def advance(self, done: int, total: int, query: Query, response: Response) -> None:
        """Show nothing."""


class Task(NamedTuple):
    """One query to be asked for one repetition."""

    place: int
    repeat: int


@dataclass(frozen=True, slots=True)
class _Received:
    task: Task
    response: Response


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How tasks are asked: so many at a time; answers may take the place of earlier ones."""

    jobs: int = 1
    progress: Progress = field(default_factory=Silent)
    replacing: bool = False


def ask(
    header: RunHeader, system: System, store: Store, tasks: Sequence[Task], options: AskOptions
) -> None:
    """Ask all tasks, and store every answer with its figures as it arrives."""
    measuring = Measuring(header.suite, [parse_measure(text) for text in header.measures])
    jobs = max(1, min(options.jobs, len(tasks)))
    done = 0
    for received in _batches(header.suite, system, tasks, header.limit, jobs):
        answers: list[Answer] = [
            measuring.answer(each.task.place, each.task.repeat, each.response) for each in received
        ]
        store.add(header.id, answers, replacing=options.replacing)
        for each in received:
            done += 1
            query = header.suite.queries[each.task.place]
            options.progress.advance(done, len(tasks), query, each.response)


def _batches(
    suite: Suite, system: System, tasks: Sequence[Task], limit: int, jobs: int
) -> Iterator[list[_Received]]:
    """Yield what has been answered, whatever there is, in the order of arrival."""
    if jobs == 1 and system.stays_in_thread:
        for task in tasks:
            yield [_Received(task, _ask_one(system, suite.queries[task.place], limit))]
        return
    waiting: queue.Queue[_Received | None] = queue.Queue(_MOST_WAITING)
    workers = _Workers(suite, system, tasks, limit, waiting)
    workers.start(jobs)
    finished = 0
    earliest = time.monotonic()
    try:
        while finished < jobs:
            batch = []
            for received in _drain(waiting, earliest):
                if received is None:
                    finished += 1
                else:
                    batch.append(received)
            if batch:
                yield batch
            earliest = time.monotonic() + _REST_SECONDS
    finally:
        workers.stop()


def _drain(waiting: queue.Queue[_Received | None], earliest: float) -> Iterator[_Received | None]:
    """Yield one answer, waiting for it, and those that are there besides, not too early."""
    yield waiting.get()
    if (early := earliest - time.monotonic()) > 0:
        time.sleep(early)
    for _ in range(_MOST_AT_ONCE):
        try:
            yield waiting.get_nowait()
        except queue.Empty:
            return


class _Workers:
    """Threads that take the next task until there is none."""

    def __init__(
        self,
        suite: Suite,
        system: System,
        tasks: Sequence[Task],
        limit: int,
        waiting: queue.Queue[_Received | None],
    ) -> None:
        self._suite = suite
        self._system = system
        self._limit = limit
        self._tasks = iter(tasks)
        self._waiting = waiting
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def start(self, jobs: int) -> None:
        for number in range(jobs):
            # A system that hangs must not keep the program from ending.
            threading.Thread(target=self._work, name=f"asking-{number}", daemon=True).start()

    def stop(self) -> None:
        """Take no further task; what waits to be handed over is let go."""
        self._stopped.set()
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                return

    def _work(self) -> None:
        while (task := self._next()) is not None:
            response = _ask_one(self._system, self._suite.queries[task.place], self._limit)
            self._waiting.put(_Received(task, response))
        self._waiting.put(None)

    def _next(self) -> Task | None:
        with self._lock:
            return None if self._stopped.is_set() else next(self._tasks, None)


def _ask_one(system: System, query: Query, limit: int) -> Response:
    started = time.perf_counter()
    try:
        response = system.search(query, limit)
    except Exception as problem:  # noqa: BLE001 - a system that raises has failed this query
        response = Response.failed(Status.ERROR, f"{type(problem).__name__}: {problem}")
    return replace(response, seconds=time.perf_counter() - started)
