"""An embedded search engine: documents in, ranked hits out.

`stacks.open("search.db").search("dictionary key")` returns the hits. Names are imported on first
use: a command that searches nothing starts without the engine.
"""

from typing import TYPE_CHECKING, Any

from cranfield_shared.version import __version__

if TYPE_CHECKING:
    from stacks.embedding import open_embedder
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
    "open_embedder",
]

_ORIGINS = {"INDEX_VERSION": "schema", "StacksError": "errors", "open_embedder": "embedding"}
"""The modules of names that are not from `query`."""


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` on its first use."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module 'stacks' has no attribute {name!r}")
    origin = import_module(f"stacks.{_ORIGINS.get(name, 'query')}")
    return getattr(origin, "open_index" if name == "open" else name)


def __dir__() -> list[str]:
    return __all__
