"""How is a corpus read? One source for each kind, behind one protocol."""

from stacks.sources import books as _books  # noqa: F401 - registers its kind
from stacks.sources import code as _code  # noqa: F401 - registers its kind
from stacks.sources import docc as _docc  # noqa: F401 - registers its kinds
from stacks.sources import jsonl as _jsonl  # noqa: F401 - registers its kind
from stacks.sources import markdown as _markdown  # noqa: F401 - registers its kinds
from stacks.sources import packages as _packages  # noqa: F401 - registers its kind
from stacks.sources import samples as _samples  # noqa: F401 - registers its kind
from stacks.sources.files import files_source as _files  # noqa: F401 - registers its kind
from stacks.sources.pydoc import pydoc_source as _pydoc  # noqa: F401 - registers its kind
from stacks.sources.source import (
    SOURCES,
    NameOnly,
    PageError,
    ReaderFailedError,
    RestLostError,
    Source,
    SourceKind,
    attempt,
    describe_failure,
)

__all__ = [
    "SOURCES",
    "NameOnly",
    "PageError",
    "ReaderFailedError",
    "RestLostError",
    "Source",
    "SourceKind",
    "attempt",
    "describe_failure",
]
