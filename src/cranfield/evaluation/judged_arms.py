"""Runs of a project, graded by judgments if it or their suite says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.judgments import judge_runs
from cranfield.model import JudgingSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cranfield.evaluation.project import Project
    from cranfield.runs import Run, Store

__all__ = ["set_judging", "use_judgments"]


def use_judgments(project: Project, store: Store, runs: Iterable[Run]) -> list[Run]:
    """Return runs graded by judgments of the store, as far as `judged_by` of [judging] says so."""
    return judge_runs([set_judging(project, run) for run in runs], store)


def set_judging(project: Project, run: Run) -> Run:
    """Return a stored run that is judged as its suite or its project says now.

    If the suite no longer loads, it is judged as it was when it was run, with a warning.
    """
    header = run.header
    try:
        settings = project.judging_of(header.suite)
    except CranfieldError as problem:
        kept = (
            f"the suite {header.suite.id} can no longer be loaded, so it is judged as it was when "
            f"it was run: {problem}"
        )
        return replace(run, header=replace(header, notices=(*header.notices, kept)))
    if settings in (header.suite.judging, JudgingSettings()):
        return run
    return run.with_suite(replace(header.suite, judging=settings))
