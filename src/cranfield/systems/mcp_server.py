"""A connection to an MCP server: JSON-RPC in lines over the pipes of a child process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield_shared.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.systems.line_process import LineProcess

__all__ = ["McpError", "McpServer"]

_PROTOCOL_VERSION = "2025-06-18"
_METHOD_NOT_FOUND = -32601
_MOST_PAGES = 1000


class McpError(Exception):
    """The server answered a request with an error, or with something that is not a result."""


class McpServer:
    """Talks to one server. Its notifications are ignored, its own requests are answered.

    Answers are matched by the number of the request, so a stray line does no harm.
    """

    def __init__(self, process: LineProcess) -> None:
        self._process = process
        self._is_ready = False
        self._requests = 0

    @property
    def errors(self) -> str:
        """The last lines that it wrote to its error stream."""
        return self._process.errors

    def prepare(self, deadline: float) -> None:
        """Perform the handshake, once."""
        if self._is_ready:
            return
        about = {
            "protocolVersion": _PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "cranfield", "version": __version__},
        }
        self.request("initialize", about, deadline)
        self._send({"method": "notifications/initialized"}, deadline)
        self._is_ready = True

    def tools(self, deadline: float) -> dict[str, dict[str, Any]]:
        """List all tools, page by page, by their names."""
        found: dict[str, dict[str, Any]] = {}
        cursor: dict[str, Any] = {}
        for _ in range(_MOST_PAGES):
            page = self.request("tools/list", cursor, deadline)
            listed = page.get("tools")
            for tool in listed if isinstance(listed, list) else []:
                if isinstance(tool, dict):
                    found[str(tool.get("name"))] = tool
            if not page.get("nextCursor"):
                return found
            cursor = {"cursor": page["nextCursor"]}
        raise McpError(f"it lists its tools on more than {_MOST_PAGES} pages")

    def call(self, tool: str, arguments: dict[str, Any], deadline: float) -> dict[str, Any]:
        """Call a tool and return its result."""
        return self.request("tools/call", {"name": tool, "arguments": arguments}, deadline)

    def request(self, method: str, params: dict[str, Any], deadline: float) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        self._requests += 1
        number = self._requests
        self._send({"id": number, "method": method, "params": params}, deadline)
        while True:
            answers = [
                message
                for message in _messages(self._process.receive(deadline))
                if not self._is_servers_own(message, deadline) and message.get("id") == number
            ]
            if answers:
                return _result(answers[0], method)

    def close(self) -> None:
        """End the server."""
        self._process.close()

    def _is_servers_own(self, message: dict[str, Any], deadline: float) -> bool:
        """Return whether a message is the server's own, and answer it if it is a request."""
        if "method" not in message:
            return False
        if message.get("id") is not None:
            known = message["method"] == "ping"
            error = {"code": _METHOD_NOT_FOUND, "message": "not supported by this client"}
            self._send(
                {"id": message["id"], **({"result": {}} if known else {"error": error})}, deadline
            )
        return True

    def _send(self, message: dict[str, Any], deadline: float) -> None:
        self._process.send(msgspec.json.encode({"jsonrpc": "2.0", **message}), deadline)


def _messages(line: bytes) -> Iterator[dict[str, Any]]:
    """Yield the messages of a line: one, a batch of them, or none if it is something else."""
    try:
        decoded = msgspec.json.decode(line)
    except RecursionError:
        return
    except (msgspec.DecodeError, UnicodeDecodeError):
        decoded = _read_ill_formed(line)
    for message in decoded if isinstance(decoded, list) else [decoded]:
        if isinstance(message, dict):
            yield message


def _read_ill_formed(line: bytes) -> dict[str, Any] | None:
    """Return the failure that an answer with ill-formed text stands for; else None.

    Python reads half a character (a lone surrogate), which nothing can store, and bytes that are
    not UTF-8 can be replaced. What is no JSON even then is a server that prints by mistake.
    """
    try:
        decoded = json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(decoded, dict) or "method" in decoded:
        return None
    message = "the answer holds text that is not Unicode, such as half a character (\\ud800)"
    return {"id": decoded.get("id"), "error": {"message": message}}


def _result(message: dict[str, Any], method: str) -> dict[str, Any]:
    result = message.get("result")
    if isinstance(result, dict):
        return result
    error = message.get("error")
    if isinstance(error, dict):
        raise McpError(f"{method} failed: {error.get('message', 'no reason given')}")
    raise McpError(f"the answer to {method} has no result")
