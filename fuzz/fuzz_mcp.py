"""MCP messages: those of a server that cranfield asks, and those of a client that stacks serves."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.model import Query, Response
from cranfield.systems import SystemSpec, open_system
from mutations import mutate_json, spoil
from stacks.index import Request, SaveOptions, save

if TYPE_CHECKING:
    from random import Random

_SECONDS = 120
_SERVER = """
import json, sys
replies = json.load(open(sys.argv[1]))
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and replies:
        reply = replies.pop(0)
        if isinstance(reply, dict) and reply.get("id") == "the same":
            reply["id"] = message["id"]
        text = reply if isinstance(reply, str) else json.dumps(reply)
        sys.stdout.write(text + chr(10))
        sys.stdout.flush()
"""
_TOOL = {
    "name": "search",
    "description": "Search.",
    "inputSchema": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    },
}
_RESULTS: tuple[Any, ...] = (
    {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "x", "version": "1"},
    },
    {"tools": [_TOOL]},
    {
        "content": [{"type": "text", "text": '{"hits": [{"id": "a"}]}'}],
        "structuredContent": {"hits": [{"id": "a"}]},
        "isError": False,
    },
)
_INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "x", "version": "1"},
}
_CALLS: tuple[Any, ...] = (
    ("tools/list", {}),
    ("tools/call", {"name": "search", "arguments": {"query": "sound", "limit": 3}}),
    ("tools/call", {"name": "read", "arguments": {"uri": "markdown://corpus/good"}}),
    ("ping", {}),
    ("resources/list", {}),
)


def attack(random: Random, folder: Path) -> None:
    """Ask a server that sends spoilt replies, or send spoilt requests to ours."""
    if random.random() < 0.8:
        _ask(random, folder)
    else:
        _serve(random)


def _ask(random: Random, folder: Path) -> None:
    replies: list[Any] = [
        {"jsonrpc": "2.0", "id": "the same", "result": result} for result in (*_RESULTS,)
    ]
    place = random.randrange(len(replies))
    replies[place] = {**replies[place], "result": mutate_json(random, replies[place]["result"])}
    if random.random() < 0.3:
        replies[place] = mutate_json(random, replies[place])
    if random.random() < 0.2:
        data = json.dumps(replies[place]).replace("the same", "1").encode()
        replies[place] = spoil(random, data).decode("utf-8", "replace").replace("\n", " ")
    path = folder.resolve() / "replies.json"
    path.write_text(json.dumps(replies))
    settings = {"run": [sys.executable, "-SE", "-c", _SERVER, str(path)], "tool": "search"}
    limits = {"timeout": 0.5, "start_timeout": 1.5}
    system = open_system(SystemSpec("mine", "mcp", {**settings, **limits}, folder), {})
    try:
        system.check()
        response = system.search(Query("q1", "cats"), 10)
        if not isinstance(response, Response):
            raise TypeError(f"the answer is {response!r}")
    except CranfieldError:
        pass
    finally:
        system.close()


@cache
def _make_index() -> Path:
    corpus = Path("mcp/corpus")
    corpus.mkdir(parents=True)
    (corpus / "good.md").write_text("# Good\n\nA sound page.\n")
    save([Request.parse(f"markdown={corpus}")], Path("mcp/index"), SaveOptions(embedder="none"))
    return Path("mcp/index")


def _serve(random: Random) -> None:
    """Send spoilt requests, then a sound one, which must be answered; nothing else is printed."""
    lines = [_write(0, "initialize", _INITIALIZE)]
    lines.append(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    for number in range(1, 30):
        method, params = random.choice(_CALLS)
        message = json.loads(_write(number, method, params))
        line = json.dumps(mutate_json(random, message)).encode()
        spoilt = spoil(random, line).replace(b"\n", b" ") if random.random() < 0.4 else line
        lines.append(spoilt[:200_000])
    lines.append(_write("last", "tools/list", {}))
    command = [sys.executable, "-m", "stacks", "serve", "--mcp", "--db", str(_make_index())]
    done = subprocess.run(
        command, input=b"\n".join(lines) + b"\n", capture_output=True, timeout=_SECONDS, check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or "last" not in [answer.get("id") for answer in answers]:
        raise AssertionError(f"exit {done.returncode}, no last answer: {done.stderr[-2000:]!r}")
    if b"Traceback" in done.stderr:
        raise AssertionError(done.stderr.decode("utf-8", "replace")[-3000:])


def _write(number: object, method: str, params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode()
