"""The part of an agent report that relates what was found to what is right."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Column, Section, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.agents import RetrievalOutcomes
    from cranfield.statistics import ProportionInterval

__all__ = ["retrieval_data", "retrieval_section"]

_TITLE = "Needed pages: found, and right? A relation between tasks, no proof of a cause"


def retrieval_section(outcomes: Sequence[RetrievalOutcomes]) -> Section:
    """Show how often answers are right by what was found, and the difference."""
    rates = Table(
        (Column("arm"), Column("needed page"), Column("tasks", CellKind.COUNT),
         Column("right", CellKind.VALUE), Column("95 % interval", CellKind.RANGE)),
        tuple(
            (each.arm, str(group.retrieval), group.tasks, *_cells(group.rate))
            for each in outcomes for group in each.groups
        ),
    )  # fmt: skip
    differences = Table(
        (Column("arm"), Column("found minus not found", CellKind.DIFFERENCE),
         Column("95 % interval", CellKind.INTERVAL)),
        tuple((each.arm, *_cells(each.difference)) for each in outcomes),
    )  # fmt: skip
    return Section(_TITLE, (rates, differences))


def _cells(rate: ProportionInterval | None) -> tuple[Any, Any]:
    return (None, None) if rate is None else (rate.value, (rate.low, rate.high))


def retrieval_data(outcomes: RetrievalOutcomes) -> dict[str, Any]:
    """Return the same for machines."""
    return {
        "arm": outcomes.arm,
        "groups": [
            {"needed_page": str(each.retrieval), "tasks": each.tasks, "answers": each.answers,
             "right": asdict(each.rate) if each.rate else None}
            for each in outcomes.groups
        ],
        "difference": asdict(outcomes.difference) if outcomes.difference else None,
    }  # fmt: skip
