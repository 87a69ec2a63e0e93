"""Arms compared task by task: hand-made outcomes, McNemar, buckets, what could be detected."""

from __future__ import annotations

import pytest

from cranfield.agents.answer_checks import CheckOutcome, CheckResult
from cranfield.agents.answers import (
    AgentAnswer,
    AgentEvaluation,
    AnswerState,
    CheckedAnswer,
    evaluate_answers,
    order_arms,
)
from cranfield.agents.arm_comparison import TaskBucket, compare_arms, detectable_gain
from cranfield.agents.tasks import Task, TaskTarget
from cranfield.errors import CranfieldError
from cranfield.statistics import VerdictKind


def make_task(name: str) -> Task:
    return Task(name, "python", "new", "Do it.", TaskTarget("3.11"), "pass")


def checked(task: Task, arm: str, outcome: CheckOutcome | None, repeat: int = 0) -> CheckedAnswer:
    results = () if outcome is None else (CheckResult("exists", outcome),)
    return CheckedAnswer(AgentAnswer(task.id, arm, "x", repeat=repeat), task, "x", results)


def evaluation_of(outcomes: dict[str, list[str]]) -> AgentEvaluation:
    """Each arm has a letter a task: p(ass), f(ail), u(nknown)."""
    letters = {"p": CheckOutcome.PASS, "f": CheckOutcome.FAIL, "u": CheckOutcome.UNKNOWN}
    count = max(len(each) for rows in outcomes.values() for each in rows)
    tasks = tuple(make_task(f"t{number}") for number in range(count))
    answers = tuple(
        checked(task, arm, letters[letter], repeat)
        for arm, rows in outcomes.items()
        for repeat, row in enumerate(rows)
        for task, letter in zip(tasks, row, strict=True)
    )
    return AgentEvaluation(tasks, answers)


def test_mcnemar_on_tasks_is_that_of_the_book() -> None:
    found = compare_arms(evaluation_of({"a": ["pffffffff"], "b": ["fpppppppp"]}), "a", "b")
    paired = found.checks[0].paired
    assert paired is not None
    assert paired.class_test.name == "mcnemar"
    assert paired.class_test.p_two_sided == pytest.approx(2 * (1 + 9) / 2**9)
    assert paired.difference == pytest.approx(7 / 9)


def test_every_task_is_in_exactly_one_bucket() -> None:
    found = compare_arms(evaluation_of({"a": ["ppffu"], "b": ["pfpfp"]}), "a", "b")
    assert [each.bucket for each in found.changes] == [
        TaskBucket.BOTH_RIGHT, TaskBucket.HURT, TaskBucket.HELPED, TaskBucket.BOTH_WRONG,
        TaskBucket.UNKNOWN,
    ]  # fmt: skip
    assert found.checks[0].paired is not None
    assert found.checks[0].paired.pairs == 4


def test_repetitions_count_as_shares_of_a_task() -> None:
    found = compare_arms(evaluation_of({"a": ["pf", "ff"], "b": ["pp", "pf"]}), "a", "b")
    assert [(each.a, each.b) for each in found.changes] == [(0.5, 1.0), (0.0, 0.5)]
    assert found.repeats == 2


def test_many_tasks_helped_are_better_and_the_other_way_round_worse() -> None:
    evaluation = evaluation_of({"a": ["f" * 25 + "p" * 15], "b": ["p" * 38 + "ff"]})
    better, worse = compare_arms(evaluation, "a", "b"), compare_arms(evaluation, "b", "a")
    assert better.verdict is not None
    assert worse.verdict is not None
    assert (better.verdict.kind, worse.verdict.kind) == (VerdictKind.BETTER, VerdictKind.WORSE)


def test_an_unknown_arm_is_refused_with_a_near_name() -> None:
    evaluation = evaluation_of({"grounded": ["p"], "plain": ["p"]})
    for act in (lambda: compare_arms(evaluation, "plain", "grouned"),
                lambda: order_arms(evaluation, "grouned")):  # fmt: skip
        with pytest.raises(CranfieldError, match="grounded"):
            act()
    assert order_arms(evaluation, "plain").arms == ("plain", "grounded")


def test_more_tasks_and_repetitions_show_smaller_gains() -> None:
    few, many, repeated = detectable_gain(20, 1), detectable_gain(80, 1), detectable_gain(20, 5)
    assert few is not None
    assert many is not None
    assert repeated is not None
    assert 0 < many < few < 1
    assert repeated < few


def test_an_answer_without_code_is_wrong_and_an_error_is_left_out() -> None:
    task = make_task("t")
    answers = [
        AgentAnswer("t", "a", "", state=AnswerState.REFUSED),
        AgentAnswer("t", "b", "", state=AnswerState.ERROR, message="no connection"),
    ]
    found = evaluate_answers([task], answers)
    assert [each.is_right for each in found.checked] == [False]
    assert found.checked[0].failures[0].reason == "the model declined"
    assert [each.message for each in found.broken] == ["no connection"]


def test_arms_keep_the_order_of_the_recordings_if_an_answer_could_not_be_had() -> None:
    answers = [
        AgentAnswer("t0", "old", "", state=AnswerState.ERROR, message="no connection"),
        AgentAnswer("t0", "new", "", state=AnswerState.REFUSED),
        AgentAnswer("t1", "old", "", state=AnswerState.REFUSED),
        AgentAnswer("t1", "lost", "", state=AnswerState.ERROR),
    ]
    found = evaluate_answers([make_task("t0"), make_task("t1")], answers)
    assert found.arms == ("old", "new", "lost")
    assert order_arms(found, "lost").arms == ("lost", "old", "new")


def test_an_answer_to_an_unknown_task_is_refused() -> None:
    with pytest.raises(CranfieldError, match="task"):
        evaluate_answers([make_task("t")], [AgentAnswer("tt", "a", "x")])
