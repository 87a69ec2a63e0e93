"""A system as a tool for agents: the MCP server to start, and how to read what its tools return."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec reads annotations at run time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from cranfield.systems.extraction import Extraction, ReadingSettings

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ToolReading", "ToolServer"]

_MOST_HITS = 1000


class ToolReading(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the calls of an agent are read.

    `searches` are the tools that search, each with the argument that takes the query; `reads` are
    those that open a document, each with the argument that takes its id. The other fields find the
    ids of the hits in what a search returned, as those of a system do.
    """

    searches: Mapping[str, str]
    reads: Mapping[str, str] = msgspec.field(default_factory=dict)
    pattern: str = ""
    hits: str = ""
    id: str = ""

    def read_hits(self, text: str) -> tuple[str, ...]:
        """Return the ids of the hits in what a search returned, best first; none if unreadable."""
        settings = ReadingSettings(pattern=self.pattern, hits=self.hits, id=self.id)
        response = Extraction(settings).from_bytes(text.encode(), _MOST_HITS)
        return tuple(hit.id for hit in response.hits)


@dataclass(frozen=True, slots=True)
class ToolServer:
    """An MCP server that speaks on its standard input and output."""

    command: tuple[str, ...]
    folder: Path
    reading: ToolReading
    environment: Mapping[str, str] = field(default_factory=dict)
