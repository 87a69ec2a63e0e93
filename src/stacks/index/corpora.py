"""A requested corpus, completed by what the index remembers of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from stacks.schema import READING_VERSION

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from stacks.index.requests import Request
    from stacks.sources import Source, SourceKind

__all__ = ["Corpus", "complete_request", "remember_settings"]


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
