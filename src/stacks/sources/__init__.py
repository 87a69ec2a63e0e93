"""How is a corpus read? One reader for each kind, behind one protocol."""

from stacks.sources.source import (
    SOURCES,
    PageError,
    Source,
    SourceKind,
    get_source_kind,
    register_source,
)

__all__ = [
    "SOURCES",
    "PageError",
    "Source",
    "SourceKind",
    "get_source_kind",
    "register_source",
]
