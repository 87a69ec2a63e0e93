"""What slices add to reports and pages: supplements, pages of the server, whole sites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cranfield.comparisons import CompareOptions
    from cranfield.evaluation.project import Project
    from cranfield.formats import Detail, Report, Section
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = [
    "PAGE_SETS",
    "SITES",
    "SUPPLEMENTS",
    "Bench",
    "NextPage",
    "Page",
    "PageAnswer",
    "PageRequest",
    "PageSet",
    "ShownPage",
    "ShownReport",
    "Site",
    "Supplement",
    "SupplementKind",
    "Supplements",
    "WriteSite",
    "find_supplements",
    "list_sections",
    "supplement_data",
]


@dataclass(frozen=True, slots=True)
class Supplement:
    """A section about one run, or about two of a suite, and the same as data."""

    section: Section
    data: Mapping[str, Any]


Supplements: TypeAlias = Mapping[str, Sequence[Supplement]]
"""What is added to a report, by the name of its kind."""


@dataclass(frozen=True, slots=True)
class SupplementKind:
    """Finds what a slice has to say of runs, or of pairs of them, each of one suite.

    It is asked for every report, so it has to be quick to say that there is nothing.
    """

    name: str
    find: Callable[[Sequence[Sequence[Run]], Project, Store], Sequence[Supplement]]


SUPPLEMENTS: Registry[SupplementKind] = Registry(
    "supplement", SupplementKind, group="cranfield.supplements"
)


def find_supplements(
    compared: Sequence[Sequence[Run]], project: Project, store: Store
) -> Supplements:
    """Return what every slice has to say of runs, or of pairs of runs, by the kind's name."""
    return {kind.name: kind.find(compared, project, store) for kind in SUPPLEMENTS.values()}


def list_sections(supplements: Supplements, detail: Detail) -> tuple[Section, ...]:
    """Return the sections of all supplements, to be shown from a level of detail on."""
    flat = [each for some in supplements.values() for each in some]
    return tuple(replace(each.section, detail=detail) for each in flat)


def supplement_data(supplements: Supplements) -> dict[str, list[Mapping[str, Any]]]:
    """Return the data of all supplements, by kind; an empty list if one has none."""
    names = dict.fromkeys([*SUPPLEMENTS, *supplements])
    return {name: [each.data for each in supplements.get(name, ())] for name in names}


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
