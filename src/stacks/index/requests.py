"""What is to be saved, and how."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from stacks.errors import SaveError
from stacks.schema import READING_VERSION
from stacks.sources import Source, SourceKind, get_source_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["NoProgress", "Progress", "Request", "SaveOptions"]


class Progress(Protocol):
    """Someone who wants to know how far a save is."""

    def start(self, what: str, total: int | None) -> None:
        """A stretch of work begins; `total` is its number of steps, where that is known."""

    def advance(self, steps: int = 1) -> None:
        """Some steps are done."""


class NoProgress:
    """Nobody wants to know."""

    def start(self, what: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, steps: int = 1) -> None:
        """Say nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """A corpus to be saved: its kind, where it lies, and what is set about reading it."""

    kind: SourceKind
    location: str
    settings: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, settings: Iterable[str] = ()) -> Request:
        """Read `source=location` as it stands after `--from`; settings are those of `--set`.

        Settings of other sources are passed over: `books.size=200` is nothing to `files`.
        """
        name, equals, location = text.partition("=")
        if not equals or not location:
            raise SaveError(f"--from takes SOURCE=PATH, such as pydoc=stdlib; got {text!r}")
        kind = get_source_kind(name)
        own = [_read_setting(each) for each in settings]
        chosen = {setting: value for source, setting, value in own if source == kind.name}
        for setting in chosen:
            if setting not in kind.settings:
                raise SaveError(_refuse_setting(kind, setting))
        return cls(kind, location, chosen)

    def keep(self, facts: Mapping[str, str]) -> Request:
        """Keep what an index was saved with where nothing else is set now."""
        kept = json.loads(facts.get(f"settings {self.kind.name}", "{}"))
        known = {name: value for name, value in kept.items() if name in self.kind.settings}
        return replace(self, settings={**known, **self.settings})

    def remember(self) -> tuple[str, str]:
        """Name and value of what an index keeps of the settings."""
        return f"settings {self.kind.name}", json.dumps(dict(self.settings), sort_keys=True)

    def open(self) -> Source:
        """Open the corpus."""
        return self.kind.open(self.location, **self.settings)

    def digest(self, data: bytes) -> str:
        """Hash a page's bytes with the version of the readers and what is set about reading."""
        salt = READING_VERSION.to_bytes(16, "little")
        values = {
            name: self.settings.get(name, value) for name, value in self.kind.settings.items()
        }
        person = blake2b(repr(sorted(values.items())).encode(), digest_size=16).digest()
        return blake2b(data, digest_size=16, salt=salt, person=person).hexdigest()

    @property
    def place(self) -> str:
        """The location by one name, however its path is written."""
        path = Path(self.location).expanduser()
        try:
            return str(path.resolve()) if path.exists() else self.location
        except (OSError, ValueError):
            return self.location


def _read_setting(text: str) -> tuple[str, str, int]:
    """Read `books.size=200`."""
    name, _, number = text.partition("=")
    source, _, setting = name.partition(".")
    if not (source and setting and number.strip().isdecimal()):
        raise SaveError(f"--set takes SOURCE.SETTING=NUMBER, such as books.size=200; got {text!r}")
    get_source_kind(source)
    return source, setting, int(number)


def _refuse_setting(kind: SourceKind, setting: str) -> str:
    known = ", ".join(f"{name} ({value})" for name, value in kind.settings.items())
    near = get_close_matches(setting, kind.settings, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    allowed = f"it has {known}" if known else "it has none"
    return f"{kind.name} has no setting {setting!r}; {hint}{allowed}"


@dataclass(frozen=True, slots=True)
class SaveOptions:
    """How to save.

    - `only_changed` starts from the index that is there, reads again only pages whose bytes
      changed, and keeps the corpora that are not named.
    - `replace` allows a save to leave out corpora that the present index has.
    - `embedder` is the model for semantic search, as `open_embedder` reads it; `none` is none.
      Where it is empty, an index keeps the one it has, and sources that embed get the default.
    - `routing` and `vocabulary` are files that the index takes in, to be asked with.
    - `symbol_graphs` is a folder of `*.symbols.json`, or one, with authoritative constraints.
    """

    only_changed: bool = False
    replace: bool = False
    symbol_graphs: Path | None = None
    embedder: str = ""
    routing: Path | None = None
    vocabulary: Path | None = None
    progress: Progress = field(default_factory=NoProgress)
