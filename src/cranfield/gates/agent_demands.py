"""What [gate.agents] demands of recorded answers, as a gate reports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.formats import name_queries
from cranfield.gates.gate_rules import Cause, RuleResult, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cranfield.agents import AgentDemand
    from cranfield.projects import AgentGate, Project

__all__ = ["add_agent_demands", "note_agent_demands"]


def add_agent_demands(
    demands: Mapping[str, Sequence[RuleResult]], suites: Sequence[str], project: Project
) -> dict[str, Sequence[RuleResult]]:
    """Return demands with that on agents, if the project has one; it is shown with the first suite.

    Tasks belong to no suite, and a gate reports by suite.
    """
    from cranfield.agents import judge_recordings

    wanted = project.content.agents
    if wanted is None or not suites:
        return dict(demands)
    folder = project.folder
    judged = judge_recordings(
        folder / wanted.tasks, folder / wanted.baseline, folder / wanted.candidate, wanted.arm
    )
    return _add(demands, suites[0], _results(judged, wanted))


def note_agent_demands(
    demands: Mapping[str, Sequence[RuleResult]], suites: Sequence[str], project: Project
) -> dict[str, Sequence[RuleResult]]:
    """Return demands with a warning that those on agents are not judged: checking takes long."""
    if project.content.agents is None or not suites:
        return dict(demands)
    message = "[gate.agents] is not judged here, only by `cranfield gate`"
    return _add(demands, suites[0], [RuleResult("agents", Severity.WARN, message)])


def _add(
    demands: Mapping[str, Sequence[RuleResult]], suite: str, results: Iterable[RuleResult]
) -> dict[str, Sequence[RuleResult]]:
    return {**demands, suite: (*demands.get(suite, ()), *results)}


def _results(judged: AgentDemand, wanted: AgentGate) -> Iterator[RuleResult]:
    fall = Severity.FAIL if wanted.blocks else Severity.WARN
    about = f"agents with the arm {wanted.arm}"
    severity = fall if judged.is_worse else Severity.NOTE
    yield RuleResult("agents", severity, f"{about}: {judged.message}")
    if judged.unanswered:
        message = (
            f"{about}: the baseline answers tasks that {wanted.candidate} does not: "
            f"{name_queries(judged.unanswered)}"
        )
        yield RuleResult("agents", fall, message, cause=Cause.FAILURES)
