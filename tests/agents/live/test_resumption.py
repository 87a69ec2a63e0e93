"""A live evaluation that was killed goes on where it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from cranfield.agents.answers import AnswerState
from cranfield.agents.live.live_run import Requests

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.agents.live.chat_server import ChatServer

    from cranfield.agents.live.live_run import LiveRun

pytestmark = [
    pytest.mark.server,
    pytest.mark.process,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)]
)
def test_a_run_that_was_stopped_asks_only_for_what_it_had_no_answer_to(
    chat: ChatServer, project: Path, make_run: Callable[..., LiveRun], number: signal.Signals
) -> None:
    chat.stall_after = 1
    command = [sys.executable, "-m", "cranfield", "agent", "tasks", "--mode", "ungrounded"]
    command += ["--model", "openai-api/local/good", "--jobs", "1", "--log-dir", "logs"]
    with subprocess.Popen(command, cwd=project, env=os.environ, stderr=subprocess.PIPE) as run:
        deadline = time.monotonic() + 60
        while len(chat.requests) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        run.send_signal(number)
        _, said = run.communicate()
    chat.released.set()
    killed = number == signal.SIGKILL
    assert run.returncode == (-number if killed else 128 + number)
    assert killed or b"all answers so far are in the logs" in said
    asked = [each["messages"][-1]["content"] for each in chat.requests]
    assert asked == ["Parse TOML. (first)", "Parse TOML. (second)"]

    chat.requests.clear()
    chat.stall_after = None
    again = make_run("good", mode="ungrounded", tasks=2)
    assert [each.task for each in again.missing()] == ["second"]
    again.ask(again.missing(), dict(os.environ), Requests())

    assert [each["messages"][-1]["content"] for each in chat.requests] == ["Parse TOML. (second)"]
    answers = again.answers()
    assert [(each.task, each.state) for each in answers] == [
        ("first", AnswerState.ANSWERED),
        ("second", AnswerState.ANSWERED),
    ]
