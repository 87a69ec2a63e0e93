"""Supplements: what slices add to the reports of runs and comparisons, in sections of their own.

A slice offers a `SupplementKind` in the group `cranfield.supplements`. A supplement decides
nothing: it stands beside the figures of a report, and under its kind's name in JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.evaluation.project import Project
    from cranfield.formats import Detail, Section
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store

__all__ = [
    "SUPPLEMENTS",
    "Supplement",
    "SupplementKind",
    "Supplements",
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
