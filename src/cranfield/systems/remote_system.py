"""A system searched by the workers of a cluster; answers are graded and stored here.

Each worker opens the system once. A query whose worker is lost is asked again of another one, so
that a run has the same answers as one made in this process.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cranfield.errors import SystemUnusableError
from cranfield.executors import find_workers
from cranfield.systems.fingerprints import changed_files, fingerprint_files
from cranfield.systems.system import System, SystemContext, open_system

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from cranfield.executors import StartWorkers
    from cranfield.model import Query, Response
    from cranfield.systems.fingerprints import FileFingerprint
    from cranfield.systems.system import SystemSpec

    Opener: TypeAlias = Callable[[SystemSpec, Mapping[str, str]], System]

__all__ = ["RemoteSystem", "find_opener", "refuse_other_build"]


def find_opener(executor: str) -> Opener:
    """Return what opens systems in this process, or with the workers that `--executor` names."""
    start = find_workers(executor)
    return open_system if start is None else partial(RemoteSystem, start)


class RemoteSystem(System):
    """Asks a worker of its own for each query that is searched at the same time."""

    def __init__(
        self, start: StartWorkers, spec: SystemSpec, environment: Mapping[str, str]
    ) -> None:
        found = replace(spec, folder=spec.folder.resolve())
        self._variables = SystemContext(found.folder, dict(environment)).variables
        files = fingerprint_files(found.paths())
        self._workers = start(partial(_open_same, found, dict(environment), files))

    def search(self, query: Query, limit: int) -> Response:
        """Ask a worker; if it is lost, ask another one."""
        response: Response = self._workers.call("search", query, limit)
        return response

    def hide(self, text: str) -> str:
        """Return a text without secrets, the values of variables included."""
        return self._variables.hide(text)

    def check(self) -> None:
        """Raise SystemUnusableError if a worker cannot use the system."""
        self._workers.call("check")

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Let a worker check what queries demand."""
        notices: list[str] = self._workers.call("check_queries", tuple(queries))
        return notices

    def close(self) -> None:
        """Let the workers go."""
        self._workers.close()


def _open_same(
    spec: SystemSpec, environment: Mapping[str, str], files: Mapping[str, FileFingerprint]
) -> System:
    """Open a system in a worker, if its files are the same there."""
    refuse_other_build(spec.name, files, spec.paths())
    return open_system(spec, environment)


def refuse_other_build(
    name: str, files: Mapping[str, FileFingerprint], paths: Iterable[str | Path]
) -> None:
    """Raise SystemUnusableError if a worker's files are not those of the machine that asks it."""
    changes = changed_files(files, fingerprint_files(paths))
    if changes:
        raise SystemUnusableError(
            f"a worker of the cluster has another build of {name}: {'; '.join(changes)}; keep its "
            "files in a folder that all machines share"
        )
