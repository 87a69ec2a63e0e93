"""Stored answers measured by something else than they were run for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.runs.measuring import Measuring

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.measures import Measure
    from cranfield.model import Query
    from cranfield.runs.records import Answer
    from cranfield.runs.running import Run

__all__ = ["remeasure"]


def remeasure(run: Run, measures: Sequence[Measure]) -> Iterator[tuple[Query, Answer]]:
    """Yield every query with its first answer, measured by the given measures in their order."""
    measuring = Measuring(run.header.suite, measures)
    for stored in run.store.answers(run.header.id):
        if stored.repeat == 0:
            query = run.header.suite.queries[stored.place]
            yield query, measuring.answer(stored.place, stored.repeat, stored.response)
