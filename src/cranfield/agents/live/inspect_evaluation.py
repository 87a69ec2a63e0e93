"""Questions asked with Inspect, which writes each answer into a log before it asks the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.agents.live.agent_plan import Question
from cranfield.errors import CranfieldError
from cranfield.executors import StartWorkers  # noqa: TC001 - read at run time by dataclasses

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from inspect_ai import Task as InspectTask

    from cranfield.agents.live.agent_plan import AgentPlan
    from cranfield.agents.live.grounding import Grounding

__all__ = ["Requests", "check_model", "evaluate_questions"]

_BUG = "the evaluation of Inspect failed"


@dataclass(frozen=True, slots=True)
class Requests:
    """How requests are sent: `jobs` answers at a time, and again up to `retries` times.

    With `start`, workers of a cluster send them.
    """

    jobs: int = 4
    retries: int = 5
    start: StartWorkers | None = None


def check_model(name: str) -> None:
    """Raise CranfieldError if Inspect cannot make the model: no such provider, or no key for it."""
    try:
        from inspect_ai.model import get_model
    except ImportError:
        raise CranfieldError(
            "asking a model needs Inspect: pip install 'cranfield[agents]'; recorded answers are "
            "checked without it: --recorded FILE"
        ) from None
    try:
        get_model(name)
    except Exception as problem:  # noqa: BLE001 - every provider raises its own
        said = getattr(problem, "message", None) or problem
        raise CranfieldError(f"the model {name!r} cannot be used: {said}") from None


def evaluate_questions(
    plan: AgentPlan,
    questions: Collection[Question],
    groundings: Mapping[str, Grounding],
    logs: Path,
    requests: Requests,
    note: Callable[[], object] = bool,
) -> None:
    """Ask some questions of a plan in this process; `note` is called after each answer."""
    from inspect_ai import eval as evaluate

    tasks = list(_make_tasks(plan, frozenset(questions), groundings, note))
    written = evaluate(
        tasks,
        model=plan.options.model,
        display="none",
        log_dir=str(logs),
        log_level="error",
        log_buffer=1,
        fail_on_error=False,
        ctl_server=False,
        max_tasks=1,
        max_samples=requests.jobs,
        max_connections=requests.jobs,
        max_retries=requests.retries,
    )
    if len(written) < len(tasks) or any(log.status == "cancelled" for log in written):
        raise KeyboardInterrupt  # which Inspect keeps to itself
    for log in written:
        if log.status == "error" and not log.samples:
            raise CranfieldError(f"{_BUG}: {log.error.message if log.error else 'it says no more'}")


def _make_tasks(
    plan: AgentPlan,
    wanted: frozenset[Question],
    groundings: Mapping[str, Any],
    note: Callable[[], object],
) -> Iterator[InspectTask]:
    from cranfield.agents.live.inspection import Batch, make_inspect_task

    for repeat in range(plan.options.repeats):
        for arm in plan.arms:
            chosen = tuple(
                task for task in plan.tasks if Question(arm.name, task.id, repeat) in wanted
            )
            if chosen:
                batch = Batch(chosen, repeat)
                yield make_inspect_task(plan, arm, groundings.get(arm.name), batch, note=note)
