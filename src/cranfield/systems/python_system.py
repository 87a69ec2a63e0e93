"""Systems that are Python callables: `module:name`, called with the text and the limit."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os.path
import sys
from collections.abc import Iterable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.model import Response, Status
from cranfield.systems.extraction import Extraction, ReadingSettings, cut
from cranfield.systems.fingerprints import find_modules_in, modules_at, refuse_strangers
from cranfield.systems.system import InitOption, System, SystemContext, SystemKind
from cranfield.systems.templates import refuse_filters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from cranfield.model import Query

__all__ = ["PYTHON_SYSTEM", "PythonSystem"]


class PythonSystem(System):
    """A callable `search(text, limit)`; one that needs a third argument gets the whole query.

    It returns hits: ids, `Hit`s, dicts, or a `Response`; text if a pattern is given. The time
    limit cannot stop Python code; run code that may hang as a command.
    """

    stays_in_thread = True  # a user's connections may belong to the thread that made them

    def __init__(
        self,
        search: Callable[..., Any],
        extraction: Extraction | None = None,
        arguments: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._search = search
        self._extraction = extraction or Extraction(ReadingSettings())
        self._arguments = dict(arguments)
        self._wants_query = _wants_query(search, self._arguments)

    def search(self, query: Query, limit: int) -> Response:
        """Call it; what it raises is an error of this query."""
        arguments = (query.text, limit, query) if self._wants_query else (query.text, limit)
        try:
            return self._read(self._search(*arguments, **self._arguments), limit)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - users' code raises anything
            return Response.failed(Status.ERROR, f"{type(problem).__name__}: {problem}")

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Refuse filters if the callable does not get the query."""
        if not self._wants_query:
            name = _name(self._search)
            refuse_filters(
                queries,
                f"and {name} takes only the text and the limit; write {name}(text, limit, query) "
                "and read query.filters",
            )
        return []

    def _read(self, answer: Any, limit: int) -> Response:
        if isinstance(answer, Response):
            return answer
        if isinstance(answer, dict):
            return self._extraction.from_document(answer, limit)
        if isinstance(answer, str) and self._extraction.reads_text:
            return self._extraction.from_bytes(answer.encode(errors="replace"), limit)
        if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
            message = f"returned {type(answer).__name__}, not a list of hits"
            return Response.failed(Status.UNPARSEABLE, message, raw=cut(repr(answer), 200))
        return self._extraction.from_hits(answer, limit)


class PythonSettings(ReadingSettings, kw_only=True):
    """`call` is `module:name` or `file.py:name`; modules in the folder are found.

    `arguments` are passed on by name, with every query.
    """

    call: str
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.module or not self.name:
            raise ValueError(f"call = {self.call!r}; write module:name or file.py:name")

    @property
    def module(self) -> str:
        """The module or the file."""
        return self.call.rpartition(":")[0]

    @property
    def name(self) -> str:
        """The name of the callable in it."""
        return self.call.rpartition(":")[2]

    def named_files(self) -> list[str]:
        """Return the files that the settings name, the callable's own included."""
        own = [self.module] if self.module.endswith(".py") else []
        return [*super().named_files(), *own]

    def implied_files(self, folder: Path) -> list[Path]:
        """Return the file of the callable's module, if the folder has it."""
        is_file = self.module.endswith(".py")
        return [] if is_file else modules_at(folder.joinpath(*self.module.split(".")))


def _open(settings: PythonSettings, context: SystemContext) -> System:
    try:
        module = _load(settings.module, context.folder)
    except (Exception, SystemExit) as problem:
        if isinstance(problem, SystemUnusableError):
            raise
        raise SystemUnusableError(
            f"{settings.module} cannot be imported: {type(problem).__name__}: {problem}"
        ) from problem
    found = getattr(module, settings.name, None)
    if not callable(found):
        raise SystemUnusableError(f"{settings.module} has no callable {settings.name!r}")
    return PythonSystem(found, Extraction(settings), settings.arguments)


def _load(module: str, folder: Path) -> ModuleType:
    home = folder.resolve()
    if module.endswith(".py"):
        return _load_file(home / module)
    find_modules_in(home)
    loaded = importlib.import_module(module)
    _refuse_another(loaded, module, home)
    return loaded


def _load_file(path: Path) -> ModuleType:
    """Load a file under a name of its own: two builds may both be called search.py."""
    if not path.is_file():
        raise SystemUnusableError(f"the file {path} does not exist; fix call")
    find_modules_in(path.parent)
    refuse_strangers(path)
    name = f"{path.stem}_{hashlib.sha256(bytes(path)).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SystemUnusableError(f"{path} is not a Python file")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded  # where dataclasses look for the names of their annotations
    spec.loader.exec_module(loaded)
    return loaded


def _refuse_another(loaded: ModuleType, module: str, folder: Path) -> None:
    """Refuse a module loaded from elsewhere if the folder has one of that name."""
    own = modules_at(folder.joinpath(*module.split(".")))
    origin = Path(loaded.__file__ or "").resolve()
    if own and origin not in own:
        raise SystemUnusableError(
            f"the module {module} is already loaded from {origin}, and {own[0]} is another; "
            f'write call = "{own[0].relative_to(folder)}:…"'
        )


def _wants_query(function: Callable[..., Any], named: Mapping[str, Any]) -> bool:
    """Return whether a callable needs a third argument; refuse one that cannot be called."""
    if inspect.iscoroutinefunction(function):
        raise SystemUnusableError(
            f"{_name(function)} is async; wrap it in a plain function that calls asyncio.run"
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some callables written in C have no signature
        return False
    for arguments in (("text", 10), ("text", 10, "query")):
        try:
            signature.bind(*arguments, **named)
        except TypeError:
            continue
        return len(arguments) == 3
    more = "".join(f", {name}=" for name in named)
    raise SystemUnusableError(
        f"{_name(function)}{signature} cannot be called with (text, limit{more}) or "
        f"(text, limit, query{more})"
    )


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _relocate(settings: Mapping[str, Any], start: Path, way: str) -> dict[str, Any]:
    """Point to the file of a callable from another folder; a module stays a module."""
    module, _, name = settings["call"].rpartition(":")
    file = module if module.endswith(".py") else module.replace(".", "/") + ".py"
    if os.path.isabs(file) or not (start / file).is_file():  # noqa: PTH117 - a text, not a path yet
        return dict(settings)
    path = os.path.normpath(os.path.join(way, file))  # noqa: PTH118 - pathlib cannot shorten a/..
    return {**settings, "call": f"{path}:{name}"}


PYTHON_SYSTEM = SystemKind(
    name="python",
    summary="a Python callable search(text, limit)",
    example='kind = "python"\ncall = "mysearch.py:search"',
    settings=PythonSettings,
    open=_open,
    refuses={
        "timeout": "Python code cannot be stopped from outside; run code that may hang as a command"
    },
    init=InitOption(
        option="--python", setting="call", example="mysearch.py:search", relocate=_relocate
    ),
)
