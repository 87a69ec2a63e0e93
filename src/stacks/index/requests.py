"""What a user asks to be saved, and how; what happened to every page."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cranfield_shared.secret_kinds import mask_secrets
from stacks.errors import SaveError
from stacks.schema import READING_VERSION
from stacks.sources import SOURCES, SourceKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping

    from stacks.sources import Source

__all__ = [
    "EVENTS",
    "KEPT_EVENTS",
    "Audit",
    "Corpus",
    "Event",
    "NoProgress",
    "ProgressReporter",
    "Request",
    "SaveOptions",
    "complete_request",
    "remember_settings",
]


EVENTS = {
    "duplicate-a": "same URI, same content: dropped",
    "duplicate-b": "same URI, title differs in spaces or case: dropped",
    "duplicate-c": "same URI, other content: an error in the corpus; the first is kept",
    "error-template": "title of an HTTP error page: refused",
    "placeholder-title": "placeholder or no title: refused",
    "unreadable": "page that could not be read: skipped",
    "reader-failed": "page that its reader failed with, a bug to report: skipped",
    "as-text": "code that takes too long to parse: kept as text, without symbols",
    "name-only": "indexed by name only: its content is not searched",
    "masked": "keys and tokens of known kinds in the text: masked",
    "secret-in-name": "key or token in a name or address: skipped",
    "empty-source": "corpus without a single document: allowed by --allow-empty",
    "without-document": "page with nothing to search for, such as navigation: skipped",
}
"""Every event that a save can note, and what was done."""
KEPT_EVENTS = ("name-only", "masked")
"""Those that stay true of a page until its bytes change."""


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
    """Resolve a location that is a path, so each corpus has one; leave others as they are."""
    path = Path(location).expanduser()
    try:
        return str(path.resolve()) if path.exists() else location
    except (OSError, ValueError):
        return location


@dataclass(frozen=True, slots=True)
class Event:
    """One page and what happened to it."""

    source: str
    event: str
    page: str
    message: str


class Audit:
    """The record of one save, stored in the index.

    `duplicated` are the corpora (source, location) of which a document came before.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.pages: Counter[str] = Counter()
        self.unchanged: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.duplicated: set[tuple[str, str]] = set()

    def note(self, source: str, event: str, page: str, message: str) -> None:
        """Record an event; names and messages may quote a secret of the page."""
        self.events.append(Event(source, event, mask_secrets(page), mask_secrets(message)))
        self.counts[event] += 1

    def keep(self, connection: sqlite3.Connection, source: str, unchanged: Collection[str]) -> None:
        """Keep the events that an earlier save recorded for unchanged pages, if still true."""
        sql = "SELECT event, page, message FROM audit WHERE source = ?"
        for event, page, message in connection.execute(sql, (source,)).fetchall():
            if event in KEPT_EVENTS and page in unchanged:
                self.note(source, event, page, message)

    def write(self, connection: sqlite3.Connection) -> None:
        """Store the record in place of an older one about the same sources."""
        for source in {*self.pages, *(event.source for event in self.events)}:
            connection.execute("DELETE FROM audit WHERE source = ?", (source,))
        connection.executemany(
            "INSERT INTO audit (source, event, page, message) VALUES (?, ?, ?, ?)",
            [(each.source, each.event, each.page, each.message) for each in self.events],
        )
        summary = {
            "documents": dict(self.documents),
            "pages": dict(self.pages),
            "unchanged": dict(self.unchanged),
            "dropped": dict(self.dropped),
            "events": dict(self.counts),
        }
        connection.execute(
            "INSERT OR REPLACE INTO meta VALUES ('last_save', ?)",
            (json.dumps(summary, sort_keys=True),),
        )
