"""A server of the workbench: it listens first, so that its address can be printed, then answers."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from cranfield.errors import CranfieldError
from cranfield_shared.signals import Stopped

if TYPE_CHECKING:
    from starlette.types import ASGIApp

__all__ = ["listen", "make_server", "serve_forever"]

_MOST_REQUESTS = 100
_IDLE_SECONDS = 10
_END_SECONDS = 5


def listen(host: str, port: int) -> tuple[socket.socket, int]:
    """Listen on an address, and return the port, which is a free one if 0 was asked for."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.create_server(found[4][:2], family=found[0])
    except (OSError, OverflowError, UnicodeError) as problem:
        raise CranfieldError(
            f"cannot listen on {host} port {port} ({problem}); choose another with --port (0 takes "
            "a free one) or --host"
        ) from problem
    return opened, opened.getsockname()[1]


def make_server(application: ASGIApp) -> uvicorn.Server:
    """Make a server that says nothing and trusts no header about who asks."""
    settings = uvicorn.Config(
        application,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_REQUESTS,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_END_SECONDS,
        ws="none",
    )
    return uvicorn.Server(settings)


def serve_forever(application: ASGIApp, opened: socket.socket) -> None:
    """Answer until the process is told to end."""
    with suppress(KeyboardInterrupt, Stopped):
        make_server(application).run(sockets=[opened])
