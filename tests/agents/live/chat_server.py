"""A server on loopback that speaks the chat protocol; the name of the model is how it behaves."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["ChatServer", "serve_chat"]

RIGHT = "```python\nimport tomllib\nprint(tomllib.loads('a = 1'))\n```"
WRONG = "```python\nimport tomllib\nprint(tomllib.parse('a = 1'))\n```"
HEADERS = {"Content-Type": "application/json"}


class Reply(NamedTuple):
    message: dict[str, Any]
    finish: str = "stop"
    status: int = 200


def call(tool: str, arguments: str) -> Reply:
    function = {"name": tool, "arguments": arguments}
    calls = [{"id": f"call-{time.monotonic_ns()}", "type": "function", "function": function}]
    return Reply({"content": None, "tool_calls": calls}, "tool_calls")


def say(text: str, finish: str = "stop") -> Reply:
    return Reply({"content": text}, finish)


def _results(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in body["messages"] if each["role"] == "tool"]


def _search_first(body: dict[str, Any]) -> Reply:
    if body.get("tools") and not _results(body):
        return call("search", json.dumps({"query": "parse toml"}))
    return say(RIGHT if body.get("tools") else WRONG)


def _read_first(body: dict[str, Any]) -> Reply:
    steps = [
        call("search", json.dumps({"query": "load toml"})),
        call("read_document", json.dumps({"uri": "markdown://pages/tomllib/loads"})),
    ]
    done = len(_results(body))
    return steps[done] if body.get("tools") and done < len(steps) else say(RIGHT)


def _open_first(body: dict[str, Any]) -> Reply:
    steps = [call("search", '{"query": "toml"}'), call("open", '{"page": "tomllib.loads"}')]
    done = len(_results(body))
    return steps[done] if done < len(steps) else say(RIGHT)


def _malformed(body: dict[str, Any]) -> Reply:
    return say(RIGHT) if _results(body) else call("search", '{"query": ')


def _no_such_tool(body: dict[str, Any]) -> Reply:
    return say(RIGHT) if _results(body) else call("look_it_up", '{"query": "toml"}')


def _slow(_: dict[str, Any]) -> Reply:
    time.sleep(1.5)
    return say(RIGHT)


def _talk_and_search(_: dict[str, Any]) -> Reply:
    looked = call("search", '{"query": "again"}')
    return looked._replace(message={**looked.message, "content": WRONG})


BEHAVIOURS: dict[str, Callable[[dict[str, Any]], Reply]] = {
    "good": lambda _: say(RIGHT),
    "bad": lambda _: say(WRONG),
    "searching": _search_first,
    "reading": _read_first,
    "opening": _open_first,
    "slow": _slow,
    "malformed": _malformed,
    "no-such-tool": _no_such_tool,
    "endless": lambda _: call("search", '{"query": "again"}'),
    "talking": _talk_and_search,
    "refusing": lambda _: Reply({"content": None, "refusal": "I cannot help with that."}),
    "filtered": lambda _: say("", "content_filter"),
    "cut-off": lambda _: say("```python\nimport tom", "length"),
    "broken": lambda _: Reply({}, status=500),
    "busy": lambda _: Reply({}, status=429),
    "forbidden": lambda _: Reply({}, status=401),
    "misled": lambda body: say(WRONG if body.get("tools") else RIGHT),
    "half": lambda body: (
        say(RIGHT) if "first" in body["messages"][-1]["content"] else Reply({}, status=401)
    ),
    "silent": lambda _: say(""),
}


class ChatServer(ThreadingHTTPServer):
    """Remembers every request; those after `stall_after` wait until it is released."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self.stall_after: int | None = None
        self.released = threading.Event()

    @property
    def variables(self) -> dict[str, str]:
        """What `openai-api/local/NAME` needs in the environment."""
        address = f"http://127.0.0.1:{self.server_address[1]}/v1"
        return {"LOCAL_BASE_URL": address, "LOCAL_API_KEY": "secret-of-the-model"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        stall_after = self.server.stall_after
        if stall_after is not None and len(self.server.requests) > stall_after:
            self.server.released.wait(60)
        reply = BEHAVIOURS[body["model"]](body)
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        message = {"role": "assistant", **reply.message}
        choices = [{"index": 0, "message": message, "finish_reason": reply.finish}]
        answer = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
        if reply.status == 200:
            answer |= {"choices": choices, "usage": usage}
        else:
            answer = {"error": {"message": f"this is status {reply.status}", "type": "test"}}
        self._send(reply.status, json.dumps(answer).encode())

    def _send(self, status: int, content: bytes) -> None:
        try:
            self.send_response(status)
            for name, value in {**HEADERS, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            pass  # the client's time was up

    def log_message(self, *_: object) -> None:
        """Keep the output of the tests clean."""


@contextmanager
def serve_chat() -> Iterator[ChatServer]:
    """Serve on a free port."""
    with ChatServer() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
