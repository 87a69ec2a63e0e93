"""An embedded search engine: documents in, ranked hits out.

`stacks.open("search.db").search("dictionary key")` returns the hits.
"""

from cranfield_shared.version import __version__
from stacks.errors import StacksError
from stacks.query import Filters, Fusion, Hit, Index, Results, SearchOptions
from stacks.query import open_index as open  # noqa: A004 - `stacks.open` says what it does
from stacks.schema import INDEX_VERSION

__all__ = [
    "INDEX_VERSION",
    "Filters",
    "Fusion",
    "Hit",
    "Index",
    "Results",
    "SearchOptions",
    "StacksError",
    "__version__",
    "open",
]
