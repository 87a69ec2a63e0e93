"""Real servers on a port of this machine, for tests that ask over HTTP."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def params(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.path).query, keep_blank_values=True)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    content: Any = ()
    code: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        return (
            self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()
        )


@dataclass
class Server:
    url: str
    received: list[Received] = field(default_factory=list)


@contextmanager
def serving(reply: Callable[[Received], Reply]) -> Iterator[Server]:
    """Serve with a function from request to reply, and keep what was asked.

    At the end it waits for the threads of its connections, which have closed those by then.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            length = int(self.headers.get("content-length", 0))
            names = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.command, self.path, names, self.rfile.read(length))
            server.received.append(received)
            answer = reply(received)
            self.send_response(answer.code)
            self.send_header("content-length", str(len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST = do_PUT = handle_any  # noqa: N815 - the names are the server's

        def log_message(self, *_: object) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.daemon_threads = False
    server = Server(f"http://127.0.0.1:{listener.server_address[1]}")
    thread = threading.Thread(target=listener.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()


@contextmanager
def speaking(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve bytes as a function sends them, for servers that no library would let one write."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=converse, args=(connection,)).start()

    def converse(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            talk(connection)

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def free_port() -> int:
    """Return a port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
