"""`stacks serve`: the index for agents over MCP, and for programs over HTTP."""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from stacks.cli.options import DbOption, default_folder
from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stacks.serve import ServedIndex

__all__ = ["serve"]

_ENDING = (signal.SIGINT, signal.SIGTERM)


def serve(
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Speak MCP on standard input and output.")
    ] = False,
    http: Annotated[bool, typer.Option("--http", help="Answer HTTP with JSON.")] = False,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="With --http: the address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --http: the port; 0 takes a free one.")
    ] = 8765,
    db: DbOption = None,
) -> None:
    """Serve an index to agents (--mcp) or to programs (--http).

    An index that is saved anew is used from the next request on. Both servers end with the
    signals INT and TERM, and the MCP server with its input. Only this machine can reach the
    HTTP server unless --host says otherwise; there is no password.

    \b
    stacks serve --mcp
    stacks serve --http --port 8765 --db index
    curl 'http://127.0.0.1:8765/search?q=OrderedDict&limit=3'

    An MCP client is configured so:

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
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    if mcp == http:
        raise QueryError("name one way to serve: stacks serve --mcp or stacks serve --http")
    _log_to_stderr()
    from stacks.serve import ServedIndex

    holder = ServedIndex(db or default_folder())
    try:
        if mcp:
            _serve_mcp(holder)
        else:
            _serve_http(holder, host, port)
    finally:
        holder.close()


def _log_to_stderr() -> None:
    logging.basicConfig(stream=sys.stderr, format="stacks: %(message)s", level=logging.WARNING)
    logging.getLogger("stacks").setLevel(logging.INFO)


def _serve_mcp(holder: ServedIndex) -> None:
    from stacks.serve import serve_mcp

    for number in _ENDING:
        # The thread that waits for input cannot be woken; nothing here needs to be put away.
        signal.signal(number, lambda *_: os._exit(0))
    serve_mcp(holder)


def _serve_http(holder: ServedIndex, host: str, port: int) -> None:
    from stacks.serve import serve_http

    with _held_signals() as wait:
        serve_http(holder, host, port, wait)


@contextmanager
def _held_signals() -> Iterator[Callable[[], None]]:
    """Hold the signals that end a server back, so that one thread can wait for them.

    After the first, they have their usual effect again: a second one ends at once.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)

    def wait() -> None:
        signal.sigwait(_ENDING)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        yield wait
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
