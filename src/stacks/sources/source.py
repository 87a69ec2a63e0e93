"""The protocol that every kind of corpus is read through, and the registry of kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, TypeVar

from cranfield_shared.registry import Registry
from cranfield_shared.secret_kinds import mask_secrets
from stacks.errors import SourceError, StacksError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from stacks.model import Document, Page

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
    "register_source",
]

Made = TypeVar("Made")
_LONGEST_FAILURE = 200


class PageError(Exception):
    """A page that cannot be used; the message is its line in the audit, without its name."""


class RestLostError(PageError):
    """A corpus cannot be read beyond this place; a save that meets one changes nothing."""


class ReaderFailedError(PageError):
    """A page that its reader fails with instead of reporting what is wrong: a bug of the reader."""


class NameOnly(PageError):  # noqa: N818 - it is reported, not raised
    """A page indexed by its name only; `Source.read` yields one after its document."""


class Source(ABC):
    """An open corpus.

    `corpus` is the name that its URIs start with, if two corpora of its kind could clash.
    """

    corpus: str = ""

    @abstractmethod
    def pages(self) -> Iterator[Page | PageError]:
        """Yield every page in a stable order, or a `PageError` for one that cannot be read.

        The message of such a `PageError` names the page. Raises `SourceError` if the corpus
        cannot be read at all.
        """

    @abstractmethod
    def read(self, page: Page) -> Iterable[Document | NameOnly]:
        """Make the documents of a page, or raise `PageError`; a function of the page alone."""

    def count(self) -> int | None:
        """Count the pages; None if that needs reading them."""
        return None


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of corpus: how it is opened, stored and ranked.

    - `open(location, **settings)` opens the location of `--from name=location`.
    - `settings` are the numbers that `--set name.setting=number` can change, with their defaults.
    - `database` is the file that stores its documents, one of `DATABASES` in `stacks.schema`.
    - `weight` is its authority when ranked lists are fused.
    - `prefers_symbols` says whether it is searched when the query is an identifier.
    - `is_archive` says that its pages are outdated: a current page that answers goes first.
    - `ranking` is how its documents are ranked, one of `RANKINGS` in `stacks.query`.
    - `embeds` says whether its documents get vectors by default.
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


SOURCES: Registry[SourceKind] = Registry(
    "source", SourceKind, group="stacks.sources", error=SourceError
)
"""Every kind of corpus by name; a user's own come from entry points in `stacks.sources`."""


def register_source(kind: SourceKind) -> None:
    """Add a kind of corpus under its name."""
    SOURCES.register(kind.name, kind)


def attempt(key: str, make: Callable[[], Made]) -> Made | PageError:
    """Make something of the page of that key; if its reader fails, that is the page's error.

    For what `Source.pages` must find out from the content of a page. `Source.read` needs no such
    care: the save does the same for it.
    """
    try:
        return make()
    except (PageError, StacksError):
        raise
    except Exception as problem:  # noqa: BLE001 - whatever one page does, the others are read
        return ReaderFailedError(f"{key} {describe_failure(problem)}")


def describe_failure(problem: Exception) -> str:
    """Describe in one line how a reader failed, with the place in the code."""
    frames = extract_tb(problem.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    # Masked before it is cut: half a token would not be recognised.
    said = mask_secrets(" ".join(f"{type(problem).__name__}: {problem}".split()))
    said = said[:_LONGEST_FAILURE].rstrip(": ")
    return f"makes its reader fail: {said}{place}; please report this"
