"""Our checks as a scorer of Inspect: one value for each check, never one for all."""

from __future__ import annotations

from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread
from inspect_ai.scorer import Score, accuracy, scorer, stderr

from cranfield.agents.answer_checks import applicable_checks
from cranfield.agents.evaluation import ANSWERED, evaluate_answers
from cranfield.agents.findings import CheckOutcome
from cranfield.agents.live.conversations import last_text
from cranfield.agents.recordings import AgentAnswer
from cranfield.agents.tasks import load_tasks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspect_ai.scorer import Scorer, Target
    from inspect_ai.solver import TaskState

    from cranfield.agents.evaluation import CheckedAnswer
    from cranfield.agents.tasks import Task

__all__ = ["checks"]

_ONE_AT_A_TIME = 1
_VALUES = {CheckOutcome.PASS: 1.0, CheckOutcome.FAIL: 0.0}


@scorer(metrics={"*": [accuracy(), stderr()]})
def checks(tasks: str) -> Scorer:
    """Check answers to the tasks of a folder; what is unknown or does not apply has no value."""
    loaded = {task.id: task for task in load_tasks(Path(tasks))}
    names = _list_checks(loaded)
    limiter = anyio.CapacityLimiter(_ONE_AT_A_TIME)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - Inspect's protocol
        task = loaded[str(state.sample_id)]
        check = partial(_check, task, last_text(state.messages))
        return _make_score(await anyio.to_thread.run_sync(check, limiter=limiter), names)

    return score


def _list_checks(tasks: Mapping[str, Task]) -> list[str]:
    found = (check.name for task in tasks.values() for check in applicable_checks(task))
    return [ANSWERED, *dict.fromkeys(found)]


def _check(task: Task, written: str) -> CheckedAnswer:
    answer = AgentAnswer(task=task.id, arm="inspect", answer=written)
    return evaluate_answers([task], [answer]).checked[0]


def _make_score(checked: CheckedAnswer, names: Sequence[str]) -> Score:
    outcomes = {each.check: each.outcome for each in checked.results}
    reasons = [f"{each.check}, line {each.line}: {each.reason}" for each in checked.failures]
    return Score(
        value={name: _VALUES.get(outcomes.get(name, CheckOutcome.UNKNOWN), nan) for name in names},
        answer=checked.code,
        explanation="\n".join(reasons) or "nothing wrong was found",
        metadata={name: str(outcome) for name, outcome in outcomes.items()},
    )
