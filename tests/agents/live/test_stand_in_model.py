"""The stand-in for a model: what it answers to a prompt, with and without something found."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from cranfield.agents.tasks import load_tasks

ROOT = Path(__file__).parents[3]
TASK = ROOT / "suites/agents/tasks/python/python-toml-file.toml"

pytestmark = pytest.mark.server


def reply(*messages: tuple[str, str], tools: bool = False) -> dict[str, Any]:
    """Return what it answers to messages, each with its role."""
    spec = importlib.util.spec_from_file_location("stand_in", ROOT / "examples/stand_in_model.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    body = {"messages": [{"role": role, "content": text} for role, text in messages]}
    with module.StandIn(load_tasks(TASK), 0) as server:
        answer: dict[str, Any] = server.reply({**body, "tools": [{}] if tools else []})
    return answer


def test_it_searches_first_and_is_right_if_it_was_shown_the_name() -> None:
    (task,) = load_tasks(TASK)
    asked = ("user", task.prompt)

    assert task.wrong[0].answer in reply(asked)["content"]
    assert reply(asked, tools=True)["tool_calls"][0]["function"]["name"] == "search"
    found, missed = ("tool", "1. tomllib.load"), ("tool", "nothing was found")
    assert task.reference in reply(asked, found, tools=True)["content"]
    assert task.wrong[0].answer in reply(asked, missed, tools=True)["content"]
