"""The tools and documents over the Model Context Protocol, on standard input and output.

The protocol's own loop drops requests in progress when its input ends. A client that writes its
requests and closes its end (`printf … | stacks serve --mcp`) would get no answer to the last ones,
so here the end of the input is held back until every request is answered.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

import anyio
import anyio.to_thread
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from cranfield_shared.version import __version__
from stacks.errors import QueryError, StacksError
from stacks.serve.mcp_refusals import refuse_line
from stacks.serve.resources import list_resources, list_templates, read_resource
from stacks.serve.tools import call_tool, find_tool, list_tools, write_instructions

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.streams.memory import MemoryObjectSendStream
    from mcp.server import ServerRequestContext

    from stacks.query import Index
    from stacks.serve.served_index import ServedIndex
    from stacks.serve.tool_types import Tool

__all__ = ["run_session"]

Result = TypeVar("Result")

_FINISH_SECONDS = 30.0
"""How long requests in progress may take after the input has ended."""

_logger = logging.getLogger(__name__)


def run_session(served: ServedIndex) -> None:
    """Serve until standard input is closed; requests read before that are still answered."""
    try:
        anyio.run(_serve, served)
    except* BrokenPipeError:
        _logger.info("the client has gone")


async def _serve(served: ServedIndex) -> None:
    server = _make_server(served)
    pending = _PendingRequests()
    async with stdio_server() as (lines_in, lines_out):
        send, receive = anyio.create_memory_object_stream[Any](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_relay, lines_in, send, lines_out.clone(), pending)
            await server.run(
                receive, _AnswerStream(lines_out, pending), server.create_initialization_options()
            )


def _make_server(served: ServedIndex) -> Server[Any]:
    async def list_all(
        _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_describe(tool) for tool in list_tools()])

    async def answer(
        _: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            tool = find_tool(params.name)
        except QueryError as problem:
            raise MCPError(types.INVALID_PARAMS, str(problem)) from None
        # Reading a file blocks; in a thread it does not hold up pings and other calls.
        return await anyio.to_thread.run_sync(_answer, served, tool, dict(params.arguments or {}))

    async def list_documents(
        _: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = (params.cursor if params else "") or ""
        return await _ask(served, partial(list_resources, cursor=cursor))

    async def list_forms(
        _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return await _ask(served, list_templates)

    async def read(
        _: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await _ask(served, partial(read_resource, uri=params.uri))

    return Server(
        "stacks",
        version=__version__,
        title="stacks documentation search",
        instructions=write_instructions(),
        on_list_tools=list_all,
        on_call_tool=answer,
        on_list_resources=list_documents,
        on_list_resource_templates=list_forms,
        on_read_resource=read,
    )


async def _ask(served: ServedIndex, question: Callable[[Index], Result]) -> Result:
    """Ask the index about its documents, in a thread; what is wrong is the error of the request."""

    def ask() -> Result:
        try:
            with served.acquire() as index:
                return question(index)
        except StacksError as problem:
            raise MCPError(types.INTERNAL_ERROR, str(problem)) from None

    return await anyio.to_thread.run_sync(ask)


def _describe(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema(),
        annotations=types.ToolAnnotations(
            title=tool.name.replace("_", " "), read_only_hint=True, open_world_hint=False
        ),
    )


def _answer(served: ServedIndex, tool: Tool, arguments: dict[str, object]) -> types.CallToolResult:
    """Call a tool; the agent gets errors as text, so that it can correct its call."""
    try:
        with served.acquire() as index:
            answer = call_tool(index, tool.name, arguments)
    except StacksError as problem:
        return _make_result(str(problem), is_error=True)
    except Exception:
        _logger.exception("%s failed", tool.name)
        return _make_result(f"{tool.name} failed: a bug in stacks; see its log", is_error=True)
    return _make_result(answer.text, is_error=not answer.is_found)


def _make_result(text: str, *, is_error: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=is_error
    )


class _PendingRequests:
    """The requests that have no answer yet."""

    def __init__(self) -> None:
        self._pending: set[int | str] = set()
        self._changed = anyio.Event()

    def note(self, message: types.JSONRPCMessage) -> None:
        """Take note of a message in either direction."""
        if isinstance(message, types.JSONRPCRequest):
            self._pending.add(message.id)
        elif isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._remove(message.id)
        elif message.method == "notifications/cancelled" and message.params:
            # A cancelled request is never answered.
            self._remove(message.params.get("requestId"))

    def _remove(self, request: object) -> None:
        self._pending = {each for each in self._pending if each != request}
        self._changed.set()
        self._changed = anyio.Event()

    async def wait_until_answered(self) -> None:
        """Wait a limited time until every request is answered."""
        with anyio.move_on_after(_FINISH_SECONDS):
            while self._pending:
                await self._changed.wait()


class _AnswerStream:
    """Sends messages to the client, and notes which requests they answer."""

    def __init__(self, stream: Any, pending: _PendingRequests) -> None:
        self._stream = stream
        self._pending = pending

    async def send(self, item: SessionMessage, /) -> None:
        """Send, then note."""
        await self._stream.send(item)
        self._pending.note(item.message)

    async def aclose(self) -> None:
        """Close the stream to the client."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


async def _relay(
    source: Any, target: MemoryObjectSendStream[Any], refusals: Any, pending: _PendingRequests
) -> None:
    """Pass messages on, refuse lines that are not messages, and hold back the end."""
    async with target, source, refusals:
        async for item in source:
            if isinstance(item, Exception):
                refusal = refuse_line(item)
                if refusal is None:
                    _logger.warning("skipped a line of the input that is not an MCP message")
                else:
                    await refusals.send(SessionMessage(refusal))
                continue
            pending.note(item.message)
            await target.send(item)
        await pending.wait_until_answered()
