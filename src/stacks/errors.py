"""The exception tree.

    StacksError
    ├── SourceError         a corpus that cannot be read by the source it was given to
    ├── SaveError           an index that could not be written; the old one is unchanged
    ├── IndexUnusableError  an index that is missing, damaged, or of another version
    ├── QueryError          a filter or option that is invalid for any index
    ├── EmbeddingError      a model that cannot be loaded, reached or trusted
    └── OverloadError       a server that has more requests than it may hold

Every message states what was wrong, what was given and what to do. The command line prints only
the message; a traceback means a bug in stacks.
"""

from __future__ import annotations

__all__ = [
    "EmbeddingError",
    "IndexUnusableError",
    "OverloadError",
    "QueryError",
    "SaveError",
    "SourceError",
    "StacksError",
]


class StacksError(Exception):
    """A mistake that the user can fix; the message explains how."""


class SourceError(StacksError):
    """A corpus that cannot be read at all; a single bad page is counted instead."""


class SaveError(StacksError):
    """An index that could not be written."""


class IndexUnusableError(StacksError):
    """A file that is not an index this version can search."""


class QueryError(StacksError):
    """An invalid option of a search; the text of a query is never an error."""


class EmbeddingError(StacksError):
    """A model that is missing, unreachable, or not the one that the index was built with."""


class OverloadError(StacksError):
    """A request that a server has no room for; it may be repeated after `retry_after` seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
