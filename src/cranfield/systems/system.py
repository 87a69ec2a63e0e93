"""What a system is: anything that answers queries, whatever is behind it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import InputError, SystemUnusableError, UnknownNameError
from cranfield.formats import count_queries
from cranfield.registry import Registry
from cranfield.systems.environment_variables import Variables
from cranfield.systems.fingerprints import find_imported
from cranfield.systems.masked_secrets import find_literal_secrets
from cranfield_shared.secret_kinds import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cranfield.errors import CranfieldError
    from cranfield.model import Query, Response
    from cranfield.systems.tool_server import ToolServer

__all__ = [
    "SYSTEMS",
    "InitOption",
    "Settings",
    "System",
    "SystemContext",
    "SystemKind",
    "SystemSpec",
    "find_tool_server",
    "open_system",
]


class System(ABC):
    """A search system. `search` may be called from several threads at once.

    A failure to answer is a response with its status, not an exception; an exception is recorded
    as an error of that query. `close` may be called while other threads search; these then soon
    get an error. A system that `stays_in_thread` is searched in the caller's thread unless
    several jobs are wanted. One that `answers_at_once` never waits for anything, so answers
    can be stored in batches.
    """

    stays_in_thread: bool = False
    answers_at_once: bool = False

    @abstractmethod
    def search(self, query: Query, limit: int) -> Response:
        """Answer one query with at most `limit` hits."""

    def hide(self, text: str) -> str:
        """Return what was said about a failure without secrets, to be stored and shown."""
        return mask_secrets(text)

    def check(self) -> None:  # noqa: B027 - most systems have nothing to check
        """Raise SystemUnusableError if no query can be answered; called before the first query."""

    def check_queries(self, queries: Sequence[Query]) -> list[str]:  # noqa: ARG002 - likewise
        """Raise SystemUnusableError if it cannot honour what queries demand, such as a filter.

        Returns what a reader of the figures must know of demands that it may not have honoured. A
        system that gets the whole query honours all of it.
        """
        return []

    def close(self) -> None:  # noqa: B027 - most systems hold nothing open
        """Release processes and connections."""


class Settings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The settings that every kind of system has.

    `files` are what the system consists of (a binary, an index): they are fingerprinted, and must
    not change during a run. `database` is one of them, the one that `sql` rules query. `corpus`
    are those that hold what is searched, so a baseline of another corpus is noticed.
    `prepare` is a command that builds them, run if one is missing or anything it reads has changed:
    its program, arguments that are files, the corpus, and `inputs` (files, folders, patterns).
    `timeout` is in seconds, for one query. `ignored_filters` are filters of queries that the system
    is knowingly searched without; others that it cannot honour are refused.
    """

    files: list[str] = msgspec.field(default_factory=list)
    database: str = ""
    corpus: list[str] = msgspec.field(default_factory=list)
    prepare: list[str] = msgspec.field(default_factory=list)
    inputs: list[str] = msgspec.field(default_factory=list)
    timeout: float = 30.0
    ignored_filters: list[str] = msgspec.field(default_factory=list)

    def __post_init__(self) -> None:
        if self.inputs and not self.prepare:
            raise ValueError("inputs is what prepare reads; give the command prepare as well")
        if not (self.timeout > 0 and math.isfinite(self.timeout)):
            raise ValueError(f"timeout must be more than 0 seconds, not {self.timeout:g}")

    def named_files(self) -> list[str]:
        """Return the files that the settings name, the database first."""
        database = [self.database] if self.database else []
        return [*database, *self.files, *self.corpus]

    def builder(self) -> str:
        """Name the versions of programs that also decide what `prepare` builds."""
        return ""

    def find_database(self, folder: Path) -> Path | None:
        """Return the database that `sql` rules query."""
        return folder / self.database if self.database else None

    def implied_files(self, folder: Path) -> list[Path]:  # noqa: ARG002 - for kinds to override
        """Return further files of the system that no setting lists as such."""
        return []


@dataclass(frozen=True)
class SystemContext:
    """The folder that a system's paths start from, and the environment it sees."""

    folder: Path = Path()
    environment: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def variables(self) -> Variables:
        """The environment as settings use it; what was used is hidden in all that comes back."""
        return Variables(self.environment)


