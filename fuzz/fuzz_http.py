"""HTTP replies: whatever a server sends, a query gets an answer or a status, within its time."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from cranfield.model import Query, Response
from cranfield.systems import SystemSpec, open_system
from mutations import mutate_json, spoil

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

_HITS = {"route": "docs", "hits": [{"id": f"d{n}", "score": 3 - n, "text": "x"} for n in range(4)]}
_HEADERS = (
    *("Content-Type: application/json", "Content-Encoding: gzip", "Transfer-Encoding: chunked"),
    *("Content-Encoding: gzip, gzip", "Content-Encoding: br", "Location: /other", "Connection: x"),
    *("Retry-After: 0", "Content-Length: 7", "Content-Length: -1", "Set-Cookie: a=b", "X: \xff"),
)
_CODES = (200, 200, 200, 200, 204, 301, 404, 429, 500, 503, 999, 100)


class _Server:
    """Answers every connection with the bytes that it was given, and closes it."""

    def __init__(self) -> None:
        self.reply = b""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with connection:
                try:
                    connection.recv(65536)
                    connection.sendall(self.reply)
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    continue


@cache
def _serve() -> _Server:
    return _Server()


def attack(random: Random, folder: Path) -> None:
    """Ask a server that sends a spoilt reply."""
    server = _serve()
    server.reply = _make_reply(random)
    settings: dict[str, Any] = {
        "url": f"http://127.0.0.1:{server.port}/?q={{query}}",
        "timeout": 0.5,
    }
    system = open_system(SystemSpec("mine", "http", settings, folder), {})
    try:
        response = system.search(Query("q1", "cats"), 10)
    finally:
        system.close()
    if not isinstance(response, Response):
        raise TypeError(f"the answer is {response!r}")


def _make_reply(random: Random) -> bytes:
    body = json.dumps(mutate_json(random, _HITS)).encode()
    body = spoil(random, body) if random.random() < 0.3 else body
    headers = random.sample(_HEADERS, random.randint(0, 3))
    if any("gzip" in header for header in headers) and random.random() < 0.7:
        body = gzip.compress(body)
    if random.random() < 0.6:
        headers.append(f"Content-Length: {len(body)}")
    head = "\r\n".join([f"HTTP/1.1 {random.choice(_CODES)} X", *headers]).encode("latin-1")
    reply = head + b"\r\n\r\n" + body
    return spoil(random, reply) if random.random() < 0.3 else reply
