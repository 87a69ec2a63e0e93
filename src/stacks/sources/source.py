"""The one protocol that every kind of corpus is read through, and the list of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from stacks.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from stacks.model import Document, Page

__all__ = [
    "SOURCES",
    "NameOnly",
    "PageError",
    "RestLostError",
    "Source",
    "SourceKind",
    "get_source_kind",
    "load_plugins",
    "register_source",
]


class PageError(Exception):
    """A page that cannot be used; the message is its line in the audit, without the page's name."""


class RestLostError(PageError):
    """A place behind which a corpus cannot be read; a save that meets one changes nothing."""


class NameOnly(PageError):  # noqa: N818 - it is told, not raised
    """A page that is found by its name alone; `Source.read` yields one beside its document."""


class Source(ABC):
    """A corpus of one kind, opened.

    `corpus` is the name that its URIs begin with, where two corpora might have the same.
    """

    corpus: str = ""

    @abstractmethod
    def pages(self) -> Iterator[Page | PageError]:
        """Yield every page in an order that does not change, or why one cannot be had.

        A `PageError` yielded names its page itself. Raises `SourceError` for a corpus that
        cannot be read at all.
        """

    @abstractmethod
    def read(self, page: Page) -> Iterable[Document | NameOnly]:
        """Make the documents of a page, or raise `PageError`; a function of the page alone."""

    def count(self) -> int | None:
        """Say how many pages there are, where that is known without reading them."""
        return None


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of corpus: how it is opened, and how its documents stand beside others'.

    - `open(location, **settings)` takes what stands behind `=` in `--from name=location`.
    - `settings` are the numbers that can be set for it with `--set name.setting=number`, and what
      they are when nobody does.
    - `database` is the file its documents go to, one of `DATABASES` in `stacks.schema`.
    - `weight` is its authority where ranked lists are fused.
    - `prefers_symbols` says whether a query that is an identifier is asked of it.
    - `is_archive` says that its pages are kept for those who look after something old: where a
      question finds a living page too, that goes first.
    - `ranking` is how its documents are ranked, one of `RANKINGS` in `stacks.query.rankings`.
    - `embeds` says whether its documents are embedded where nobody says otherwise.
    """

    name: str
    description: str
    example: str
    open: Callable[..., Source]
    database: str = "search"
    weight: float = 1.0
    prefers_symbols: bool = False
    is_archive: bool = False
    ranking: str = "documentation"
    embeds: bool = False
    settings: Mapping[str, int] = field(default_factory=dict)


SOURCES: dict[str, SourceKind] = {}
"""Every kind of corpus by name; a user's own come from entry points in `stacks.sources`."""


def register_source(kind: SourceKind) -> None:
    """Add a kind of corpus; a name is taken once and for all."""
    if SOURCES.setdefault(kind.name, kind) is not kind:
        raise SourceError(f"source {kind.name!r} is already registered; choose another name")


def load_plugins() -> None:
    """Register the kinds of source that installed packages bring."""
    for plugin in entry_points(group="stacks.sources"):
        if plugin.name not in SOURCES:
            register_source(plugin.load())


def get_source_kind(name: str) -> SourceKind:
    """Return the kind of that name; an unknown name suggests near ones."""
    if name not in SOURCES:
        load_plugins()
    if name not in SOURCES:
        near = get_close_matches(name, SOURCES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(sorted(SOURCES))}"
        raise SourceError(f"there is no source {name!r}; {hint}")
    return SOURCES[name]
