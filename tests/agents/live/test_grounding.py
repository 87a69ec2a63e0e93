"""Agents that search through MCP servers: what they were shown, and what the log keeps."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cranfield.agents.answers import AnswerState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.agents.live.chat_server import ChatServer

    from cranfield.agents.answers import AgentAnswer

    Ask = Callable[..., list[AgentAnswer]]

pytestmark = [
    pytest.mark.server,
    pytest.mark.process,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

PAGE = "markdown://pages/tomllib/loads"
SERVER = """\
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    method = request["method"]
    if method == "initialize":
        version = request["params"]["protocolVersion"]
        result = {"protocolVersion": version, "capabilities": {"tools": {}},
                  "serverInfo": {"name": "pages", "version": "1"}}
    elif method == "tools/list":
        text = {"type": "string", "description": "a text"}
        result = {"tools": [
            {"name": name, "description": "pages",
             "inputSchema": {"type": "object", "properties": {argument: text}}}
            for name, argument in (("search", "query"), ("open", "page"))]}
    elif method == "tools/call":
        hits = json.dumps([{"id": "tomllib.loads"}, {"id": "json.loads"}])
        result = {"content": [{"type": "text", "text": hits}]}
    else:
        result = {}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"""


@pytest.fixture
def index(project: Path) -> str:
    """Add a system of stacks with two pages."""
    (project / "pages" / "tomllib").mkdir(parents=True)
    (project / "pages" / "tomllib" / "loads.md").write_text("# tomllib.loads\n\nLoad TOML.\n")
    (project / "pages" / "json.md").write_text("# json\n\nLoad JSON.\n")
    save = [sys.executable, "-m", "stacks", "save", "--from", "markdown=pages", "--to", "index"]
    subprocess.run([*save, "--embedder", "none", "--quiet"], cwd=project, check=True)
    with (project / "cranfield.toml").open("a") as config:
        config.write('[systems.index]\nkind = "stacks"\nindex = "index"\n')
    return "index"


def test_an_agent_searches_and_reads_through_the_server_of_stacks(
    ask: Ask, chat: ChatServer, project: Path, index: str
) -> None:
    (answer,) = ask("reading", index, mode="grounded")

    assert answer.state is AnswerState.ANSWERED
    (search,) = answer.searches
    assert (search.query, search.hits[0]) == ("load toml", PAGE)
    assert answer.read == (PAGE,)
    offered = {each["function"]["name"] for each in chat.requests[0]["tools"]}
    assert {"search", "read_document", "search_symbols"} <= offered
    _check_log(project / "logs", chat)


def _check_log(logs: Path, chat: ChatServer) -> None:
    """The log has every message, call and token, and no secret."""
    from inspect_ai.log import read_eval_log

    (path,) = logs.glob("*.eval")
    log = read_eval_log(str(path), resolve_attachments=True)
    assert log.samples is not None
    (sample,) = log.samples
    roles = [each.role for each in sample.messages]
    assert roles == ["system", "user", *["assistant", "tool"] * 2, "assistant"]
    sent = chat.requests[-1]["messages"]
    assert [each["role"] for each in sent] == roles[:-1]
    assert sample.messages[3].text == sent[3]["content"]
    assert sum(each.total_tokens for each in sample.model_usage.values()) == 45
    assert "secret-of-the-model" not in log.model_dump_json()


def add_server(project: Path, script: str) -> None:
    (project / "server.py").write_text(script)
    with (project / "cranfield.toml").open("a") as config:
        config.write(f'[systems.own]\nkind = "mcp"\nrun = ["{sys.executable}", "server.py"]\n')
        config.write('tool = "search"\nlimit_argument = ""\n')


def test_an_agent_searches_with_any_mcp_server(ask: Ask, project: Path) -> None:
    add_server(project, SERVER)
    (answer,) = ask("opening", "own", mode="grounded")

    assert [each.hits for each in answer.searches] == [("tomllib.loads", "json.loads")]
    assert answer.read == ("tomllib.loads",)


def test_a_server_that_dies_says_nothing_about_the_arm(ask: Ask, project: Path) -> None:
    broken = SERVER.replace(
        'elif method == "tools/call":', 'elif method == "tools/call":\n        sys.exit(1)'
    )
    add_server(project, broken)
    (answer,) = ask("searching", "own", mode="grounded")

    assert answer.state is AnswerState.ERROR
