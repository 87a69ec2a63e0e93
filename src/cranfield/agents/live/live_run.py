"""A live evaluation: asks what no log answers yet, and reads all answers from the logs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.agents.live.agent_plan import Question, hash_prompt
from cranfield.agents.live.grounding import open_groundings
from cranfield.agents.live.inspect_evaluation import evaluate_questions
from cranfield.agents.live.inspect_logs import read_logged_answers
from cranfield.agents.live.remote_agents import RemoteAgents
from cranfield.agents.recordings import AnswerState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from cranfield.agents.live.agent_plan import AgentPlan
    from cranfield.agents.live.inspect_evaluation import Requests
    from cranfield.agents.recordings import AgentAnswer

__all__ = ["LiveRun"]


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
        wanted = tuple(questions)
        if not wanted:
            return
        plan = self.plan
        if requests.start is not None:
            agents = RemoteAgents(plan, environment, requests, requests.start)
            agents.ask(wanted, self.logs, note)
            return
        with open_groundings(plan.arms, plan.tools, plan.options.hits, environment) as groundings:
            evaluate_questions(plan, wanted, groundings, self.logs, requests, note)

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
