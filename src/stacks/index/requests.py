"""What a user asks to be saved, and how; each request is completed to a corpus of the index."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from stacks.errors import SaveError
from stacks.schema import READING_VERSION
from stacks.sources import SOURCES, SourceKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from stacks.sources import Source

__all__ = [
    "Corpus",
    "NoProgress",
    "ProgressReporter",
    "Request",
    "SaveOptions",
    "complete_request",
    "remember_settings",
]


class ProgressReporter(Protocol):
    """Reports how far a save has come."""

    def start(self, what: str, total: int | None) -> None:
        """Begin a stage of the work; `total` is its number of steps, None if unknown."""

    def advance(self, steps: int = 1) -> None:
        """Count steps as done."""


class NoProgress:
    """Reports nothing."""

    def start(self, what: str, total: int | None) -> None:
        """Ignore the stage."""

    def advance(self, steps: int = 1) -> None:
        """Ignore the steps."""


@dataclass(frozen=True, slots=True)
class Request:
    """A corpus to save: its kind, its location as the user wrote it, and the settings given."""

    kind: SourceKind
    location: str
    settings: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, settings: Iterable[str] = ()) -> Request:
        """Read `source=location`, as given to `--from`; settings are those of `--set`.

        Settings of other sources are skipped: `books.size=200` does not concern `files`.
        """
        name, equals, location = text.partition("=")
        if not equals or not location:
            raise SaveError(f"--from takes SOURCE=PATH, such as pydoc=stdlib; got {text!r}")
        kind = SOURCES.get(name)
        parsed = [_parse_setting(each) for each in settings]
        own = {setting: value for source, setting, value in parsed if source == kind.name}
        for setting in own:
            if setting not in kind.settings:
                raise SaveError(_describe_unknown_setting(kind, setting))
        return cls(kind, location, own)


def _parse_setting(text: str) -> tuple[str, str, int]:
    """Read `books.size=200`."""
    name, _, number = text.partition("=")
    source, _, setting = name.partition(".")
    if not (source and setting and number.strip().isdecimal()):
        raise SaveError(f"--set takes SOURCE.SETTING=NUMBER, such as books.size=200; got {text!r}")
    SOURCES.get(source)
    return source, setting, int(number)


def _describe_unknown_setting(kind: SourceKind, setting: str) -> str:
    known = ", ".join(f"{name} ({value})" for name, value in kind.settings.items())
    near = get_close_matches(setting, kind.settings, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    allowed = f"it has {known}" if known else "it has none"
    return f"--set: {kind.name} has no setting {setting!r}; {hint}{allowed}"


@dataclass(frozen=True, slots=True)
class SaveOptions:
    """How to save.

    - `only_changed` starts from the existing index, reads only pages whose bytes changed, and
      keeps corpora that are not named.
    - `replace` allows a save to leave out corpora that the existing index has.
    - `allow_empty` allows a corpus that gives no document.
    - `embedder` is the model for semantic search, as `open_embedder` reads it; `none` removes it.
      If empty, an index keeps the model it has, and sources that embed get the default.
    - `routing` and `vocabulary` are files stored in the index and applied to its queries; several
      files of routing rules are one.
    - `symbol_graphs` is a folder of `*.symbols.json`, or one such file, with the compiler's
      generic constraints. If None, an index keeps those it has; `none` removes them.
    """

    only_changed: bool = False
    replace: bool = False
    symbol_graphs: Path | None = None
    embedder: str = ""
    routing: tuple[Path, ...] = ()
    vocabulary: Path | None = None
    progress: ProgressReporter = field(default_factory=NoProgress)
    allow_empty: bool = False


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus as an index identifies it.

    - `location` is the same for every spelling of its path, and is what the index stores.
    - `requested` is the location as the user wrote it, for messages.
    - `settings` are those of this request, else those of the save before.
    """

    kind: SourceKind
    location: str
    requested: str
    settings: Mapping[str, int]

    @property
    def source(self) -> str:
        """The name of its kind of source."""
        return self.kind.name

    @property
    def identity(self) -> tuple[str, str]:
        """Source and location: what distinguishes it from the other corpora of an index."""
        return self.source, self.location

    def __str__(self) -> str:
        return f"{self.source}={self.requested}"

    def open(self) -> Source:
        """Open the corpus for reading."""
        return self.kind.open(self.requested, **self.settings)

    def hash_page(self, data: bytes) -> str:
        """Hash a page's bytes with the version of the readers and the settings of the source."""
        salt = READING_VERSION.to_bytes(16, "little")
        values = {
            name: self.settings.get(name, value) for name, value in self.kind.settings.items()
        }
        person = blake2b(repr(sorted(values.items())).encode(), digest_size=16).digest()
        return blake2b(data, digest_size=16, salt=salt, person=person).hexdigest()


def complete_request(request: Request, facts: Mapping[str, str]) -> Corpus:
    """Identify the corpus of a request, with the stored settings that it does not override."""
    stored = json.loads(facts.get(_settings_name(request.kind), "{}"))
    known = {name: value for name, value in stored.items() if name in request.kind.settings}
    settings = {**known, **request.settings}
    return Corpus(request.kind, _resolve(request.location), request.location, settings)


def remember_settings(connection: sqlite3.Connection, corpus: Corpus) -> None:
    """Store the settings of a corpus for the next save."""
    row = (_settings_name(corpus.kind), json.dumps(dict(corpus.settings), sort_keys=True))
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)


def _settings_name(kind: SourceKind) -> str:
    return f"settings {kind.name}"


def _resolve(location: str) -> str:
    """Resolve a location that is a path, so that each corpus has one; leave others as they are."""
    path = Path(location).expanduser()
    try:
        return str(path.resolve()) if path.exists() else location
    except (OSError, ValueError):
        return location
