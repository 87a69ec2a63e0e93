"""An embedded search engine: documents in, ranked hits out.

`stacks.open("search.db").search("dictionary key")` returns the hits.
"""

from stacks.errors import StacksError
from stacks.query import Filters, Fusion, Hit, Index, Results, SearchOptions
from stacks.query import open_index as open  # noqa: A004 - `stacks.open` says what it does
from stacks.schema import INDEX_VERSION

__version__ = "0.1.0"

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
