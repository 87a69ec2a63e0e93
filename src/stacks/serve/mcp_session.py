"""The tools and documents over the Model Context Protocol, on standard input and output.

The protocol's own loop drops requests in progress when its input ends. A client that writes its
requests and closes its end (`printf … | stacks serve --mcp`) would get no answer to the last ones,
so here the end of the input is held back until every request is answered.

The documents of an index as resources of MCP: a list in pages, templates, and reading.

The list is ordered by URI, and the cursor of a page is the last URI before it, so it is valid
for an index that was saved again in between.
"""

from __future__ import annotations

import json
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

import anyio
import anyio.to_thread
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from cranfield_shared.version import __version__
from stacks.errors import QueryError, StacksError
from stacks.query import explain_no_document
from stacks.serve.tools import WORDING, call_tool, find_tool, list_tools, write_instructions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from anyio.streams.memory import MemoryObjectSendStream
    from mcp.server import ServerRequestContext

    from stacks.query import Index
    from stacks.serve.servers import ServedIndex
    from stacks.serve.tool_types import Tool

__all__ = [
    "list_resources",
    "list_templates",
    "read_resource",
    "refuse_line",
    "run_session",
]

Result = TypeVar("Result")

_FINISH_SECONDS = 30.0
"""How long requests in progress may take after the input has ended."""

_logger = logging.getLogger(__name__)


_NOT_JSON = "the line is not JSON; send one message a line"
_NO_OBJECT = "the line is not a JSON object; send one message a line, not a batch"
_HALF_A_CHARACTER = (
    "the request holds text that is not Unicode, such as half a character (\\ud800), or is "
    "no request of MCP; send it without"
)
_PAGE = 500
_MARKDOWN = "text/markdown"
_NOT_FOUND = -32002
"""The code of MCP for a resource that there is not."""


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
        # Without a buffer: no line is read before the server has taken the one before it.
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
    """Call a tool; the agent gets errors as text, so it can correct its call."""
    try:
        with served.acquire() as index:
            answer = call_tool(index, tool.name, arguments)
    except StacksError as problem:
        return _make_result(str(problem), is_error=True)
    # An agent can go on after a failed call, but not after a server that ended.
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
        # An event of anyio cannot be cleared; whoever waits next gets a new one.
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
        # In this order: once noted, the input may end, and with it the process.
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


def refuse_line(problem: Exception) -> types.JSONRPCError | None:
    """Make the answer to a line that is not a message; None if nobody waits for an answer.

    Nobody does after an empty line, a notification or a response.
    """
    errors: Sequence[Any] = problem.errors() if isinstance(problem, ValidationError) else ()
    if not errors:
        return None
    if errors[0]["type"] == "json_invalid":
        return _refuse_text(errors[0]["input"])
    # The error for a missing field has the whole message, others only the field.
    whole = (each["input"] for each in errors if each["type"] in ("missing", "model_type"))
    return _refuse_message(next(whole, None), _describe_refusal(errors))


def _refuse_text(line: str | bytes) -> types.JSONRPCError | None:
    r"""Refuse a line that the protocol's parser cannot read.

    JSON can write half a character (a lone surrogate, `\ud800`), which is not text. Python's own
    parser reads it, so the number of the request is known.
    """
    if not line.strip():
        return None
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _make_error(None, types.PARSE_ERROR, _NOT_JSON)
    return _refuse_message(message, _HALF_A_CHARACTER)


def _refuse_message(message: object, reason: str) -> types.JSONRPCError | None:
    if not isinstance(message, dict):
        return _make_error(None, types.INVALID_REQUEST, _NO_OBJECT)
    is_response = "result" in message or "error" in message
    is_notification = "id" not in message and isinstance(message.get("method"), str)
    if is_response or is_notification:
        return None
    return _make_error(_read_number(message), types.INVALID_REQUEST, reason)


def _describe_refusal(errors: Sequence[Any]) -> str:
    """Say which fields of a request are wrong."""
    wrong = [
        f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}"
        for each in errors
        if each["loc"][:1] == ("JSONRPCRequest",)
    ]
    return f"the message is not a request of MCP; {', '.join(wrong)}"


def _read_number(message: dict[str, Any]) -> int | str | None:
    """Read the number of a request; None if it is none that an answer could have."""
    number = message.get("id")
    if isinstance(number, bool) or not isinstance(number, int | str) or not _is_text(str(number)):
        return None
    return number


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _make_error(number: int | str | None, code: int, message: str) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=message)
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=error)


def list_resources(index: Index, cursor: str) -> types.ListResourcesResult:
    """List the documents after a cursor; the first page has none."""
    if cursor and "://" not in cursor:
        message = f"there is no cursor {cursor[:80]!r}; give the nextCursor of the page before"
        raise MCPError(types.INVALID_PARAMS, message)
    found = index.documents(cursor, _PAGE + 1)
    listed = found[:_PAGE]
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=entry.uri,
                name=entry.title or entry.uri,
                description=entry.summary or None,
                mime_type=_MARKDOWN,
            )
            for entry in listed
        ],
        next_cursor=listed[-1].uri if len(found) > _PAGE else None,
    )


def list_templates(index: Index) -> types.ListResourceTemplatesResult:
    """List how the URIs of each source are written."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                name=source.name,
                uri_template=f"{source.name}://{{+path}}",
                description=f"A document of {source.name}, by the URI that search returns.",
                mime_type=_MARKDOWN,
            )
            for source in index.sources()
        ]
    )


def read_resource(index: Index, uri: str) -> types.ReadResourceResult:
    """Read a whole document; an unknown URI is an error that names near ones."""
    try:
        document = index.read(uri)
    except QueryError:
        raise MCPError(_NOT_FOUND, explain_no_document(index, uri, WORDING)) from None
    contents = types.TextResourceContents(uri=document.uri, mime_type=_MARKDOWN, text=document.page)
    return types.ReadResourceResult(contents=[contents])
