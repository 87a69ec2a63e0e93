"""Runs of another store taken into one: what CI jobs left behind, brought together."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from cranfield.runs.records import RunState
from cranfield.runs.store import answer_row

if TYPE_CHECKING:
    from cranfield.runs.records import RunHeader
    from cranfield.runs.store import Store

__all__ = ["import_runs"]

_ROWS = 500


def import_runs(store: Store, other: Store) -> tuple[list[RunHeader], list[RunHeader]]:
    """Copy the runs that a store does not have; return those copied and those left.

    A run that was not finished when its store was kept is left: nobody can resume it here.
    """
    known = {header.id for header in store.headers()}
    copied, left = [], []
    for header in other.headers():
        if header.id in known or header.state is RunState.RUNNING:
            left.append(header)
            continue
        # Marked as running until all is there, so that a break leaves nothing half done.
        store.begin(replace(header, state=RunState.RUNNING))
        rows = (answer_row(header.id, answer) for answer in other.answers(header.id))
        while some := list(islice(rows, _ROWS)):
            store.add(header.id, some)
        store.update(header)
        copied.append(header)
    return copied, left
