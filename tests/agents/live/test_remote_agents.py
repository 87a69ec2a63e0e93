"""Agents asked by the workers of a cluster answer as they do here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest

from cranfield.agents.live.live_run import Requests
from cranfield.errors import SystemUnusableError
from cranfield.executors import find_workers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.agents.live.chat_server import ChatServer

    from cranfield.agents.answers import AgentAnswer
    from cranfield.agents.live.live_run import LiveRun

pytestmark = [
    pytest.mark.server,
    pytest.mark.process,
    pytest.mark.xdist_group("ray"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

LETHAL = """

def lethal(text, limit):
    import os, pathlib, signal

    lost = pathlib.Path(__file__).with_name("lost")
    if lost.exists():
        lost.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return pages(text, limit)
"""


@pytest.fixture
def lethal(project: Path) -> str:
    """Add a system that ends the process that searches it, once."""
    with (project / "search.py").open("a") as script:
        script.write(LETHAL)
    with (project / "cranfield.toml").open("a") as config:
        config.write('[systems.lethal]\nkind = "python"\ncall = "search.py:lethal"\n')
    return "lethal"


def ask(run: LiveRun, executor: str) -> list[AgentAnswer]:
    """Ask a model, and return the answers in the logs without the time that they took."""
    requests = Requests(jobs=2, retries=0, start=find_workers(executor))
    run.ask(run.missing(), dict(os.environ), requests)
    return [msgspec.structs.replace(each, seconds=None) for each in run.answers()]


def test_a_lost_worker_changes_nothing(
    chat: ChatServer, project: Path, make_run: Callable[..., LiveRun], lethal: str, cluster: None
) -> None:
    run = make_run("searching", lethal, tasks=2, repeats=2)
    here = ask(replace(run, logs=project / "here"), "local")
    (project / "lost").touch()
    there = ask(run, "ray")
    assert not (project / "lost").exists()
    assert there == here
    assert len(there) == 8
    assert [each.searches for each in there if each.arm == "grounded"] != [()] * 4
    asked = len(chat.requests)
    assert ask(run, "local") == here
    assert len(chat.requests) == asked, "what workers were answered is not asked again"


def test_a_worker_with_another_build_is_refused(
    chat: ChatServer, project: Path, make_run: Callable[..., LiveRun], cluster: None
) -> None:
    run = make_run("searching", "pages")
    start = find_workers("ray")
    assert start is not None

    def change_first(open_object: Callable[[], object]) -> object:
        (project / "search.py").write_text("# another build\n")
        return start(open_object)

    with pytest.raises(SystemUnusableError, match=r"another build of a system: .*search\.py"):
        run.ask(run.missing(), dict(os.environ), Requests(1, 0, change_first))  # type: ignore[arg-type]
    assert chat.requests == []


@pytest.mark.thorough
def test_a_killed_command_asks_only_for_what_it_had_no_answer_to(
    chat: ChatServer, project: Path, make_run: Callable[..., LiveRun]
) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    chat.stall_after = 1
    command = [sys.executable, "-m", "cranfield", "agent", "tasks", "--mode", "ungrounded"]
    command += ["--model", "openai-api/local/good", "--jobs", "1", "--log-dir", "logs"]
    command += ["--executor", "ray"]
    with subprocess.Popen(
        command, cwd=project, stderr=subprocess.DEVNULL, start_new_session=True
    ) as started:
        deadline = time.monotonic() + 120
        while len(chat.requests) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(started.pid, signal.SIGKILL)
    chat.released.set()
    chat.requests.clear()
    chat.stall_after = None
    again = make_run("good", mode="ungrounded", tasks=2)
    assert [each.task for each in again.missing()] == ["second"]
    assert [each.task for each in ask(again, "local")] == ["first", "second"]
    assert len(chat.requests) == 1
