"""What every gate and check asks of agents; quick to import, and to say that there is nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cranfield.evaluation.bundled_projects import find_bundled
from cranfield.evaluation.gate_evaluation import Demand
from cranfield.formats import name_queries
from cranfield.gates.gate_rules import Cause, RuleResult, Severity
from cranfield.suites.checks.checkers import Checker
from cranfield.systems import CONFIG_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cranfield.agents.arm_comparison import AgentDemand
    from cranfield.evaluation.gate_evaluation import DemandRequest
    from cranfield.evaluation.project_file import AgentGate
    from cranfield.suites.checks.checkers import PlaceCheck

__all__ = [
    "AGENT_DEMAND",
    "TASK_CHECKER",
    "find_tasks",
    "holds_tasks",
]

_KEY_OF_TASK = re.compile(r"^(?:prompt|reference)\s*=", re.M)
_SUITE = re.compile(r"^\[\[\s*query\s*\]\]", re.M)


def find_tasks(place: Path) -> Path:
    """Return a place of tasks; the bundled ones are copied to `suites/agents` when named.

    They are `agents`, and what is in it: `agents/tasks/python`, also with `suites/` before it.
    """
    return find_bundled(place, "agents", "tasks")


def holds_tasks(place: Path) -> bool:
    """Return whether a file is a task, or a folder has one; a folder of a project has suites."""
    if place.is_dir():
        if (place / CONFIG_NAME).is_file():
            return False
        return any(_is_task(file) for file in sorted(place.rglob("*.toml")))
    return place.suffix == ".toml" and _is_task(place)


def _is_task(file: Path) -> bool:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return _KEY_OF_TASK.search(text) is not None and _SUITE.search(text) is None


def _check(place: Path) -> PlaceCheck:
    # Imported here: `cranfield check` of suites asks what holds tasks, and needs no checks of them.
    from cranfield.agents.task_checks import check_tasks

    return check_tasks(find_tasks(place))


TASK_CHECKER = Checker("tasks", lambda place: holds_tasks(find_tasks(place)), _check)
"""What `cranfield check` finds in tasks."""


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
