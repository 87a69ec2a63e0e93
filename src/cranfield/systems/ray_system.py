"""A system searched by the workers of a Ray cluster; answers are graded and stored here.

Each worker opens the system once. A query whose worker is lost is asked again of another one, so
that a run has the same answers as one made in this process.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import SystemUnusableError
from cranfield.systems.executors import Executor
from cranfield.systems.fingerprints import changed_files, fingerprint_files
from cranfield.systems.system import System, SystemContext, open_system

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.model import Query, Response
    from cranfield.systems.fingerprints import FileFingerprint
    from cranfield.systems.system import SystemSpec

__all__ = ["RAY", "RaySystem"]

_MOST_LOST = 3
"""A query that so many workers did not survive fails."""


class RaySystem(System):
    """Asks a worker of its own for each query that is searched at the same time."""

    def __init__(self, spec: SystemSpec, environment: Mapping[str, str], address: str) -> None:
        self._ray = _connect(address)
        self._spec = replace(spec, folder=spec.folder.resolve())
        self._environment = dict(environment)
        self._files = fingerprint_files(self._spec.paths())
        self._variables = SystemContext(self._spec.folder, self._environment).variables
        self._idle: list[Any] = []
        self._lock = threading.Lock()

    def search(self, query: Query, limit: int) -> Response:
        """Ask a worker; if it is lost, ask another one."""
        response: Response = self._ask("search", query, limit)
        return response

    def hide(self, text: str) -> str:
        """Return a text without secrets, the values of variables included."""
        return self._variables.hide(text)

    def check(self) -> None:
        """Raise SystemUnusableError if a worker cannot use the system."""
        self._ask("check")

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Let a worker check what queries demand."""
        notices: list[str] = self._ask("check_queries", tuple(queries))
        return notices

    def close(self) -> None:
        """Let the workers go."""
        with self._lock:
            workers, self._idle = self._idle, []
        for worker in workers:
            self._ray.kill(worker)

    def _ask(self, name: str, *arguments: Any) -> Any:
        for _ in range(_MOST_LOST):
            worker = self._take()
            try:
                unusable, answer = self._ray.get(worker.ask.remote(name, arguments))
            except self._ray.exceptions.RayActorError:
                continue  # the worker is lost: another one is asked
            with self._lock:
                self._idle.append(worker)
            if unusable:
                raise SystemUnusableError(unusable)
            return answer
        raise SystemUnusableError(
            f"{_MOST_LOST} workers of the Ray cluster were lost one after the other while they "
            "answered this query"
        )

    def _take(self) -> Any:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        remote = self._ray.remote(max_restarts=0)(_Worker)
        return remote.remote(self._spec, self._environment, self._files)


class _Worker:
    """Opens a system in a process of the cluster, with the first thing that is asked of it."""

    def __init__(
        self,
        spec: SystemSpec,
        environment: Mapping[str, str],
        files: Mapping[str, FileFingerprint],
    ) -> None:
        self._spec = spec
        self._environment = environment
        self._files = files
        self._system: System | None = None

    def ask(self, name: str, arguments: Sequence[Any]) -> tuple[str, Any]:
        """Call a method of the system; return why it cannot be used, or its answer."""
        try:
            if self._system is None:
                self._system = self._open()
            return "", getattr(self._system, name)(*arguments)
        except SystemUnusableError as problem:
            return str(problem), None

    def _open(self) -> System:
        changes = changed_files(self._files, fingerprint_files(self._spec.paths()))
        if changes:
            raise SystemUnusableError(
                f"a worker of the Ray cluster has another build of {self._spec.name}: "
                f"{'; '.join(changes)}; keep its files in a folder that all machines share"
            )
        return open_system(self._spec, self._environment)


def _connect(address: str) -> Any:
    """Connect to a cluster: this one, that of RAY_ADDRESS, or one started on this machine."""
    try:
        import ray
    except ImportError:
        raise SystemUnusableError(
            "--executor ray needs the extra ray: pip install 'cranfield[ray]'"
        ) from None
    if ray.is_initialized():
        return ray
    try:
        ray.init(address or None, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as problem:
        raise SystemUnusableError(
            f"no Ray cluster at {address or 'RAY_ADDRESS'}: {problem}"
        ) from None
    return ray


RAY = Executor("ray", "workers of a Ray cluster", RaySystem, takes_address=True)
