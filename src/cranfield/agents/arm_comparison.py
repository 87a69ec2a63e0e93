"""Does grounding help? Two arms compared task by task, and a build's answers with those before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import nan, sqrt
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from cranfield.agents.answer_checks import CheckOutcome
from cranfield.agents.answers import AnswerState, evaluate_answers
from cranfield.agents.live.inspect_logs import read_answers
from cranfield.agents.tasks import load_tasks
from cranfield.defaults import SEED
from cranfield.errors import CranfieldError, InputError
from cranfield.formats import name_queries
from cranfield.statistics import (
    ALPHA,
    ColumnPair,
    VerdictKind,
    compare_columns,
    minimum_detectable_effect,
)
from cranfield_shared.registry import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from cranfield.agents.answers import AgentAnswer, AgentEvaluation, CheckedAnswer
    from cranfield.statistics import PairedComparison, Verdict

__all__ = [
    "ALL_CHECKS",
    "AgentDemand",
    "ArmComparison",
    "CheckComparison",
    "TaskBucket",
    "TaskChange",
    "compare_arms",
    "detectable_gain",
    "judge_recordings",
]

ALL_CHECKS = "all checks"
_TEST = "mcnemar"
_TEST_OF_SHARES = "sign"
_USUAL_RATE = 0.5
_SPREAD_OF_EFFECTS = 0.3


class TaskBucket(StrEnum):
    """What became of a task between the arms; every task is in exactly one."""

    HELPED = "helped"
    HURT = "hurt"
    BOTH_RIGHT = "right in both"
    BOTH_WRONG = "wrong in both"
    SAME_SHARE = "as often right in both"
    UNKNOWN = "unknown"
    """One arm has no answer that any check could look at."""


@dataclass(frozen=True, slots=True)
class TaskChange:
    """The share of right answers to a task in both arms; None if unknown."""

    task: str
    a: float | None
    b: float | None

    @property
    def bucket(self) -> TaskBucket:
        """What became of the task."""
        if self.a is None or self.b is None:
            return TaskBucket.UNKNOWN
        if self.a != self.b:
            return TaskBucket.HELPED if self.b > self.a else TaskBucket.HURT
        return {1.0: TaskBucket.BOTH_RIGHT, 0.0: TaskBucket.BOTH_WRONG}.get(
            self.a, TaskBucket.SAME_SHARE
        )


@dataclass(frozen=True, slots=True)
class CheckComparison:
    """One check, or all together, in both arms; `paired` is None if no task has it in both."""

    check: str
    paired: PairedComparison | None


@dataclass(frozen=True, slots=True)
class ArmComparison:
    """B against A: `checks` begins with all checks together, which alone decides the verdict."""

    a: str
    b: str
    checks: tuple[CheckComparison, ...]
    changes: tuple[TaskChange, ...]
    repeats: int

    @property
    def verdict(self) -> Verdict | None:
        """What all checks together say; None if no task was answered in both arms."""
        paired = self.checks[0].paired
        return None if paired is None else paired.verdict

    def tasks_in(self, bucket: TaskBucket) -> tuple[str, ...]:
        """Return the tasks of a bucket."""
        return tuple(each.task for each in self.changes if each.bucket is bucket)


def compare_arms(evaluation: AgentEvaluation, a: str, b: str, *, seed: int = SEED) -> ArmComparison:
    """Compare two arms by the share of right answers to each task.

    With one answer a task this is McNemar's test; with several, tasks stay the unit, as answers to
    one task are alike. The verdict is that of the mean difference, as for searches.
    """
    for arm in (a, b):
        if arm not in evaluation.arms:
            raise CranfieldError(unknown_name("arm", arm, evaluation.arms))
    names = (ALL_CHECKS, *evaluation.checks)
    repeats = max((each.answer.repeat for each in evaluation.checked), default=0) + 1
    test = _TEST if repeats == 1 else _TEST_OF_SHARES
    shares = {name: [_shares(evaluation, arm, name) for arm in (a, b)] for name in names}
    columns = [
        ColumnPair(
            _column(shares[name][0]),
            _column(shares[name][1]),
            test=test,
            is_headline=name == ALL_CHECKS,
        )
        for name in names
    ]
    compared = compare_columns(columns, seed=seed)
    changes = tuple(
        TaskChange(task.id, first, second)
        for task, first, second in zip(evaluation.tasks, *shares[ALL_CHECKS], strict=True)
    )
    return ArmComparison(
        a,
        b,
        tuple(CheckComparison(*each) for each in zip(names, compared, strict=True)),
        changes,
        repeats,
    )


def _shares(evaluation: AgentEvaluation, arm: str, check: str) -> list[float | None]:
    """Return the share of answers that pass, for each task; None if none is known."""
    shares: list[float | None] = []
    for task in evaluation.tasks:
        outcomes = [_passes(each, check) for each in evaluation.of(arm, task.id)]
        known = [each for each in outcomes if each is not None]
        shares.append(sum(known) / len(known) if known else None)
    return shares


def _column(shares: Iterable[float | None]) -> NDArray[np.float64]:
    return np.array([nan if each is None else each for each in shares], dtype=np.float64)


def _passes(checked: CheckedAnswer, check: str) -> bool | None:
    if check == ALL_CHECKS:
        return checked.is_right
    outcome = checked.outcome(check)
    return None if outcome in (None, CheckOutcome.UNKNOWN) else outcome is CheckOutcome.PASS


def detectable_gain(tasks: int, repeats: int) -> float | None:
    """Return the difference in the share of right answers that so many tasks show 80 % of the time.

    It assumes that half of the answers are right, that those to one task are drawn independently,
    and that the gain of a task varies with a standard deviation of 0.3.
    """
    within = 2 * _USUAL_RATE * (1 - _USUAL_RATE) / repeats
    return minimum_detectable_effect(
        sqrt(within + _SPREAD_OF_EFFECTS**2), tasks, alpha=ALPHA, span=1.0
    ).value


# What a gate demands: with the candidate's search, agents are not worse than before.

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
    answers = read_answers(place)
    found = [each for each in answers if each.arm == arm]
    if not found:
        arms = dict.fromkeys(each.arm for each in answers)
        raise InputError(unknown_name("arm", arm, arms), file=str(place))
    return found


def _renamed(answers: Iterable[AgentAnswer], arm: str) -> list[AgentAnswer]:
    return [msgspec.structs.replace(each, arm=arm) for each in answers]
