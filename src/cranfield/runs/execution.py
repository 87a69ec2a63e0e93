"""Asking a system all queries of a suite: threads, order, and nothing lost."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cranfield.measures import parse_measure
from cranfield.model import Response, Status
from cranfield.runs.measuring import Measuring
from cranfield.runs.store import answer_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.model import Query
    from cranfield.runs.records import Answer, RunHeader
    from cranfield.runs.store import Store
    from cranfield.systems import System

__all__ = ["AskOptions", "Progress", "Silent", "Task", "ask"]

_MOST_WAITING = 1000
_MOST_AT_ONCE = 500
_MOST_RAW = 2000
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
class AskOptions:
    """How tasks are asked: so many at a time; answers may take the place of earlier ones."""

    jobs: int = 1
    progress: Progress = field(default_factory=Silent)
    replacing: bool = False


def ask(
    header: RunHeader, system: System, store: Store, tasks: Sequence[Task], options: AskOptions
) -> None:
    """Ask all tasks, and store every answer with its figures as it arrives."""
    asking = _Asking(header, system)
    jobs = max(1, min(options.jobs, len(tasks)))
    done = 0
    for batch in _batches(asking, tasks, jobs):
        store.add(header.id, [each.row for each in batch], replacing=options.replacing)
        for answer in (each.answer for each in batch):
            done += 1
            query = header.suite.queries[answer.place]
            options.progress.advance(done, len(tasks), query, answer.response)


class _Written(NamedTuple):
    """An answer, and the row that is stored of it."""

    answer: Answer
    row: dict[str, Any]


class _Asking:
    """Asks one task and measures the answer, in whatever thread."""

    def __init__(self, header: RunHeader, system: System) -> None:
        self.system = system
        self._run = header.id
        self._queries = header.suite.queries
        self._limit = header.limit
        measures = [parse_measure(text) for text in header.measures]
        self._measuring = Measuring(header.suite, measures)

    def answer(self, task: Task) -> _Written:
        """Ask; what the system raises, or cannot be kept, is a failure of this query."""
        started = time.perf_counter()
        try:
            response = self._respond(self._queries[task.place])
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - systems may raise anything
            response = Response.failed(Status.ERROR, f"{type(problem).__name__}: {problem}")
        response = replace(response, seconds=time.perf_counter() - started)
        try:
            return self._written(task, response)
        except (TypeError, ValueError, RecursionError) as problem:
            message = f"the answer holds what cannot be written down: {problem}"
            raw = ascii(response)[:_MOST_RAW]
            failed = Response.failed(Status.UNPARSEABLE, ascii(message)[1:-1], raw=raw)
            return self._written(task, replace(failed, seconds=response.seconds))

    def _written(self, task: Task, response: Response) -> _Written:
        answer = self._measuring.answer(task.place, task.repeat, response)
        return _Written(answer, answer_row(self._run, answer))

    def _respond(self, query: Query) -> Response:
        response = self.system.search(query, self._limit)
        if not isinstance(response, Response):
            raise TypeError(f"search returned {type(response).__name__}, not a Response")
        repeated = len(response.hits) - len({hit.id for hit in response.hits})
        if repeated or len(response.hits) > self._limit:
            first = {hit.id: hit for hit in reversed(response.hits)}
            kept = [first[name] for name in dict.fromkeys(hit.id for hit in response.hits)]
            told = response.message or (f"{repeated} repeated hits left out" if repeated else "")
            response = replace(response, hits=tuple(kept[: self._limit]), message=told)
        return response


def _batches(asking: _Asking, tasks: Sequence[Task], jobs: int) -> Iterator[list[_Written]]:
    """Yield what has been answered, whatever there is, in the order of arrival."""
    if jobs == 1 and asking.system.stays_in_thread:
        yield from _in_this_thread(asking, tasks)
        return
    waiting: queue.Queue[_Written | None] = queue.Queue(_MOST_WAITING)
    workers = _Workers(asking, tasks, waiting)
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


def _in_this_thread(asking: _Asking, tasks: Sequence[Task]) -> Iterator[list[_Written]]:
    """Yield each answer as it comes, and those together that come faster than they are stored."""
    batch: list[_Written] = []
    earliest = time.monotonic()
    for task in tasks:
        batch.append(asking.answer(task))
        if not asking.system.answers_at_once or time.monotonic() >= earliest:
            yield batch
            batch = []
            earliest = time.monotonic() + _REST_SECONDS
    if batch:
        yield batch


def _drain(waiting: queue.Queue[_Written | None], earliest: float) -> Iterator[_Written | None]:
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
        self, asking: _Asking, tasks: Sequence[Task], waiting: queue.Queue[_Written | None]
    ) -> None:
        self._asking = asking
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
        try:
            while (task := self._next()) is not None:
                self._waiting.put(self._asking.answer(task))
        finally:
            # Whatever ended this thread, the one that waits must not wait for ever.
            self._waiting.put(None)

    def _next(self) -> Task | None:
        with self._lock:
            return None if self._stopped.is_set() else next(self._tasks, None)
