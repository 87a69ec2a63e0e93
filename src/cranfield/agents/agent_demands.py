"""What [gate.agents] demands of recorded answers, as a gate reports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.evaluation.demands import Demand
from cranfield.formats import name_queries
from cranfield.gates.gate_rules import Cause, RuleResult, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.agents.arm_comparison import AgentDemand
    from cranfield.evaluation.demands import DemandRequest
    from cranfield.evaluation.project_file import AgentGate

__all__ = ["AGENT_DEMAND"]


def _judge(request: DemandRequest) -> dict[str, Sequence[RuleResult]]:
    """Judge what the project demands of agents, if it does; it is shown with the first suite.

    Tasks belong to no suite, and a gate reports by suite. To check answers takes long: if somebody
    waits, a warning says that they are not judged.
    """
    wanted, folder = request.project.content.agents, request.project.folder
    if wanted is None or not request.runs:
        return {}
    first = request.runs[0].header.suite.id
    if request.is_quick:
        message = "[gate.agents] is not judged here, only by `cranfield gate`"
        return {first: [RuleResult("agents", Severity.WARN, message)]}
    # Imported here: every gate asks this demand, and few projects have [gate.agents].
    from cranfield.agents.arm_comparison import judge_recordings

    judged = judge_recordings(
        folder / wanted.tasks, folder / wanted.baseline, folder / wanted.candidate, wanted.arm
    )
    return {first: list(_results(judged, wanted))}


AGENT_DEMAND = Demand("agents", _judge)


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
