"""The two servers: HTTP until told to stop, MCP until standard input is closed."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from stacks.errors import StacksError
from stacks.serve.http_server import HttpServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.serve.request_queue import QueueLimits
    from stacks.serve.served_index import ServedIndex

__all__ = ["serve_http", "serve_mcp"]

_logger = logging.getLogger(__name__)


def serve_http(
    served: ServedIndex,
    host: str,
    port: int,
    wait: Callable[[], object],
    limits: QueueLimits | None = None,
) -> None:
    """Answer requests in threads until `wait` returns, then those that were read before."""
    server = HttpServer(served, host, port, limits)
    accepting = threading.Thread(target=server.serve_forever, daemon=True)
    accepting.start()
    _logger.info("listening on %s", server.url)
    try:
        wait()
    finally:
        server.finish()
        accepting.join()


def serve_mcp(served: ServedIndex) -> None:
    """Serve the tools on standard input and output until the input is closed."""
    try:
        from stacks.serve.mcp_session import run_session
    except ImportError as problem:
        raise StacksError(
            f"an MCP server needs the package mcp, version 2.3 or later ({problem}); "
            "install it with: pip install 'cranfield[stacks]'"
        ) from problem
    run_session(served)
