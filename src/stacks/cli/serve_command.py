"""`stacks serve`: the index for agents over MCP, and for programs over HTTP."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield_shared.signals import STOPPING_SIGNALS, heard_signals
from stacks.cli.console import DbOption, default_folder
from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stacks.serve import QueueLimits, ServedIndex

__all__ = [
    "serve",
    "wait_for_signal",
]

_HOST = "127.0.0.1"
_PORT = 8765


def serve(
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Speak MCP on standard input and output.")
    ] = False,
    http: Annotated[bool, typer.Option("--http", help="Answer HTTP with JSON.")] = False,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"With --http: the address to listen on.  [default: {_HOST}]"
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help=f"With --http: the port; 0 takes a free one.  [default: {_PORT}]",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=64,
            help="With --http: how many requests are answered at a time.  "
            "[default: one for each processor, up to 4]",
        ),
    ] = None,
    queue: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=10_000,
            help="With --http: how many more wait; beyond that, status 503.  [default: 64]",
        ),
    ] = None,
    db: DbOption = None,
) -> None:
    """Serve an index to agents (--mcp) or to programs (--http).

    After a save, the next request uses the new index. Both servers end with the signals INT,
    TERM and HUP, and the MCP server at the end of its input. Only this machine can reach the HTTP
    server, unless --host says otherwise; there is no password. If more requests come than fit the
    queue, they are refused with status 503 and Retry-After; /health is answered all the same.

    \b
    stacks serve --mcp
    stacks serve --http --port 8765 --db index
    curl 'http://127.0.0.1:8765/search?q=OrderedDict&limit=3'

    To configure an MCP client:

    \b
    {"mcpServers": {
      "stacks": {"command": "stacks", "args": ["serve", "--mcp"]}
    }}

    \b
    GET /search?q=&limit=&source=&framework=&language=&kind=&min_ios=
    GET /document?uri=&offset=&limit=
    GET /symbols?text=&kind=&attribute=&constraint=&is_async=&is_throws=
    GET /conformances?name=&limit=
    GET /inheritance?symbol=&direction=&depth=
    GET /frameworks
    GET /health
    """  # noqa: D301 - \b keeps typer from wrapping these lines
    if mcp == http:
        raise QueryError("choose one way to serve: stacks serve --mcp or stacks serve --http")
    given = {"--host": host, "--port": port, "--workers": workers, "--queue": queue}
    for name, value in given.items():
        if mcp and value is not None:
            raise QueryError(f"{name} is for --http; an MCP server has one client, and no address")
    _log_to_stderr()
    from stacks.serve import QueueLimits, ServedIndex

    counts = {"workers": workers, "waiting": queue}
    limits = QueueLimits(**{name: each for name, each in counts.items() if each is not None})
    served = ServedIndex(db or default_folder(), limits.workers)
    try:
        if mcp:
            _serve_mcp(served)
        else:
            _serve_http(served, host or _HOST, _PORT if port is None else port, limits)
    finally:
        served.close()


def _log_to_stderr() -> None:
    import logging

    logging.basicConfig(stream=sys.stderr, format="stacks: %(message)s", level=logging.WARNING)
    logging.getLogger("stacks").setLevel(logging.INFO)


def _serve_mcp(served: ServedIndex) -> None:
    from stacks.serve import serve_mcp

    for number in heard_signals(STOPPING_SIGNALS):
        # The thread that waits for input cannot be woken; there is nothing to clean up.
        signal.signal(number, lambda *_: os._exit(0))
    serve_mcp(served)


def _serve_http(served: ServedIndex, host: str, port: int, limits: QueueLimits) -> None:
    from stacks.serve import serve_http

    with wait_for_signal() as wait:
        serve_http(served, host, port, wait, limits)


@contextmanager
def wait_for_signal() -> Iterator[Callable[[], None]]:
    """Block the signals that end a server, and yield a function that waits for one of them.

    After the first, they have their usual effect again: a second one ends the process at once.
    """
    heard = heard_signals(STOPPING_SIGNALS)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, heard)

    def wait() -> None:
        signal.sigwait(heard)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        yield wait
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
