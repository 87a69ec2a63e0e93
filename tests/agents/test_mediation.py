"""Why a wrong name got into an answer: each step, and which ids are pages of a symbol."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.agents.test_arm_comparison import make_task

from cranfield.agents.answer_checks import AnswerFinding, CheckOutcome, CheckResult
from cranfield.agents.answers import AgentAnswer, AgentEvaluation, AgentSearch, CheckedAnswer
from cranfield.agents.mediation import MediationStep, explain_failures, is_page_of

PAGE, OTHER = "python/asyncio/timeout", "python/os/path"


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
