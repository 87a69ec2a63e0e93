"""A loopback model, a task, and a project with systems that ground agents."""

from __future__ import annotations

import gc
import os
import warnings
from typing import TYPE_CHECKING, Any

import pytest
from tests.agents.live.chat_server import serve_chat

from cranfield.agents.live.agent_plan import AgentLimits, AgentOptions, AgentPlan
from cranfield.agents.live.grounding import ArmMode, Ground, choose_arms, name_tools
from cranfield.agents.live.live_run import LiveRun, Requests
from cranfield.agents.tasks import load_tasks
from cranfield.systems import load_systems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.agents.live.chat_server import ChatServer

    from cranfield.agents.answers import AgentAnswer

TASK = """\
id = "{id}"
language = "python"
kind = "look-alike"
prompt = "Parse TOML. ({id})"
needs = ["tomllib.loads"]
reference = "import tomllib"
[target]
python = "3.11"
"""
SEARCH = """\
def pages(text, limit):
    found = ["python/json/loads", "python/tomllib/loads", "python/csv/reader"]
    return [{"id": each, "title": each, "text": f"About {each}."} for each in found][:limit]


def others(text, limit):
    return [{"id": "python/json/loads", "text": "About json."}]


def failing(text, limit):
    raise RuntimeError("the index is gone")
"""
CONFIG = "".join(
    f'[systems.{name}]\nkind = "python"\ncall = "search.py:{name}"\nfiles = ["search.py"]\n'
    for name in ("pages", "others", "failing")
)


@pytest.fixture(scope="module", autouse=True)
def collected() -> Iterator[None]:
    """Let go of what Inspect leaves open, before another test is blamed for it."""
    yield
    from inspect_ai.model import _model

    _model._models.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.fixture(scope="session")
def chat_server() -> Iterator[ChatServer]:
    """One server for all tests: Inspect keeps the models that it made, with their addresses."""
    with serve_chat() as server:
        yield server


@pytest.fixture
def chat(chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> ChatServer:
    for name, value in chat_server.variables.items():
        monkeypatch.setenv(name, value)
    # The client of a model that is busy asks again, and would wait longer each time.
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)
    chat_server.requests.clear()
    chat_server.stall_after = None
    chat_server.released.clear()
    return chat_server


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with systems and two tasks; Inspect keeps its own files in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "search.py").write_text(SEARCH)
    (tmp_path / "cranfield.toml").write_text(CONFIG)
    (tmp_path / "tasks").mkdir()
    for name in ("first", "second"):
        (tmp_path / "tasks" / f"{name}.toml").write_text(TASK.format(id=name))
    return tmp_path


@pytest.fixture
def make_run(project: Path) -> Callable[..., LiveRun]:
    """Make a live run of the project's tasks: of one by default."""

    def make(
        model: str,
        *systems: str,
        mode: str = "both",
        ground: str = "tool",
        tasks: int = 1,
        limits: AgentLimits | None = None,
        **options: Any,
    ) -> LiveRun:
        specs = load_systems(project / "cranfield.toml")
        arms = choose_arms([specs[name] for name in systems], ArmMode(mode), Ground(ground))
        chosen = AgentOptions(
            f"openai-api/local/{model}", limits=limits or AgentLimits(), **options
        )
        loaded = load_tasks(project / "tasks")[:tasks]
        tools = name_tools(arms, os.environ)
        return LiveRun(AgentPlan.make(loaded, arms, chosen, tools), project / "logs")

    return make


@pytest.fixture
def ask(make_run: Callable[..., LiveRun], chat: ChatServer) -> Callable[..., list[AgentAnswer]]:
    """Ask a model on loopback without retries, and return the answers in the logs."""

    def ask_model(model: str, *systems: str, **options: Any) -> list[AgentAnswer]:
        run = make_run(model, *systems, **options)
        run.ask(run.missing(), dict(os.environ), Requests(jobs=2, retries=0))
        return run.answers()

    return ask_model
