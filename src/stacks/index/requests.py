"""What is to be saved, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from stacks.errors import SaveError
from stacks.sources import SourceKind, get_source_kind

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
    """A corpus to be saved: its kind and where it lies."""

    kind: SourceKind
    location: str

    @classmethod
    def parse(cls, text: str) -> Request:
        """Read `source=location`, as it stands after `--from`."""
        name, equals, location = text.partition("=")
        if not equals or not location:
            raise SaveError(f"--from takes SOURCE=PATH, such as pydoc=stdlib; got {text!r}")
        return cls(get_source_kind(name), location)

    @property
    def place(self) -> str:
        """The location by one name, however its path is written."""
        path = Path(self.location).expanduser()
        try:
            return str(path.resolve()) if path.exists() else self.location
        except (OSError, ValueError):
            return self.location


@dataclass(frozen=True, slots=True)
class SaveOptions:
    """How to save.

    - `only_changed` starts from the index that is there, reads again only pages whose bytes
      changed, and keeps the corpora that are not named.
    - `replace` allows a save to leave out corpora that the present index has.
    - `symbol_graphs` is a folder of `*.symbols.json`, or one, with authoritative constraints.
    """

    only_changed: bool = False
    replace: bool = False
    symbol_graphs: Path | None = None
    progress: Progress = field(default_factory=NoProgress)
