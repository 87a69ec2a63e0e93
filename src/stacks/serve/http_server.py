"""The tools over HTTP: one GET path each; every answer and error is JSON.

A thread reads and writes each connection (`OpenConnections` says how many there may be); few of
them work at a time, and the rest waits or is refused (`request_queue`).

Why not Starlette on uvicorn: measured beside it (`benchmarks/serve_load.py`), two clients are
answered as fast, but with 200 clients at once half as many requests a second are answered, and the
slowest take twice as long: one event loop competes with the workers for the interpreter.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import re
import socket
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cranfield_shared.version import __version__
from stacks.errors import OverloadError, StacksError
from stacks.serve.http_replies import HEALTH, HttpReply, fail, make_reply, refuse
from stacks.serve.request_queue import RequestQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stacks.serve.request_queue import QueueLimits
    from stacks.serve.servers import ServedIndex

__all__ = [
    "ConnectionLimits",
    "ConnectionRoom",
    "HttpServer",
    "OpenConnections",
]

_LONGEST_LINE = 262_144
"""Bytes of a request's first line: room for 10,000 characters of any script."""

_IDLE_SECONDS = 60.0
_FINISH_SECONDS = 10.0
_LINGER_SECONDS = 2.0
_RETRY_SECONDS = 1
_METHODS = ("GET", "HEAD")

_logger = logging.getLogger(__name__)


class HttpServer(ThreadingMixIn, TCPServer):
    """Listens once constructed; `serve_forever` answers, each connection in a thread."""

    # A client that holds its connection open must not keep the process from ending.
    daemon_threads = True
    allow_reuse_address = True
    # Connections that the system holds until they are accepted: a burst of clients is refused by
    # this server, with the reason, and not by the system, without one.
    request_queue_size = 1024

    def __init__(
        self,
        served: ServedIndex,
        host: str,
        port: int,
        limits: QueueLimits | None = None,
        connection_limits: ConnectionLimits | None = None,
    ) -> None:
        self.served = served
        self.queue = RequestQueue(limits)
        self.connections = OpenConnections(connection_limits)
        self.is_ending = False
        self._working = 0
        self._changed = threading.Condition()
        try:
            family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            self.address_family = family
            super().__init__(address, _Handler)  # type: ignore[arg-type]
        except (OSError, OverflowError, UnicodeError) as problem:
            raise StacksError(
                f"cannot listen on {host} port {port} ({problem}); choose another with --port "
                "(0 takes a free one) or --host"
            ) from problem
        self.is_local = _is_loopback(str(self.server_address[0]))

    @property
    def url(self) -> str:
        """The address it listens on."""
        host, port = str(self.server_address[0]), self.server_address[1]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Read a connection in a thread of its own; if there are too many, refuse it here."""
        if self.connections.add(request) is ConnectionRoom.NONE:
            # In the thread that accepts: a client that does not read must not hold it up.
            with suppress(OSError):
                request.setblocking(False)
                request.send(_write_refusal(refuse(self.too_many_connections())))
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection, and forget it."""
        self.connections.remove(request)
        super().shutdown_request(request)

    def too_many_connections(self) -> OverloadError:
        """Return why a connection without a place is refused."""
        places = self.connections.limits.places
        return OverloadError(
            f"the server is overloaded: {places} connections are open, the most that it keeps; "
            f"try again in {_RETRY_SECONDS} s",
            _RETRY_SECONDS,
        )

    def work(self, job: Callable[[], None]) -> None:
        """Do a job that `finish` waits for."""
        with self._changed:
            self._working += 1
        try:
            job()
        finally:
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def finish(self) -> None:
        """Accept no more connections, and wait a limited time for answers in progress."""
        # Before the shutdown: whoever is answered from now on is told to close the connection.
        self.is_ending = True
        self.shutdown()
        self.server_close()
        with self._changed:
            self._changed.wait_for(lambda: not self._working, _FINISH_SECONDS)

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - its signature
        """Ignore clients that hang up; anything else is a bug, and logged."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            _logger.exception("a connection from %s failed", client_address)


class _Handler(BaseHTTPRequestHandler):
    """Reads the requests of one connection and writes the replies."""

    server: HttpServer
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    # The head and the body of a reply leave together, and at once: with Nagle's algorithm a second
    # packet would wait for the client's acknowledgement of the first, up to 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True
    command = ""
    request_version = ""
    requestline = ""
    is_unread = False
    is_spare = False

    def setup(self) -> None:
        """Prepare to read; a connection without a place must ask its question soon."""
        self.is_spare = self.server.connections.is_spare(self.request)
        super().setup()
        if self.is_spare:
            self.connection.settimeout(self.server.connections.limits.spare_seconds)

    def handle_one_request(self) -> None:
        """Read a request and answer it; the connection stays open unless something went wrong."""
        self.close_connection = True
        try:
            self.raw_requestline = self.rfile.readline(_LONGEST_LINE + 1)
        except (ConnectionError, TimeoutError):
            return
        if len(self.raw_requestline) > _LONGEST_LINE:
            self.send_error(
                HTTPStatus.REQUEST_URI_TOO_LONG, f"a request line has at most {_LONGEST_LINE} bytes"
            )
        elif self.raw_requestline and self.parse_request():
            with self.server.connections.busy(self.connection):
                self.server.work(self._answer)

    def _answer(self) -> None:
        body = self.headers.get("Content-Length", "0")
        if body.strip() != "0" or "Transfer-Encoding" in self.headers:
            # No request here has a body; an unread one must not be taken for the next request.
            self.close_connection = self.is_unread = True
        # The few spare connections are for questions about health; each is given up after one.
        if self.is_spare:
            self.close_connection = True
        self._send(self._make_reply())

    def _make_reply(self) -> HttpReply:
        if self.command not in _METHODS:
            message = f"{self.command[:20]} is not allowed; use {' or '.join(_METHODS)}"
            return fail(HTTPStatus.METHOD_NOT_ALLOWED, message)
        # There is no password: whoever can reach a server that was shared with --host may read.
        if self.server.is_local and not _names_loopback(self.headers.get("Host", "localhost")):
            # A web page could point its own host name here (DNS rebinding) and read the answers.
            message = "this server answers to localhost only; start it with --host to share it"
            return fail(HTTPStatus.FORBIDDEN, message)
        try:
            # Raw bytes of a target are percent-encoded.
            path = re.sub(r"[^!-~]", lambda found: f"%{ord(found[0]):02X}", self.path)
            target = urlsplit(path)
        except ValueError as problem:
            return fail(HTTPStatus.BAD_REQUEST, f"the address cannot be read: {problem}")
        if self.is_spare and target.path != HEALTH:
            return refuse(self.server.too_many_connections())
        return make_reply(self.server.served, self.server.queue, target.path, target.query)

    def _send(self, reply: HttpReply) -> None:
        body = _encode(reply)
        if self.server.is_ending:
            self.close_connection = True
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Connection", "close" if self.close_connection else "keep-alive")
        if reply.status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", ", ".join(_METHODS))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer an invalid request, as JSON like everything else, and hang up."""
        self.close_connection = self.is_unread = True
        # Until its version is read, a request counts as HTTP/0.9, which has no headers.
        self.request_version = self.protocol_version
        status = HTTPStatus(code)
        self._send(fail(status, message or explain or status.phrase))

    def finish(self) -> None:
        """Hang up; if something was not read, let the client read its answer first."""
        if self.is_unread:
            self._linger()
        super().finish()

    def _linger(self) -> None:
        """Read what still arrives: closing earlier would lose the answer."""
        end = time.monotonic() + _LINGER_SECONDS
        try:
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(_LINGER_SECONDS)
            while time.monotonic() < end and self.connection.recv(65_536):
                pass
        except OSError:
            return

    def version_string(self) -> str:
        """Return the value of the header Server."""
        return f"stacks/{__version__}"

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - its signature
        """Log requests for debugging only, as queries are private."""
        _logger.debug(format, *arguments)


