"""Agents that are asked live, of a model on loopback: how each kind of conversation ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.agents.answers import AgentAnswer, AnswerState
from cranfield.agents.live.agent_plan import AgentLimits
from cranfield.errors import SystemUnusableError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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


def test_what_was_written_before_a_limit_counts(ask: Ask) -> None:
    (answer,) = ask("talking", "pages", mode="grounded", limits=AgentLimits(turns=2))

    assert answer.state is AnswerState.LIMIT
    assert answer.message == "turn limit of 2"
    assert "tomllib.parse" in answer.answer


def test_endless_searching_ends_with_the_turns(ask: Ask, chat: ChatServer) -> None:
    (answer,) = ask("endless", "pages", mode="grounded", limits=AgentLimits(turns=3))

    assert (answer.state, answer.answer) == (AnswerState.LIMIT, "")
    assert len(chat.requests) == 3
    assert len(answer.searches) == 3


def test_endless_searching_ends_with_the_tokens(ask: Ask, chat: ChatServer) -> None:
    limits = AgentLimits(turns=50, tokens=40)
    (answer,) = ask("endless", "pages", mode="grounded", limits=limits)

    assert answer.message == "token limit of 40"
    assert len(chat.requests) == 3
    assert answer.tokens == 45


@pytest.mark.parametrize("model", ["malformed", "no-such-tool"])
def test_a_wrong_call_is_answered_and_the_agent_goes_on(
    ask: Ask, chat: ChatServer, model: str
) -> None:
    (answer,) = ask(model, "pages", mode="grounded")

    assert (answer.state, answer.searches) == (AnswerState.ANSWERED, ())
    assert "tomllib.loads" in answer.answer
    assert chat.requests[-1]["messages"][-1]["role"] == "tool"


def test_a_search_that_fails_says_nothing_about_the_arm(ask: Ask) -> None:
    (answer,) = ask("searching", "failing", mode="grounded")

    assert answer.state is AnswerState.ERROR
    assert answer.message.startswith("no search was answered: ")
    assert "the index is gone" in answer.message


def test_pasted_hits_are_in_the_prompt_once(ask: Ask, chat: ChatServer) -> None:
    first, second = ask("good", "pages", ground="paste", hits=2)

    found = ("python/json/loads", "python/tomllib/loads")
    assert (first.searches, second.arm) == ((), "pasted")
    assert (second.searches[0].hits, second.read) == (found, found)
    plain, pasted = (request["messages"][-1]["content"] for request in chat.requests)
    assert pasted.startswith(plain)
    assert pasted.count("2. python/tomllib/loads\n") == 1
    assert "About python/csv/reader." not in pasted
    assert not any("tools" in request for request in chat.requests)


def test_a_system_that_does_not_answer_stops_pasting_before_a_model_is_asked(
    ask: Ask, chat: ChatServer
) -> None:
    with pytest.raises(SystemUnusableError, match="the index is gone"):
        ask("good", "failing", ground="paste")
    assert chat.requests == []


def test_two_systems_ground_the_same_agent(ask: Ask) -> None:
    first, second = ask("searching", "others", "pages", mode="grounded")

    assert (first.arm, first.searches[0].hits) == ("others", ("python/json/loads",))
    assert (second.arm, len(second.searches[0].hits)) == ("pages", 3)


def test_every_repetition_has_its_seed(ask: Ask, chat: ChatServer) -> None:
    answers = ask("good", **UNGROUNDED, repeats=3, seed=5)

    assert [each.repeat for each in answers] == [0, 1, 2]
    assert [each["seed"] for each in chat.requests] == [5, 6, 7]


def test_nothing_that_is_answered_is_asked_again(ask: Ask, chat: ChatServer) -> None:
    ask("good", **UNGROUNDED)
    chat.requests.clear()

    assert len(ask("good", **UNGROUNDED)) == 1
    assert chat.requests == []
    assert len(ask("good", **UNGROUNDED, tasks=2, repeats=2)) == 4
    assert len(chat.requests) == 3


def test_what_failed_is_asked_again(ask: Ask, chat: ChatServer) -> None:
    ask("broken", **UNGROUNDED)
    asked = len(chat.requests)

    (answer,) = ask("broken", **UNGROUNDED)
    assert len(chat.requests) == 2 * asked
    assert answer.state is AnswerState.ERROR


def test_an_answer_counts_only_if_what_decided_it_is_the_same(
    ask: Ask, chat: ChatServer, project: Path
) -> None:
    ask("good", "pages")
    chat.requests.clear()
    ask("good", "pages", temperature=1.0)
    assert len(chat.requests) == 2

    chat.requests.clear()
    (project / "search.py").write_text((project / "search.py").read_text() + "\n# another build\n")
    ask("good", "pages")
    assert ["tools" in each for each in chat.requests] == [True]

    chat.requests.clear()
    task = project / "tasks" / "first.toml"
    task.write_text(task.read_text().replace("Parse TOML.", "Read TOML."))
    assert len(ask("good", **UNGROUNDED)) == 1
    assert len(chat.requests) == 1
