"""Why a wrong name got into an answer, and answers by what their searches found, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.agents.test_arm_comparison import make_task

from cranfield.agents.answer_checks import AnswerFinding, CheckOutcome, CheckResult
from cranfield.agents.answers import AgentAnswer, AgentEvaluation, AgentSearch, CheckedAnswer
from cranfield.agents.mediation import (
    MediationStep,
    Retrieval,
    explain_failures,
    is_page_of,
    relate_retrieval,
)

PAGE, OTHER = "python/asyncio/timeout", "python/os/path"
FOUND, LOW, MISSED = (("x", PAGE),), (("x",) * 5 + (PAGE,),), (("x",),)


@pytest.mark.parametrize(
    ("document", "symbol", "is_page"),
    [
        ("pydoc://asyncio/timeout", "asyncio.timeout", True),
        ("https://docs.example/asyncio.timeout.html", "asyncio.timeout", True),
        ("asyncio.timeout()", "asyncio.timeout", True),
        ("docs/asyncio", "asyncio.timeout", True),
        ("docs/asyncio/timeout_at", "asyncio.timeout", False),
        ("docs/timeout", "asyncio.timeout", False),
        ("docs/myasyncio", "asyncio.timeout", False),
    ],
)
def test_a_page_is_that_of_a_symbol_or_of_what_has_it(
    document: str, symbol: str, is_page: bool
) -> None:
    assert is_page_of(document, symbol) is is_page


@pytest.mark.parametrize(
    ("searches", "read", "code", "step", "rank"),
    [
        ((), (), "", MediationStep.NOT_SEARCHED, None),
        (((OTHER,),), (), "", MediationStep.NOT_FOUND, None),
        (((OTHER, PAGE),), (OTHER,), "", MediationStep.NOT_READ, 2),
        (((OTHER, PAGE), (PAGE,)), (PAGE,), "asyncio.timeouts(1)", MediationStep.IGNORED, 1),
        (((PAGE,),), (), "asyncio.timeout(limit=1)", MediationStep.USED, 1),
    ],
)
def test_each_step_at_which_grounding_fails(
    searches: tuple[tuple[str, ...], ...],
    read: tuple[str, ...],
    code: str,
    step: MediationStep,
    rank: int | None,
) -> None:
    task = replace(make_task("t"), needs=("asyncio.timeout",))
    answer = AgentAnswer(
        "t",
        "grounded",
        code,
        searches=tuple(AgentSearch("q", hits) for hits in searches),
        read=read,
    )
    finding = AnswerFinding("exists", CheckOutcome.FAIL, "no such name", symbol="asyncio.x")
    result = CheckResult("exists", CheckOutcome.FAIL, (finding,))
    evaluation = AgentEvaluation((task,), (CheckedAnswer(answer, task, code, (result,)),))
    found = explain_failures(evaluation, "grounded")
    assert [(each.step, each.rank, each.symbol) for each in found] == [(step, rank, "asyncio.x")]


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