def _encode(reply: HttpReply) -> bytes:
    return json.dumps(reply.data, ensure_ascii=False).encode("utf-8", "replace")


def _write_refusal(reply: HttpReply) -> bytes:
    """Write a whole reply to a connection whose request is not read."""
    body = _encode(reply)
    headers = {
        **reply.headers,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    lines = [f"{_Handler.protocol_version} {reply.status.value} {reply.status.phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join((*lines, "", "")).encode() + body


def _names_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or _is_loopback(name)


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


class ConnectionRoom(Enum):
    """What a new connection gets: its place, one reply of health or refusal, or nothing."""

    PLACE = "place"
    SPARE = "spare"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections have a place, how many more are spare, and how long both may idle."""

    places: int = 512
    spare: int = 32
    idle_seconds: float = 5.0
    spare_seconds: float = 2.0


class OpenConnections:
    """Counts connections; if all places are taken, the one that was idle the longest is closed.

    A connection is idle until the head of a request has been read, however slowly it arrives. If
    none is idle for long, a few spare connections remain, so health can be asked for.
    """

    def __init__(self, limits: ConnectionLimits | None = None) -> None:
        self.limits = limits or ConnectionLimits()
        self._lock = threading.Lock()
        self._idle_since: dict[socket.socket, float | None] = {}
        self._spare: set[socket.socket] = set()

    @property
    def count(self) -> int:
        """How many connections are open."""
        with self._lock:
            return len(self._idle_since) + len(self._spare)

    def add(self, connection: socket.socket) -> ConnectionRoom:
        """Make room for a connection, if there is any."""
        with self._lock:
            # Only if there is no room: an idle connection costs a thread, a new one a handshake.
            if len(self._idle_since) >= self.limits.places:
                self._close_idle()
            if len(self._idle_since) < self.limits.places:
                self._idle_since[connection] = time.monotonic()
                return ConnectionRoom.PLACE
            if len(self._spare) < self.limits.spare:
                self._spare.add(connection)
                return ConnectionRoom.SPARE
        return ConnectionRoom.NONE

    def remove(self, connection: socket.socket) -> None:
        """Forget a connection."""
        with self._lock:
            self._idle_since.pop(connection, None)
            self._spare.discard(connection)

    def is_spare(self, connection: socket.socket) -> bool:
        """Return whether a connection has no place of its own."""
        with self._lock:
            return connection in self._spare

    @contextmanager
    def busy(self, connection: socket.socket) -> Iterator[None]:
        """Keep a connection from being closed as idle."""
        self._note(connection, None)
        try:
            yield
        finally:
            self._note(connection, time.monotonic())

    def _note(self, connection: socket.socket, idle_since: float | None) -> None:
        with self._lock:
            if connection in self._idle_since:
                self._idle_since[connection] = idle_since

    def _close_idle(self) -> None:
        idle = {key: since for key, since in self._idle_since.items() if since is not None}
        if not idle:
            return
        oldest = min(idle, key=lambda key: idle[key])
        # Clients that ask again and again would otherwise close each other's connections.
        if time.monotonic() - idle[oldest] < self.limits.idle_seconds:
            return
        del self._idle_since[oldest]
        # Its thread reads the end of the connection, and closes it.
        with suppress(OSError):
            oldest.shutdown(socket.SHUT_RDWR)
