"""Runs accepted as baselines: what speaks against it, who accepts it, and what is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield.comparisons import Direction, find_headline
from cranfield.errors import CranfieldError, InputError
from cranfield.gates.baseline_files import (
    DEFAULT_BASELINE,
    baseline_path,
    read_baseline,
    write_baseline,
)
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gate_rules import Severity
from cranfield.gates.gated_runs import gate_run
from cranfield.runs.records import RunState
from cranfield.suites import hash_query

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cranfield.evaluation.project import Project
    from cranfield.gates.baselines import Baseline
    from cranfield.gates.gated_runs import GatedRun
    from cranfield.runs.runner import Run

__all__ = [
    "Acceptance",
    "accept_baseline",
    "accept_by_rule",
    "require_whole_run",
    "review_acceptance",
]

_MOST_NAMED = 20
"""The number of queries that a line names; the others are only counted."""
_RULE_REASON = "by the rule accept_at: as many improved as it asks, and none got worse"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Why a run is accepted as a baseline, when, by whom, at which commit, under which name.

    Queries whose ids are in `kept` stay as they were in the baseline before.
    """

    reason: str
    date: str
    author: str = ""
    commit: str = ""
    name: str = DEFAULT_BASELINE
    kept: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise CranfieldError("--reason says why the run is good enough to be a baseline")


def accept_baseline(run: Run, project: Project, acceptance: Acceptance) -> Path:
    """Write a run as the baseline of its suite; the one that was there goes into its history.

    Raises CranfieldError if the run is unfinished, partial or has no answers. `review_acceptance`
    says what else speaks against it.
    """
    header = run.header
    _refuse_unusable(run, project)
    path = baseline_path(project.folder, header.suite.id, acceptance.name)
    before = _read_replaced(run, project, acceptance.name)
    accepted = {
        "date": acceptance.date,
        "author": acceptance.author,
        "reason": acceptance.reason,
        "commit": acceptance.commit,
    }
    made = make_baseline(run, acceptance.name, accepted, before, acceptance.kept)
    write_baseline(path, made)
    return path


def accept_by_rule(gated: GatedRun, project: Project, acceptance: Acceptance) -> Path | None:
    """Accept a run as the new baseline if the suite's own rule says so; None if it does not.

    `acceptance` says who accepts and when; the reason is the rule. Queries that did not improve
    stay as they were: drops too small for any rule would add up from one baseline to the next.
    """
    before, against = gated.baseline, gated.against
    if before is None or against is None or not against.may_replace:
        return None
    header = gated.run.header
    made = (before.system, before.repeats, before.measures)
    if (header.system, header.repeats, header.measures) != made:
        return None
    same = tuple(each.query.id for each in against.beyond_noise(Direction.SAME))
    by_rule = replace(acceptance, reason=_RULE_REASON, name=before.name, kept=same)
    return accept_baseline(gated.run, project, by_rule)


def review_acceptance(
    runs: Sequence[Run], project: Project, name: str = DEFAULT_BASELINE
) -> list[str]:
    """Say what speaks against runs as baselines: failed rules, losses, missing answers.

    Raises CranfieldError for runs that cannot be baselines at all.
    """
    _refuse_several(runs)
    for run in runs:
        _refuse_unusable(run, project)
    return [line for run in runs for line in _review(run, project, name)]


def require_whole_run(run: Run, project: Project) -> None:
    """Refuse a run that is unfinished, or that ran only a part of its suite as it is now."""
    header = run.header
    if header.state is RunState.RUNNING:
        raise CranfieldError(
            f"run {header.id} is not finished; `cranfield run --resume` continues it"
        )
    suite = project.find_suite(header.suite.id)
    now = {hash_query(query) for query in suite.asked} if suite else set(header.asked.hashes)
    if now != set(header.asked.hashes):
        shared = len(now & set(header.asked.hashes))
        raise CranfieldError(
            f"run {header.id} has {shared} of the {len(now)} queries that {header.suite.id} has "
            "now; run the whole suite again"
        )
    if header.selection:
        raise CranfieldError(
            f"run {header.id} has only a part of {header.suite.id} ({header.selection}); run the "
            "whole suite"
        )


def _refuse_several(runs: Sequence[Run]) -> None:
    """Refuse several runs of one suite: only one can be its baseline."""
    ids = [run.header.suite.id for run in runs]
    if twice := [run for run in runs if ids.count(run.header.suite.id) > 1]:
        named = ", ".join(f"{run.header.id} ({run.header.name})" for run in twice)
        raise CranfieldError(f"these are several runs of one suite: {named}; name one")


def _refuse_unusable(run: Run, project: Project) -> None:
    """Refuse what cannot be a baseline, whoever forces it."""
    require_whole_run(run, project)
    if run.outcomes().is_unanswered:
        raise CranfieldError(f"run {run.header.id} has no answer; nothing can be compared with it")
    find_headline(run)  # a run without one could not be judged against


def _review(run: Run, project: Project, name: str) -> list[str]:
    gated = gate_run(run, _read_replaced(run, project, name))
    # A run that cannot be compared with the old baseline is what a new baseline is for.
    failing = [
        each.message
        for each in gated.results
        if each.severity is Severity.FAIL and each.rule != "compared"
    ]
    worse = gated.against.beyond_noise(Direction.WORSE) if gated.against else ()
    unanswered = [
        query.id
        for place, query in enumerate(gated.outcomes.queries)
        if gated.outcomes.failed[:, place].any()
    ]
    named = {
        "worse than the baseline before": [change.query.id for change in worse],
        "not answered, or not every time": unanswered,
    }
    lists = [
        f"{what}: {len(queries)} ({', '.join(queries[:_MOST_NAMED])}"
        f"{', …' if len(queries) > _MOST_NAMED else ''})"
        for what, queries in named.items()
        if queries
    ]
    return [f"{run.header.id}, {run.header.suite.id}: {line}" for line in (*failing, *lists)]


def _read_replaced(run: Run, project: Project, name: str) -> Baseline | None:
    """Read the baseline that a run would replace; refuse to replace one of another suite."""
    path = baseline_path(project.folder, run.header.suite.id, name)
    if not path.exists():
        return None
    before = read_baseline(path)
    if before.suite != run.header.suite.id:
        raise InputError(
            f"is a baseline of the suite {before.suite!r}, and would be overwritten by one of "
            f"{run.header.suite.id!r}; rename the suite or the file",
            file=str(path),
        )
    return before