@dataclass(frozen=True, slots=True)
class InitOption:
    """How `cranfield init` takes a system of some kind: an option, and the setting it becomes.

    `needs_query` returns whether the settings must hold {query} somewhere. `relocate` gets
    settings, the folder they were typed in and the relative path to it from the folder of
    cranfield.toml, and returns the settings to write there. `filled` says what is filled in.
    """

    option: str
    setting: str
    example: str
    read: Callable[[str], Any] = str
    needs_query: Callable[[Mapping[str, Any]], bool] = lambda _: False
    relocate: Callable[[Mapping[str, Any], Path, str], dict[str, Any]] | None = None
    filled: str = "{query} is filled in for each query, {k} is the number of hits."


@dataclass(frozen=True, slots=True)
class SystemKind:
    """A kind of system: its settings, and how a system is opened with them.

    `init` is there for kinds that `cranfield init` can set up. `find_indexes` is there for kinds
    whose documents `cranfield check` can read: it gets the settings and the folder. `refuses` are
    common settings that have no effect on this kind, each with the reason. `serve` is there for
    kinds that agents can be given as an MCP server; it returns None for settings that the server
    would not honour.
    """

    name: str
    summary: str
    example: str
    settings: type[Settings]
    open: Callable[[Any, SystemContext], System]
    init: InitOption | None = None
    find_indexes: Callable[[Any, Path], list[Path]] | None = None
    refuses: Mapping[str, str] = field(default_factory=dict)
    serve: Callable[[Any, SystemContext], ToolServer | None] | None = None

    def find_mistakes(self, names: Iterable[str]) -> list[str]:
        """Describe every setting that this kind does not have, or that has no effect on it."""
        fields = msgspec.structs.fields(self.settings)
        known = [each.name for each in fields if each.name not in self.refuses]
        return [
            f"{name} has no effect on the kind {self.name}: {self.refuses[name]}; take it out"
            if name in self.refuses
            else str(UnknownNameError(f"setting of the kind {self.name}", name, known))
            for name in names
            if name not in known
        ]

    def takes_texts(self, name: str) -> bool:
        """Return whether a setting holds texts alone, such as the arguments of a command."""
        declared = {each.name: each.type for each in msgspec.structs.fields(self.settings)}
        return name in declared and _holds_texts(msgspec.inspect.type_info(declared[name]))


def _holds_texts(declared: msgspec.inspect.Type) -> bool:
    """Return whether a type is text, or a list, a table or a choice of nothing but texts."""
    match declared:
        case msgspec.inspect.DictType():
            return _holds_texts(declared.value_type)
        case msgspec.inspect.ListType() | msgspec.inspect.VarTupleType():
            return _holds_texts(declared.item_type)
        case msgspec.inspect.UnionType():
            return all(map(_holds_texts, declared.types))
        case _:
            return isinstance(declared, msgspec.inspect.StrType)


SYSTEMS: Registry[SystemKind] = Registry("kind of system", SystemKind, group="cranfield.systems")

