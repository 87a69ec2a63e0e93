"""A server on this machine that answers what a test says, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclass(frozen=True)
class Reply:
    """What is sent back; a body that is not bytes is sent as JSON."""

    body: Any
    code: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Asked:
    """The requests that came: paths, headers and bodies, in order."""

    url: str = ""
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)


@contextmanager
def serve(answer: Callable[[Any], Reply]) -> Iterator[Asked]:
    """Serve on a free port; an answer that raises closes the connection without a word."""
    asked = Asked()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.paths.append(self.path)
            asked.headers.append({name.lower(): value for name, value in self.headers.items()})
            asked.bodies.append(body)
            try:
                reply = answer(body)
            except ConnectionError:
                self.close_connection = True
                return
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.code)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    asked.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def embed(text: str) -> list[float]:
    """Make a vector that a test can know: length, vowels, and one."""
    return [float(len(text)), float(sum(text.count(sign) for sign in "aeiou")), 1.0]


def answer_embeddings(body: Any) -> Reply:
    """Answer as OpenAI's endpoint does."""
    data = [
        {"object": "embedding", "index": index, "embedding": embed(text)}
        for index, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Reply({"object": "list", "data": data, "model": body["model"], "usage": usage})


def always(reply: Reply) -> Callable[[Any], Reply]:
    """Answer the same whatever is asked."""
    return lambda _: reply
