"""Figures that use a model, as the reports of runs and comparisons show them beside their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.evaluation.sessions import set_judging
from cranfield.judging.models.corrected_figures import Calibration, calibrate
from cranfield.judging.models.model_round import name_rater
from cranfield.judging.models.model_settings import read_model_settings
from cranfield.judging.models.prompts import read_prompt
from cranfield.judgments import JudgmentSource, JudgmentStore, query_key
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.model import Suite
    from cranfield.runs.store import Store

__all__ = ["ModelColumns", "find_model_columns"]


@dataclass(frozen=True, slots=True)
class ModelColumns:
    """What the model of a suite makes of one run, or of two; the `reason` if that is impossible."""

    suite: str
    calibration: Calibration | None
    reason: str = ""


def find_model_columns(
    compared: Iterable[Sequence[Run]], project: Project, store: Store
) -> tuple[ModelColumns, ...]:
    """Return the figures of each run, or of two runs of one suite, that use the suite's model.

    Nothing of suites without a model, or whose model has judged no hit of these queries, and of
    runs that are not finished. Whatever a run is graded by, `by_rules` are its stored figures.
    """
    found = (_find(runs, project, store) for runs in compared)
    return tuple(each for each in found if each is not None)


def _find(runs: Sequence[Run], project: Project, store: Store) -> ModelColumns | None:
    if any(run.header.state is RunState.RUNNING for run in runs):
        return None
    suite = set_judging(project, runs[-1]).header.suite
    if not suite.judging.model:
        return None
    try:
        if not _has_judged(suite, store):
            return None
        stored = [Run(store.header(run.header.id), store) for run in runs]
        if any(a.header.selection != b.header.selection for a, b in zip(runs, stored, strict=True)):
            return ModelColumns(suite.id, None, "they are of all queries, and these are a part")
        chosen = set_judging(project, stored[-1]).header.suite
        return ModelColumns(suite.id, calibrate(stored, store, suite=chosen))
    except CranfieldError as problem:
        return ModelColumns(suite.id, None, str(problem))


def _has_judged(suite: Suite, store: Store) -> bool:
    """Return whether the model, with its prompt of now, has judged any hit of a suite's queries."""
    settings = read_model_settings(suite)
    rater = name_rater(settings, read_prompt(suite.folder, settings.prompt))
    judgments = JudgmentStore(store).judgments({query_key(query) for query in suite.queries})
    return any(each.source is JudgmentSource.MODEL and each.rater == rater for each in judgments)