_BUILT_IN = {
    "command": "command_system",
    "http": "http_system",
    "mcp": "mcp_system",
    "postgres": "postgres_system",
    "python": "python_system",
    "recorded": "recorded_system",
    "runfile": "run_file_system",
    "stacks": "stacks_system",
}
for _name, _module in _BUILT_IN.items():
    _constant = _module.upper()  # it is named as its file
    SYSTEMS.register_reference(_name, f"cranfield.systems.{_module}:{_constant}")


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A system as configured: its name, its kind and its settings, not checked yet.

    Relative paths start from `folder`, the folder of the configuration file.
    """

    name: str
    kind: str
    settings: Mapping[str, Any]
    folder: Path
    file: str = ""
    line: int | None = None
    _read: list[tuple[Mapping[str, Any], str, Settings]] = field(
        default_factory=list, repr=False, compare=False
    )

    def read_settings(self) -> Settings:
        """Check the settings against those of the kind; they are checked once."""
        for settings, of_kind, read in self._read:
            # A copy of the spec with other settings shares this list.
            if settings is self.settings and of_kind == self.kind:
                return read
        checked = self._check_settings()
        self._read.append((self.settings, self.kind, checked))
        return checked

    def _check_settings(self) -> Settings:
        kind = SYSTEMS.get(self.kind)
        mistakes = [*kind.find_mistakes(self.settings), *find_literal_secrets(self.settings)]
        if mistakes:
            raise self._error("; ".join(mistakes))
        try:
            return msgspec.convert(dict(self.settings), kind.settings)
        except (msgspec.ValidationError, SystemUnusableError) as problem:
            raise self._error(
                f"{problem}; a system of the kind {kind.name} looks like:\n{kind.example}"
            ) from None

    def paths(self) -> list[Path]:
        """Return all files that the system consists of, the database first.

        Of a Python file, also those beside it that it imports, unless it is searched.
        """
        settings = self.read_settings()
        named = [self.folder / name for name in settings.named_files()]
        found = list(dict.fromkeys((*named, *settings.implied_files(self.folder))))
        searched = {self.folder / name for name in settings.corpus}
        scripts = [path for path in found if path.suffix == ".py" and path not in searched]
        imported = [path for script in scripts for path in find_imported(script)]
        return list(dict.fromkeys((*found, *imported)))

    def named_paths(self) -> dict[str, Path]:
        """Return the same by their names: relative to the folder if they are inside it."""
        folder = self.folder
        return {
            str(path.relative_to(folder) if path.is_relative_to(folder) else path): path
            for path in self.paths()
        }

    @property
    def database(self) -> Path | None:
        """The database that `sql` rules query."""
        return self.read_settings().find_database(self.folder)

    def find_indexes(self) -> list[Path]:
        """Return the existing index files whose documents can be read; none for most kinds."""
        find = SYSTEMS.get(self.kind).find_indexes
        found = find(self.read_settings(), self.folder) if find is not None else []
        return [path for path in found if path.is_file()]

    def _error(self, message: str) -> CranfieldError:
        if self.file:
            message = f"[systems.{self.name}] {message}"
            return InputError(message, file=self.file, line=self.line)
        return SystemUnusableError(f"system {self.name!r}: {message}")


class _NamedSystem(System):
    """A system whose errors start with its name."""

    def __init__(self, spec: SystemSpec, context: SystemContext) -> None:
        self._name = spec.name
        settings = spec.read_settings()
        self._ignored = frozenset(settings.ignored_filters)
        self._variables = context.variables
        with self._naming():
            self.system = SYSTEMS.get(spec.kind).open(settings, context)
        self.stays_in_thread = self.system.stays_in_thread
        self.answers_at_once = self.system.answers_at_once

    def search(self, query: Query, limit: int) -> Response:
        """Answer one query; secrets in the answer are hidden."""
        return self._variables.hide_in(self.system.search(self._without_ignored(query), limit))

    def hide(self, text: str) -> str:
        """Return a text without secrets, the values of variables included."""
        return self._variables.hide(text)

    def check(self) -> None:
        """Raise SystemUnusableError, with the name, if no query can be answered."""
        with self._naming():
            self.system.check()

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Check the queries without the filters that are ignored, and name these."""
        self._variables.publish(msgspec.json.encode(queries, enc_hook=str).decode())
        with self._naming():
            notices = self.system.check_queries([self._without_ignored(each) for each in queries])
        ignored = Counter(name for each in queries for name in self._ignored & each.filters.keys())
        if ignored:
            counts = ", ".join(
                f"{name} of {count_queries(count)}" for name, count in ignored.items()
            )
            notices = [*notices, f"the system was searched without the filter {counts}"]
        return notices

    def close(self) -> None:
        """Release processes and connections."""
        self.system.close()

    def _without_ignored(self, query: Query) -> Query:
        if self._ignored.isdisjoint(query.filters):
            return query
        kept = {name: each for name, each in query.filters.items() if name not in self._ignored}
        return replace(query, filters=kept)

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except SystemUnusableError as problem:
            message = f"system {self._name!r}: {self.hide(str(problem))}"
            raise SystemUnusableError(message) from problem.__cause__


def open_system(spec: SystemSpec, environment: Mapping[str, str]) -> System:
    """Open a configured system; no query is sent yet."""
    return _NamedSystem(spec, SystemContext(spec.folder, environment))


def find_tool_server(spec: SystemSpec, environment: Mapping[str, str]) -> ToolServer | None:
    """Return the MCP server that offers a system to agents as it is; None if it has none."""
    serve = SYSTEMS.get(spec.kind).serve
    if serve is None:
        return None
    return serve(spec.read_settings(), SystemContext(spec.folder, environment))
