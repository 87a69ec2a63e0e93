"""Answers by what their searches found: groups, rates and their difference, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.agents.test_arm_comparison import make_task

from cranfield.agents.answer_checks import CheckOutcome, CheckResult
from cranfield.agents.answers import AgentAnswer, AgentEvaluation, AgentSearch, CheckedAnswer
from cranfield.agents.mediation import Retrieval, relate_retrieval

PAGE = "python/asyncio/timeout"
FOUND, LOW, MISSED = (("x", PAGE),), (("x",) * 5 + (PAGE,),), (("x",),)


def checked(
    name: str, searches: tuple[tuple[str, ...], ...], outcome: CheckOutcome, repeat: int = 0
) -> CheckedAnswer:
    task = replace(make_task(name), needs=("asyncio.timeout",))
    made = tuple(AgentSearch("q", hits) for hits in searches)
    answer = AgentAnswer(name, "grounded", "x", repeat=repeat, searches=made)
    return CheckedAnswer(answer, task, "x", (CheckResult("exists", outcome),))


def relate(*answers: CheckedAnswer) -> dict[Retrieval, tuple[int, float | None]]:
    tasks = tuple({each.task.id: each.task for each in answers}.values())
    found = relate_retrieval(AgentEvaluation(tasks, answers), "grounded")
    return {
        each.retrieval: (each.tasks, each.rate.value if each.rate else None)
        for each in found.groups
    }


def test_tasks_are_grouped_by_what_was_found() -> None:
    right, wrong = CheckOutcome.PASS, CheckOutcome.FAIL
    groups = relate(
        checked("a", FOUND, right),
        checked("b", FOUND, right),
        checked("c", LOW, wrong),
        checked("d", MISSED, right),
        checked("e", (), wrong),
        checked("f", FOUND, CheckOutcome.UNKNOWN),
    )
    assert groups == {
        Retrieval.FOUND: (2, 1.0),
        Retrieval.MISSED: (2, 0.5),
        Retrieval.NOT_SEARCHED: (1, 0.0),
    }


def test_a_task_counts_once_however_often_it_was_asked() -> None:
    right, wrong = CheckOutcome.PASS, CheckOutcome.FAIL
    repeated = [checked("a", FOUND, right, repeat) for repeat in range(3)]
    groups = relate(*repeated, checked("b", FOUND, wrong), checked("b", FOUND, wrong, 1))
    assert groups[Retrieval.FOUND] == (2, 0.5)


def test_the_difference_has_an_interval() -> None:
    """9 of 10 against 3 of 10: Newcombe (1998), table II, method 10."""
    answers = [
        checked(f"{name}{number}", searches, outcome)
        for name, searches, rights in (("f", FOUND, 9), ("m", MISSED, 3))
        for number in range(10)
        for outcome in [CheckOutcome.PASS if number < rights else CheckOutcome.FAIL]
    ]
    tasks = tuple(each.task for each in answers)
    found = relate_retrieval(AgentEvaluation(tasks, tuple(answers)), "grounded").difference
    assert found is not None
    bounds = (found.value, found.low, found.high)
    assert bounds == pytest.approx((0.6, 0.1705, 0.8090), abs=5e-5)


def test_without_both_groups_there_is_no_difference() -> None:
    answer = checked("a", FOUND, CheckOutcome.PASS)
    found = relate_retrieval(AgentEvaluation((answer.task,), (answer,)), "grounded")
    assert found.difference is None
