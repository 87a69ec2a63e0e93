"""The rounds of models over stored runs, with the settings that the project has now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.judging.models.model_round import ModelRound
from cranfield.judging.pool import make_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.evaluation import Project
    from cranfield.model import Suite
    from cranfield.runs import Run, Store

__all__ = ["current_suite", "open_model_rounds"]


def current_suite(run: Run, project: Project) -> Suite:
    """Return the suite of a run with the settings of judging that its project has now.

    A suite that the project does not list keeps those that it was run with.
    """
    stored = run.header.suite
    found = project.find_suite(stored.id)
    if found is None:
        return stored
    return replace(stored, judging=found.judging, folder=found.folder)


def open_model_rounds(
    runs: Sequence[Run], project: Project, store: Store, depth: int
) -> list[ModelRound]:
    """Open one round for each suite of some runs."""
    by_suite: dict[str, list[Run]] = {}
    for run in runs:
        by_suite.setdefault(run.header.suite.id, []).append(run)
    return [
        ModelRound(current_suite(each[-1], project), make_pool(each, depth), store)
        for each in by_suite.values()
    ]
