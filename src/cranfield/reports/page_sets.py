"""Page sets: what slices add to the pages of a server, and what writes a store as a site.

A slice offers a `PageSet` in the group `cranfield.pages`. Its pages answer with values; whoever
serves them renders those, so a slice with pages needs no web server, and the server no slice. What
writes a whole store as a folder of pages is a `Site` in the group `cranfield.sites`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cranfield.comparisons import CompareOptions
    from cranfield.evaluation.project import Project
    from cranfield.formats import Report
    from cranfield.runs.store import Store

__all__ = [
    "PAGE_SETS",
    "SITES",
    "Bench",
    "NextPage",
    "Page",
    "PageAnswer",
    "PageRequest",
    "PageSet",
    "ShownPage",
    "ShownReport",
    "Site",
    "WriteSite",
]


class Bench(Protocol):
    """What pages show: a project and its store, each as it is now."""

    @property
    def project(self) -> Project:
        """The project as its file is now."""

    @property
    def store(self) -> Store | None:
        """The store; None as long as nothing is stored."""

    def require_store(self) -> Store:
        """Return the store; raise StoreError as long as there is none."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The fields of an address or a form; its `proof` lets a form be sent back."""

    fields: Mapping[str, Sequence[str]]
    proof: str = ""

    def get(self, name: str, usual: str = "") -> str:
        """Return a field, the last if it was sent several times."""
        values = self.fields.get(name)
        return values[-1] if values else usual

    def get_all(self, name: str) -> list[str]:
        """Return all values of a field that may be sent several times."""
        return list(self.fields.get(name, ()))


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A template of the page set with its values; it also gets the `proof` of its forms."""

    template: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownReport:
    """A report as a page."""

    report: Report


@dataclass(frozen=True, slots=True)
class NextPage:
    """The address to go on to, after a form was taken."""

    address: str


PageAnswer: TypeAlias = ShownPage | ShownReport | NextPage


@dataclass(frozen=True, slots=True)
class Page:
    """What is answered at an address; a page that takes a form has the method POST."""

    address: str
    answer: Callable[[PageRequest], PageAnswer]
    method: str = "GET"


@dataclass(frozen=True, slots=True)
class PageSet:
    """Pages that belong together: the head of every page leads to their `place` as `title`.

    `package` has their `templates`, which extend `live.html`, and their `assets`, which are found
    under `/assets/`. `open` makes the pages when the server starts.
    """

    name: str
    title: str
    place: str
    package: str
    open: Callable[[Bench], Sequence[Page]]


PAGE_SETS: Registry[PageSet] = Registry("page set", PageSet, group="cranfield.pages")


class WriteSite(Protocol):
    """Writes pages of a store to a folder, and returns how many; `advance` is told of each."""

    def __call__(
        self,
        store: Store,
        folder: Path,
        options: CompareOptions | None = None,
        project: Project | None = None,
        advance: Callable[[int, int, str], None] | None = None,
    ) -> int:
        """Write all pages."""


@dataclass(frozen=True, slots=True)
class Site:
    """A form in which a whole store can be written as linked pages."""

    name: str
    write: WriteSite


SITES: Registry[Site] = Registry("site", Site, group="cranfield.sites")
