"""Running the queries of a suite on a system: in threads, every answer stored as it arrives."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cranfield.measures import parse_measure
from cranfield.model import Response, Status
from cranfield.runs.grading import Evaluator
from cranfield.runs.store_rows import answer_row
from cranfield.systems import keep_first, mask_response

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.model import Query
    from cranfield.runs.records import Answer, RunHeader
    from cranfield.runs.store import Store
    from cranfield.systems import System

__all__ = ["ExecutionOptions", "Progress", "QueryTask", "Silent", "execute"]

_MOST_WAITING = 1000
_MOST_AT_ONCE = 500
_MOST_RAW = 2000
_REST_SECONDS = 0.005
"""Answers that come faster than this are stored together: a transaction each would cost more."""


class Progress(Protocol):
    """Follows a run; it is called after each answer is stored."""

    def advance(self, done: int, total: int, query: Query, response: Response) -> None:
        """Show that one more query is answered."""


class Silent:
    """Shows nothing."""

    def advance(self, done: int, total: int, query: Query, response: Response) -> None:
        """Show nothing."""


class QueryTask(NamedTuple):
    """One query to be run, for one repetition."""

    place: int
    repeat: int


@dataclass(frozen=True, slots=True)
class ExecutionOptions:
    """How tasks are run: `jobs` at a time; `replacing` lets answers replace earlier ones."""

    jobs: int = 1
    progress: Progress = field(default_factory=Silent)
    replacing: bool = False


def execute(
    header: RunHeader,
    system: System,
    store: Store,
    tasks: Sequence[QueryTask],
    options: ExecutionOptions,
) -> Evaluator:
    """Run all tasks, and store every answer with its figures as it arrives.

    Returns what graded them: it has read every expectation.
    """
    worker = _Worker(header, system)
    jobs = max(1, min(options.jobs, len(tasks)))
    done = 0
    for batch in _batches(worker, tasks, jobs):
        store.add(header.id, [each.row for each in batch], replacing=options.replacing)
        for answer in (each.answer for each in batch):
            done += 1
            query = header.suite.queries[answer.place]
            options.progress.advance(done, len(tasks), query, answer.response)
    return worker.evaluator


class _Written(NamedTuple):
    """An answer, and the row that is stored of it."""

    answer: Answer
    row: dict[str, Any]


class _Worker:
    """Runs one task and evaluates the response, in any thread."""

    def __init__(self, header: RunHeader, system: System) -> None:
        self.system = system
        self._run = header.id
        self._queries = header.suite.queries
        self._limit = header.limit
        measures = [parse_measure(text) for text in header.measures]
        self.evaluator = Evaluator(header.suite, measures)

    def answer(self, task: QueryTask) -> _Written:
        """Run a task; an exception, or a response that cannot be stored, fails this query alone."""
        started = time.perf_counter()
        try:
            response = self._respond(self._queries[task.place])
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - systems may raise anything
            message = self.system.hide(f"{type(problem).__name__}: {problem}")
            response = Response.failed(Status.ERROR, message)
        response = replace(response, seconds=time.perf_counter() - started)
        try:
            return self._written(task, response)
        except (TypeError, ValueError, RecursionError) as problem:
            message = f"the answer holds something that cannot be stored: {problem}"
            raw = ascii(response)[:_MOST_RAW]
            failed = Response.failed(Status.UNPARSEABLE, ascii(message)[1:-1], raw=raw)
            return self._written(task, replace(failed, seconds=response.seconds))

    def _written(self, task: QueryTask, response: Response) -> _Written:
        answer = self.evaluator.evaluate(task.place, task.repeat, response)
        return _Written(answer, answer_row(self._run, answer))

    def _respond(self, query: Query) -> Response:
        response = self.system.search(query, self._limit)
        if not isinstance(response, Response):
            raise TypeError(f"search returned {type(response).__name__}, not a Response")
        response = mask_response(response)
        kept = keep_first(response.hits, self._limit)
        return replace(response, hits=kept.hits, repeated=response.repeated + kept.repeated)


def _batches(worker: _Worker, tasks: Sequence[QueryTask], jobs: int) -> Iterator[list[_Written]]:
    """Yield answers in the order of arrival, as many at a time as there are."""
    if jobs == 1 and worker.system.stays_in_thread:
        yield from _in_this_thread(worker, tasks)
        return
    waiting: queue.Queue[_Written | None] = queue.Queue(_MOST_WAITING)
    threads = _WorkerThreads(worker, tasks, waiting)
    threads.start(jobs)
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
        threads.stop()


def _in_this_thread(worker: _Worker, tasks: Sequence[QueryTask]) -> Iterator[list[_Written]]:
    """Yield each answer as it comes, and those together that come faster than they are stored."""
    batch: list[_Written] = []
    earliest = time.monotonic()
    for task in tasks:
        batch.append(worker.answer(task))
        if not worker.system.answers_at_once or time.monotonic() >= earliest:
            yield batch
            batch = []
            earliest = time.monotonic() + _REST_SECONDS
    if batch:
        yield batch


def _drain(waiting: queue.Queue[_Written | None], earliest: float) -> Iterator[_Written | None]:
    """Yield one answer, waiting for it, then all others that have arrived, not too early."""
    yield waiting.get()
    if (early := earliest - time.monotonic()) > 0:
        time.sleep(early)
    for _ in range(_MOST_AT_ONCE):
        try:
            yield waiting.get_nowait()
        except queue.Empty:
            return


class _WorkerThreads:
    """Threads that take the next task until there is none."""

    def __init__(
        self, worker: _Worker, tasks: Sequence[QueryTask], waiting: queue.Queue[_Written | None]
    ) -> None:
        self._worker = worker
        self._tasks = iter(tasks)
        self._waiting = waiting
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def start(self, jobs: int) -> None:
        for number in range(jobs):
            # A system that hangs must not keep the program from ending.
            threading.Thread(target=self._work, name=f"query-{number}", daemon=True).start()

    def stop(self) -> None:
        """Take no further task, and drop answers that nobody has received."""
        self._stopped.set()
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                return

    def _work(self) -> None:
        try:
            while (task := self._next()) is not None:
                self._waiting.put(self._worker.answer(task))
        finally:
            # Whatever ended this thread, the reader must not wait for ever.
            self._waiting.put(None)

    def _next(self) -> QueryTask | None:
        with self._lock:
            return None if self._stopped.is_set() else next(self._tasks, None)
