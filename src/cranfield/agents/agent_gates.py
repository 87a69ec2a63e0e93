"""What a gate demands of agents: with the candidate's search they are not worse than before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from cranfield.agents.arm_comparison import TaskBucket, compare_arms
from cranfield.agents.evaluation import evaluate_answers
from cranfield.agents.recordings import AnswerState
from cranfield.agents.tasks import load_tasks
from cranfield.errors import InputError
from cranfield.formats import name_queries
from cranfield.verdicts import VerdictKind
from cranfield_shared.names import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cranfield.agents.arm_comparison import ArmComparison
    from cranfield.agents.recordings import AgentAnswer

__all__ = ["AgentDemand", "judge_recordings"]

BASELINE, CANDIDATE = "baseline", "candidate"
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class AgentDemand:
    """The candidate's answers against those of the baseline.

    `unanswered` are tasks with an answer in the baseline and none in the candidate: leaving out
    what went wrong must not pass.
    """

    comparison: ArmComparison
    unanswered: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """Whether the verdict is *worse*, or nothing could be compared."""
        verdict = self.comparison.verdict
        return verdict is None or verdict.kind is VerdictKind.WORSE

    @property
    def hurt(self) -> tuple[str, ...]:
        """The tasks that the candidate gets right less often."""
        return self.comparison.tasks_in(TaskBucket.HURT)

    @property
    def message(self) -> str:
        """The figures and the verdict in a sentence."""
        paired, verdict = self.comparison.checks[0].paired, self.comparison.verdict
        if paired is None or verdict is None:
            return "no task has an answer in both recordings"
        needed = verdict.queries_needed
        more = f"; about {needed:,} tasks would tell" if needed else ""
        hurt = f"; hurt: {name_queries(self.hurt, _MOST_NAMED)}" if self.hurt else ""
        return (
            f"right answers {paired.mean_b:.4f} against {paired.mean_a:.4f} over "
            f"{paired.pairs} tasks, verdict {verdict.kind}{more}{hurt}"
        )


def judge_recordings(tasks: Path, baseline: Path, candidate: Path, arm: str) -> AgentDemand:
    """Check the answers of one arm in two recordings, and compare them task by task."""
    before, after = (_of_arm(place, arm) for place in (baseline, candidate))
    evaluation = evaluate_answers(
        load_tasks(tasks), [*_renamed(before, BASELINE), *_renamed(after, CANDIDATE)]
    )
    answered = {each.task for each in after if each.state is not AnswerState.ERROR}
    missing = (each.task for each in before if each.state is not AnswerState.ERROR)
    return AgentDemand(
        compare_arms(evaluation, BASELINE, CANDIDATE),
        tuple(dict.fromkeys(task for task in missing if task not in answered)),
    )


def _of_arm(place: Path, arm: str) -> list[AgentAnswer]:
    from cranfield.agents.live import read_answers

    answers = read_answers(place)
    found = [each for each in answers if each.arm == arm]
    if not found:
        arms = dict.fromkeys(each.arm for each in answers)
        raise InputError(unknown_name("arm", arm, arms), file=str(place))
    return found


def _renamed(answers: Iterable[AgentAnswer], arm: str) -> list[AgentAnswer]:
    return [msgspec.structs.replace(each, arm=arm) for each in answers]
