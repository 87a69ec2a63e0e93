"""Where a hit lies, as a person looks it up: a path, lines of a file, a passage of a chapter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Origin", "locate"]


class Origin(NamedTuple):
    """What an index knows of where a document came from."""

    facts: str
    module: str
    location: str | None
    key: str | None

    def fact(self, name: str) -> str:
        """Return a fact that the source kept; empty where it did not."""
        return str(json.loads(self.facts or "{}").get(name, ""))

    @property
    def path(self) -> str:
        """The file, below the folder that was saved."""
        place = Path(self.location or "")
        return str(place / (self.key or "")) if place.is_dir() else self.key or ""


def _locate_chunk(origin: Origin) -> str:
    """Name the file and the lines of a chunk."""
    return f"{origin.path}:{origin.fact('lines')}"


def _locate_passage(origin: Origin) -> str:
    """Name the book, the chapter and the passage."""
    chapter = origin.fact("chapter")
    return (
        f"{origin.module}, chapter {chapter}, passage {origin.fact('passage')}" if chapter else ""
    )


_LOCATIONS: Mapping[str, Callable[[Origin], str]] = {
    "files": lambda origin: origin.path,
    "code": _locate_chunk,
    "passages": _locate_passage,
}


def locate(ranking: str, origin: Origin) -> str:
    """Say where a document of a kind lies; pages of documentation have their URI."""
    find = _LOCATIONS.get(ranking)
    return find(origin) if find else ""
