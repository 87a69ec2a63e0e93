"""How often does a gate on agents fail a build that is as good, and how often one that is worse?

    python benchmarks/agent_gate.py [REPEATS]

Draws answers to tasks whose difficulty varies: a task is right in both builds by the same chance,
or in the candidate by a lower one. Every draw goes through the comparison that the gate uses.
Prints how often the gate fails; exits with 1 if it fails a build that is as good in more than 5 %
of the draws, up to three standard errors of the simulation.
"""

from __future__ import annotations

import math
import random
import sys
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import CheckOutcome, CheckResult
from cranfield.agents.answers import AgentAnswer, AgentEvaluation, CheckedAnswer
from cranfield.agents.arm_comparison import AgentDemand, compare_arms
from cranfield.agents.tasks import Task, TaskTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

REPEATS = 300
SEED = 20
TASKS = (20, 40, 80)
ANSWERS = (1, 3)
RATES = (0.5, 0.8)
FALLS = (0.0, 0.1, 0.2, 0.3)
SPREAD = 1.5
MOST_ERRORS = 0.05
PASS = CheckResult("exists", CheckOutcome.PASS, resolved=1)
FAIL = CheckResult("exists", CheckOutcome.FAIL, resolved=1)


def draw_chances(chance: random.Random, count: int, rate: float) -> list[float]:
    """Draw the chance that an agent gets each task right; some are easy, some are hard."""
    middle = math.log(rate / (1 - rate))
    return [1 / (1 + math.exp(-chance.gauss(middle, SPREAD))) for _ in range(count)]


def draw_answers(
    chance: random.Random, arm: str, chances: list[float], answers: int
) -> Iterator[CheckedAnswer]:
    """Draw right and wrong answers to every task."""
    for number, right in enumerate(chances):
        task = Task(f"t{number}", "python", "new", "", TaskTarget(python="3.12"), "")
        for repeat in range(answers):
            result = PASS if chance.random() < right else FAIL
            yield CheckedAnswer(AgentAnswer(task.id, arm, "", repeat), task, "", (result,))


def fails(chance: random.Random, tasks: int, answers: int, rate: float, fall: float) -> bool:
    """Draw one baseline and one candidate, and return whether the gate fails."""
    before = draw_chances(chance, tasks, rate)
    after = [max(each - fall, 0.0) for each in before]
    checked = (
        *draw_answers(chance, "baseline", before, answers),
        *draw_answers(chance, "candidate", after, answers),
    )
    listed = {each.task.id: each.task for each in checked}
    evaluation = AgentEvaluation(tuple(listed.values()), checked)
    return AgentDemand(compare_arms(evaluation, "baseline", "candidate"), ()).is_worse


def main() -> None:
    """Print the table."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS
    most = MOST_ERRORS + 3 * math.sqrt(MOST_ERRORS * (1 - MOST_ERRORS) / repeats)
    chance = random.Random(SEED)  # noqa: S311 - draws that can be repeated
    missed = []
    print(f"share of {repeats:,} draws in which the gate fails, by the true fall of right answers")
    heads = "".join(f"{f'-{fall:.0%}' if fall else 'none':>8}" for fall in FALLS)
    print(f"tasks  answers  right before{heads}")
    for tasks in TASKS:
        for answers in ANSWERS:
            for rate in RATES:
                shares = [
                    sum(fails(chance, tasks, answers, rate, fall) for _ in range(repeats)) / repeats
                    for fall in FALLS
                ]
                row = "".join(f"{share:>8.1%}" for share in shares)
                print(f"{tasks:>5}  {answers:>7}  {rate:>12.0%}{row}", flush=True)
                if shares[0] > most:
                    missed.append(f"{tasks} tasks, {answers} answers, {rate:.0%}")
    if missed:
        sys.exit(f"a build that is as good fails too often: {'; '.join(missed)}")


if __name__ == "__main__":
    main()
