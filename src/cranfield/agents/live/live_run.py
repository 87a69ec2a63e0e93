"""A live evaluation: asks what no log answers yet, and reads all answers from the logs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.agents.live.agent_plan import Question, hash_prompt
from cranfield.agents.live.grounding import open_groundings
from cranfield.agents.live.inspect_logs import read_logged_answers
from cranfield.agents.recordings import AnswerState
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from inspect_ai import Task as InspectTask

    from cranfield.agents.live.agent_plan import AgentPlan
    from cranfield.agents.recordings import AgentAnswer

__all__ = ["LiveRun", "Requests", "check_model"]

_BUG = "the evaluation of Inspect failed"


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


@dataclass(frozen=True, slots=True)
class Requests:
    """How requests are sent: `jobs` answers at a time, and again up to `retries` times."""

    jobs: int = 4
    retries: int = 5


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A plan and the folder of its logs, which are its only record."""

    plan: AgentPlan
    logs: Path

    def answers(self) -> list[AgentAnswer]:
        """Return the answers that the logs hold, arm by arm, in the order of the plan."""
        found = self._find_answers()
        arms = [arm.name for arm in self.plan.arms]
        ordered = sorted(self.plan.questions, key=lambda each: arms.index(each.arm))
        return [found[each] for each in ordered if each in found]

    def missing(self) -> list[Question]:
        """Return what is to be asked: what has no answer yet, or failed."""
        found = self._find_answers()
        return [
            each
            for each in self.plan.questions
            if each not in found or found[each].state is AnswerState.ERROR
        ]

    def ask(
        self,
        questions: Iterable[Question],
        environment: Mapping[str, str],
        requests: Requests,
        note: Callable[[], object] = bool,
    ) -> None:
        """Ask what is `missing`; `note` is called after each answer.

        Every answer is in the logs before the next one is asked for, so that a run that was
        stopped goes on where it was.
        """
        wanted = frozenset(questions)
        if not wanted:
            return
        plan = self.plan
        with open_groundings(plan.arms, plan.tools, plan.options.hits, environment) as groundings:
            tasks = list(self._make_tasks(wanted, groundings, note))
            _evaluate(
                tasks,
                plan.options.model,
                log_dir=str(self.logs),
                max_samples=requests.jobs,
                max_connections=requests.jobs,
                max_retries=requests.retries,
            )

    def _find_answers(self) -> dict[Question, AgentAnswer]:
        prompts = {task.id: hash_prompt(task) for task in self.plan.tasks}
        logged = read_logged_answers(self.logs) if self.logs.is_dir() else []
        return {
            Question(each.answer.arm, each.answer.task, each.answer.repeat): each.answer
            for each in logged
            if each.is_numbered
            and self.plan.keys.get(each.answer.arm) == each.key
            and prompts.get(each.answer.task) == each.prompt
        }

    def _make_tasks(
        self, wanted: frozenset[Question], groundings: Mapping[str, Any], note: Callable[[], object]
    ) -> Iterable[InspectTask]:
        from cranfield.agents.live.inspection import Batch, make_inspect_task

        for repeat in range(self.plan.options.repeats):
            for arm in self.plan.arms:
                chosen = tuple(
                    task
                    for task in self.plan.tasks
                    if Question(arm.name, task.id, repeat) in wanted
                )
                if chosen:
                    grounding = groundings.get(arm.name)
                    yield make_inspect_task(
                        self.plan, arm, grounding, Batch(chosen, repeat), note=note
                    )


def _evaluate(tasks: list[InspectTask], model: str, **settings: Any) -> None:
    from inspect_ai import eval as evaluate

    logs = evaluate(
        tasks,
        model=model,
        display="none",
        log_level="error",
        log_buffer=1,
        fail_on_error=False,
        ctl_server=False,
        max_tasks=1,
        **settings,
    )
    if len(logs) < len(tasks) or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt  # which Inspect keeps to itself
    for log in logs:
        if log.status == "error" and not log.samples:
            raise CranfieldError(f"{_BUG}: {log.error.message if log.error else 'it says no more'}")
