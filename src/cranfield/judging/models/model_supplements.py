"""Figures that use a model, as a supplement of reports; quick to say that no suite has a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.evaluation import set_judging
from cranfield.reports import Supplement, SupplementKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.evaluation import Project
    from cranfield.runs import Run, Store

__all__ = ["MODEL_SUPPLEMENTS"]


def _find(
    compared: Sequence[Sequence[Run]], project: Project, store: Store
) -> Sequence[Supplement]:
    """Return the figures that use the models of suites, for each run or pair of runs."""
    suites = [set_judging(project, runs[-1]).header.suite for runs in compared]
    if not any(suite.judging.model for suite in suites):
        return ()
    # Models take a second to import, and nearly no suite has one.
    from cranfield.judging.models.model_columns import find_model_columns
    from cranfield.judging.models.model_report import supplement_columns

    return supplement_columns(find_model_columns(compared, project, store))


MODEL_SUPPLEMENTS = SupplementKind("models", _find)
