"""What can go wrong, as one tree.

    StacksError
    ├── SourceError         a corpus that cannot be read as the source it was given as
    ├── SaveError           an index that could not be written; the old one is left as it was
    ├── IndexUnusableError  an index that is absent, damaged, or of another version
    ├── QueryError          a filter or an option that no index can answer
    └── EmbeddingError      a model that cannot be loaded, reached or trusted

Every message says what was wrong, what was got and what to do. The command line prints
the message alone; a traceback means a defect in stacks.
"""

from __future__ import annotations

__all__ = [
    "EmbeddingError",
    "IndexUnusableError",
    "QueryError",
    "SaveError",
    "SourceError",
    "StacksError",
]


class StacksError(Exception):
    """A mistake that its maker can mend; the message says how."""


class SourceError(StacksError):
    """A corpus that cannot be read at all; single bad pages are counted, not raised."""


class SaveError(StacksError):
    """An index that could not be written."""


class IndexUnusableError(StacksError):
    """A file that is not an index this version can search."""


class QueryError(StacksError):
    """An option of a search that means nothing; the text of a query is never an error."""


class EmbeddingError(StacksError):
    """A model of language that is absent, out of reach, or another than the index was made with."""
