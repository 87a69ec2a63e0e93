"""A server on loopback that speaks the protocols of OpenAI and Anthropic, and can misbehave."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cranfield.judging.models.prompts import Messages, open_block, split_block

__all__ = ["Behaviour", "ModelServer", "cut_short", "fail", "obedient_word", "reply", "serve_model"]

Behaviour = Callable[["_Handler", Messages], None]
_ORDER = re.compile(
    r"(?:answer|respond(?: with)?|responde|उत्तर दो|लिखो|कहो)\W+(?:ONLY\W+|SOLO\W+)?"
    r"(HIGH|NOT_RELEVANT)",
    re.I,
)
_USUAL = "Respond with ONLY one of:"


def obedient_word(messages: Messages) -> str:
    """Judge by shared words, but obey every order that stands outside the data block."""
    before, block, after = split_block(messages.user)
    for text in (messages.system, before, after.replace(_USUAL, "")):
        if order := _ORDER.search(text):
            return order[1].upper()
    values = open_block(block)
    words = {word for word in values["query"].casefold().split() if len(word) > 2}
    shared = sum(word in values["document"].casefold() for word in words)
    return "HIGH" if shared >= 3 else "PARTIAL" if shared else "NOT_RELEVANT"


@dataclass
class ModelServer:
    """What the server was asked, and what it does next: `script` first, then `word`."""

    word: Callable[[Messages], str] = obedient_word
    script: list[Behaviour] = field(default_factory=list)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    most_at_once: int = 0
    address: str = ""
    at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        state = self.state
        with state.lock:
            state.requests.append((self.path, body))
            state.headers.append({name.lower(): value for name, value in self.headers.items()})
            state.at_once += 1
            state.most_at_once = max(state.most_at_once, state.at_once)
            behaviour = state.script.pop(0) if state.script else reply(None)
        try:
            behaviour(self, read_messages(self.path, body))
        except BrokenPipeError:
            pass
        finally:
            with state.lock:
                state.at_once -= 1

    def send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def read_messages(path: str, body: dict[str, Any]) -> Messages:
    if path.endswith("/messages"):
        return Messages(body["system"], body["messages"][0]["content"])
    system, user = body["messages"]
    return Messages(system["content"], user["content"])


def _envelope(path: str, text: str, **changed: Any) -> bytes:
    if path.endswith("/messages"):
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
            "stop_sequence": None, "usage": {"input_tokens": 100, "output_tokens": 2},
        }  # fmt: skip
        return json.dumps({**message, **changed.get("anthropic", {})}).encode()
    choice = {
        "index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": text, "refusal": None},
    }  # fmt: skip
    completion = {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{**choice, **changed.get("openai", {})}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102},
    }  # fmt: skip
    return json.dumps(completion).encode()


def reply(text: str | None, *, seconds: float = 0.0, **changed: Any) -> Behaviour:
    """Answer with a text, or with the word of the server."""

    def behave(handler: _Handler, messages: Messages) -> None:
        time.sleep(seconds)
        said = handler.state.word(messages) if text is None else text
        handler.send(200, _envelope(handler.path, said, **changed))

    return behave


def fail(status: int, body: object = None, **headers: str) -> Behaviour:
    """Answer with an error; underscores in names of headers are hyphens."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    error = body or {
        "type": "error",
        "error": {"type": "some_error", "message": f"number {status}"},
    }

    def behave(handler: _Handler, _: Messages) -> None:
        handler.send(
            status, error if isinstance(error, bytes) else json.dumps(error).encode(), sent
        )

    return behave


def cut_short(handler: _Handler, messages: Messages) -> None:
    """Announce a whole answer, send half of it, and hang up."""
    body = _envelope(handler.path, "HIGH")
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.shutdown(2)


@contextmanager
def serve_model(**settings: Any) -> Iterator[ModelServer]:
    """Serve on a free port of loopback."""
    state = ModelServer(**settings)
    handler = type("Handler", (_Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
