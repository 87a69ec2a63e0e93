"""The workers of a Ray cluster; the work of a worker that is lost is repeated by another."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, LostWorkersError, SystemUnusableError
from cranfield.executors import Executor, Workers
from cranfield_shared.signals import kept_handlers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["RAY", "RayWorkers"]

_MOST_LOST = 3
"""Work that so many workers did not survive fails."""
_SECONDS_TO_CLOSE = 10.0


class RayWorkers(Workers):
    """Starts a worker for each call that finds none idle, and keeps it for the next."""

    def __init__(self, address: str, open_object: Callable[[], Any]) -> None:
        self._ray = _connect(address)
        self._open_object = open_object
        self._idle: list[Any] = []
        self._lock = threading.Lock()

    @property
    def count(self) -> int:
        """The processors of the cluster."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a method in a worker; if that is lost, in another one."""
        for _ in range(_MOST_LOST):
            worker = self._take()
            try:
                problem, answer = self._ray.get(worker.call.remote(name, arguments))
            except self._ray.exceptions.RayActorError:
                continue  # the worker is lost: another one is asked
            with self._lock:
                self._idle.append(worker)
            if problem is not None:
                raise problem
            return answer
        raise LostWorkersError(
            f"{_MOST_LOST} workers of the Ray cluster were lost one after the other while they "
            "did the same work"
        )

    def close(self) -> None:
        """Let the workers close their objects, and end; who takes too long is ended anyway."""
        with self._lock:
            workers, self._idle = self._idle, []
        closed = [worker.close.remote() for worker in workers]
        if closed:
            self._ray.wait(closed, num_returns=len(closed), timeout=_SECONDS_TO_CLOSE)
        for worker in workers:
            self._ray.kill(worker)

    def _take(self) -> Any:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._ray.remote(max_restarts=0)(_Worker).remote(self._open_object)


class _Worker:
    """A process of the cluster; it opens its object with the first call."""

    def __init__(self, open_object: Callable[[], Any]) -> None:
        self._open_object = open_object
        self._object: Any = None

    def call(self, name: str, arguments: Sequence[Any]) -> tuple[CranfieldError | None, Any]:
        """Call a method of the object; return its error, or its answer."""
        try:
            if self._object is None:
                self._object = self._open_object()
            return None, getattr(self._object, name)(*arguments)
        except CranfieldError as problem:
            return _make_portable(problem), None

    def close(self) -> None:
        """Close the object, if it was opened."""
        if self._object is not None:
            self._object.close()


def _make_portable(problem: CranfieldError) -> CranfieldError:
    """Return an error with the same message that can be sent: not every one can be rebuilt."""
    is_unusable = isinstance(problem, SystemUnusableError)
    return SystemUnusableError(str(problem)) if is_unusable else CranfieldError(str(problem))


def _connect(address: str) -> Any:
    """Connect to a cluster: this one, that of RAY_ADDRESS, or one started on this machine."""
    os.environ.setdefault("RAY_TQDM_PATCH_PRINT", "0")  # Ray would replace this process's print
    try:
        import ray
    except ImportError:
        raise SystemUnusableError(
            "--executor ray needs the extra ray: pip install 'cranfield[ray]'"
        ) from None
    if ray.is_initialized():
        return ray
    try:
        with kept_handlers():  # Ray would end this process at SIGTERM
            ray.init(address or None, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as problem:
        raise SystemUnusableError(
            f"no Ray cluster at {address or 'RAY_ADDRESS'}: {problem}"
        ) from None
    return ray


RAY = Executor("ray", "workers of a Ray cluster", RayWorkers, takes_address=True)
