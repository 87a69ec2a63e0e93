"""`stacks serve`: the index for agents over MCP, and for programs over HTTP."""

from __future__ import annotations

import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from stacks.cli.index_options import DbOption, default_folder
from stacks.cli.signals import ENDING_SIGNALS, wait_for_signal
from stacks.errors import QueryError

if TYPE_CHECKING:
    from stacks.serve import ServedIndex

__all__ = ["serve"]


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

    After a save, the next request uses the new index. Both servers end with the signals INT and
    TERM, and the MCP server at the end of its input. Only this machine can reach the HTTP server,
    unless --host says otherwise; there is no password.

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
    _log_to_stderr()
    from stacks.serve import ServedIndex

    served = ServedIndex(db or default_folder())
    try:
        if mcp:
            _serve_mcp(served)
        else:
            _serve_http(served, host, port)
    finally:
        served.close()


def _log_to_stderr() -> None:
    logging.basicConfig(stream=sys.stderr, format="stacks: %(message)s", level=logging.WARNING)
    logging.getLogger("stacks").setLevel(logging.INFO)


def _serve_mcp(served: ServedIndex) -> None:
    from stacks.serve import serve_mcp

    for number in ENDING_SIGNALS:
        # The thread that waits for input cannot be woken; there is nothing to clean up.
        signal.signal(number, lambda *_: os._exit(0))
    serve_mcp(served)


def _serve_http(served: ServedIndex, host: str, port: int) -> None:
    from stacks.serve import serve_http

    with wait_for_signal() as wait:
        serve_http(served, host, port, wait)
