"""Agents that are asked live, of a model on loopback: how each kind of conversation ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.agents import AgentAnswer, AnswerState
from cranfield.agents.live import AgentLimits

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.agents.live.chat_server import ChatServer

    Ask = Callable[..., list[AgentAnswer]]

pytestmark = [
    pytest.mark.server,
    # Inspect and what it uses: behind the changes of others, and streams left to the collector.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

UNGROUNDED = {"mode": "ungrounded"}


def test_an_ungrounded_agent_answers_without_tools(ask: Ask, chat: ChatServer) -> None:
    (answer,) = ask("good", **UNGROUNDED)

    assert answer.state is AnswerState.ANSWERED
    assert "tomllib.loads" in answer.answer
    assert (answer.task, answer.arm, answer.repeat) == ("first", "ungrounded", 0)
    assert (answer.model, answer.tokens) == ("openai-api/local/good", 15)
    assert "tools" not in chat.requests[0]


def test_a_grounded_agent_searches_with_the_system(ask: Ask) -> None:
    first, second = ask("searching", "pages")

    assert (first.arm, first.searches) == ("ungrounded", ())
    assert (second.arm, second.tokens) == ("grounded", 30)
    (search,) = second.searches
    assert search.query == "parse toml"
    assert search.hits == ("python/json/loads", "python/tomllib/loads", "python/csv/reader")


def test_both_arms_have_the_same_prompt_seed_and_temperature(ask: Ask, chat: ChatServer) -> None:
    ask("good", "pages", seed=7, temperature=0.5)

    first, second = chat.requests
    assert first["messages"] == second["messages"]
    assert (first["seed"], first["temperature"]) == (second["seed"], second["temperature"])
    assert (first["seed"], first["temperature"]) == (7, 0.5)


@pytest.mark.parametrize(
    ("model", "state", "said"),
    [
        ("bad", AnswerState.ANSWERED, ""),
        ("refusing", AnswerState.REFUSED, "I cannot help with that."),
        ("filtered", AnswerState.REFUSED, ""),
        ("cut-off", AnswerState.LIMIT, "longest output"),
        ("broken", AnswerState.ERROR, "this is status 500"),
        ("busy", AnswerState.ERROR, "this is status 429"),
        ("silent", AnswerState.ANSWERED, ""),
    ],
)
def test_the_end_of_a_conversation_is_named(
    ask: Ask, model: str, state: AnswerState, said: str
) -> None:
    (answer,) = ask(model, **UNGROUNDED)

    assert answer.state is state
    assert said in answer.message


def test_a_slow_model_runs_out_of_time(ask: Ask) -> None:
    (answer,) = ask("slow", **UNGROUNDED, limits=AgentLimits(seconds=0.3))

    assert answer.state is AnswerState.LIMIT
    assert answer.message == "time limit of 0.3"
    assert answer.answer == ""
