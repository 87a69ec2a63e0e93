"""What a system is: something that answers queries, seen from the outside."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import InputError, SystemUnusableError, UnknownNameError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cranfield.errors import CranfieldError
    from cranfield.model import Query, Response

__all__ = [
    "SYSTEMS",
    "Settings",
    "Surroundings",
    "System",
    "SystemKind",
    "SystemSpec",
    "open_system",
]


class System(ABC):
    """A search system. `search` may be called from several threads at once.

    A failure to answer is a response with its status, not an exception. Whatever is raised all
    the same is recorded as an error of that query. `close` may be called while others still
    search; these then get an error soon. A system that `stays_in_thread` is asked in the thread
    of whoever runs it, unless several jobs are wanted. One that `answers_at_once` never waits
    for anything, so that an answer need not be stored before the next is asked for.
    """

    stays_in_thread: bool = False
    answers_at_once: bool = False

    @abstractmethod
    def search(self, query: Query, limit: int) -> Response:
        """Answer one query with at most `limit` hits."""

    def check(self) -> None:  # noqa: B027 - most systems have nothing to check
        """Raise SystemUnusableError if no query can be answered; called before the first."""

    def close(self) -> None:  # noqa: B027 - most systems have nothing to let go of
        """Let go of processes and connections."""


class Settings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What every kind of system can be told.

    `files` are what the system is made of (a binary, an index): they are fingerprinted, and have
    to be the same after a run. `database` is one of them, and the one that sql rules ask;
    `corpus` are those that hold what is searched, so that a baseline of another corpus is told.
    `prepare` is a command that makes them, run where one is missing or the corpus changed.
    `timeout` is in seconds, for one query.
    """

    files: list[str] = msgspec.field(default_factory=list)
    database: str = ""
    corpus: list[str] = msgspec.field(default_factory=list)
    prepare: list[str] = msgspec.field(default_factory=list)
    timeout: float = 30.0

    def __post_init__(self) -> None:
        if not (self.timeout > 0 and math.isfinite(self.timeout)):
            raise ValueError(f"timeout must be more than 0 seconds, not {self.timeout:g}")

    def made_of(self) -> list[str]:
        """Return the files that the system is made of, the database first."""
        database = [self.database] if self.database else []
        return [*database, *self.files, *self.corpus]

    def made_with(self) -> str:
        """Name what else decides how `prepare` makes the files: programs, in their versions."""
        return ""

    def find_database(self, folder: Path) -> Path | None:
        """Return the database that sql rules ask."""
        return folder / self.database if self.database else None

    def found_files(self, folder: Path) -> list[Path]:  # noqa: ARG002 - for kinds to override
        """Return files that the system is made of though nobody named them as such."""
        return []


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a system is: the folder that its paths start from, and the environment it sees."""

    folder: Path = Path()
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SystemKind:
    """A kind of system: what it is told, and how one is made of that."""

    name: str
    summary: str
    example: str
    settings: type[Settings]
    open: Callable[[Any, Surroundings], System]


SYSTEMS: Registry[SystemKind] = Registry("kind of system", SystemKind, group="cranfield.systems")


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A system as it is written down: its name, its kind and what it is told.

    Relative paths start from `folder`, which is that of the file the system is written in.
    """

    name: str
    kind: str
    settings: Mapping[str, Any]
    folder: Path
    file: str = ""
    line: int | None = None

    def read_settings(self) -> Settings:
        """Check what the system is told against what its kind understands."""
        kind = SYSTEMS.get(self.kind)
        known = [each.name for each in msgspec.structs.fields(kind.settings)]
        for name in self.settings:
            if name not in known:
                problem = UnknownNameError(f"setting of the kind {kind.name}", name, known)
                raise self._error(str(problem))
        try:
            return msgspec.convert(dict(self.settings), kind.settings)
        except (msgspec.ValidationError, SystemUnusableError) as problem:
            raise self._error(
                f"{problem}; a system of the kind {kind.name} looks like:\n{kind.example}"
            ) from None

    def paths(self) -> list[Path]:
        """Return the files that the system is made of, the database first."""
        settings = self.read_settings()
        named = [self.folder / name for name in settings.made_of()]
        return list(dict.fromkeys((*named, *settings.found_files(self.folder))))

    @property
    def database(self) -> Path | None:
        """The database that sql rules ask."""
        return self.read_settings().find_database(self.folder)

    def _error(self, message: str) -> CranfieldError:
        if self.file:
            message = f"[systems.{self.name}] {message}"
            return InputError(message, file=self.file, line=self.line)
        return SystemUnusableError(f"system {self.name!r}: {message}")


class _NamedSystem(System):
    """A system that is called by its name when it cannot be used."""

    def __init__(self, spec: SystemSpec, surroundings: Surroundings) -> None:
        self._name = spec.name
        settings = spec.read_settings()
        with self._naming():
            self.system = SYSTEMS.get(spec.kind).open(settings, surroundings)
        self.stays_in_thread = self.system.stays_in_thread
        self.answers_at_once = self.system.answers_at_once

    def search(self, query: Query, limit: int) -> Response:
        """Answer one query."""
        return self.system.search(query, limit)

    def check(self) -> None:
        """Raise SystemUnusableError, with the name, if no query can be answered."""
        with self._naming():
            self.system.check()

    def close(self) -> None:
        """Let go of processes and connections."""
        self.system.close()

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except SystemUnusableError as problem:
            raise SystemUnusableError(f"system {self._name!r}: {problem}") from problem.__cause__


def open_system(spec: SystemSpec, environment: Mapping[str, str]) -> System:
    """Make the system that is written down, without asking it anything."""
    return _NamedSystem(spec, Surroundings(spec.folder, environment))
