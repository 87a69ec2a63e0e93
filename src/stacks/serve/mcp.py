"""The tools over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from stacks import __version__
from stacks.errors import QueryError, StacksError
from stacks.serve.pipes import Ledger, NotingSender, relay
from stacks.serve.tools import TOOLS, Tool, call_tool, find_tool

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from stacks.serve.holder import IndexHolder

__all__ = ["run"]

_logger = logging.getLogger(__name__)

INSTRUCTIONS = """\
Documentation, and where they were saved files, books and source code of this machine, searched \
offline by words, names and meaning. Before you use an API that \
you are not certain of, call search with its name or with words for what it should do, then \
read_document with the URI of the right hit. search_symbols finds declarations by kind, \
attribute, constraint, async or throws; search_conformances and get_inheritance tell how types \
are related; list_frameworks tells what is covered. Where nothing is found, the answer says what \
to try; do not take an API for granted that is not here."""


def run(holder: IndexHolder) -> None:
    """Serve until standard input is closed; requests that came before are still answered."""
    try:
        anyio.run(_serve, holder)
    except* BrokenPipeError:
        _logger.info("the client has gone")


async def _serve(holder: IndexHolder) -> None:
    server = _make_server(holder)
    ledger = Ledger()
    async with stdio_server() as (lines_in, lines_out):
        send, receive = anyio.create_memory_object_stream[Any](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(relay, lines_in, send, ledger)
            await server.run(
                receive, NotingSender(lines_out, ledger), server.create_initialization_options()
            )


def _make_server(holder: IndexHolder) -> Server[Any]:
    async def list_tools(
        _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_describe(tool) for tool in TOOLS.values()])

    async def answer(
        _: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            find_tool(params.name)
        except QueryError as problem:
            raise MCPError(types.INVALID_PARAMS, str(problem)) from None
        # Reading a file blocks; a thread keeps pings and other calls going meanwhile.
        return await anyio.to_thread.run_sync(
            _answer, holder, params.name, dict(params.arguments or {})
        )

    return Server(
        "stacks",
        version=__version__,
        title="stacks documentation search",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=answer,
    )


def _describe(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema(),
        annotations=types.ToolAnnotations(
            title=tool.name.replace("_", " "), read_only_hint=True, open_world_hint=False
        ),
    )


def _answer(holder: IndexHolder, name: str, arguments: dict[str, object]) -> types.CallToolResult:
    """Call a tool; what went wrong is told to the agent, which can mend its call."""
    try:
        with holder.lend() as index:
            answer = call_tool(index, name, arguments)
    except StacksError as problem:
        return _make_result(str(problem), is_error=True)
    except Exception:
        _logger.exception("%s failed", name)
        return _make_result(f"{name} failed: a defect of stacks; see its log", is_error=True)
    return _make_result(answer.text, is_error=not answer.is_found)


def _make_result(text: str, *, is_error: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=is_error
    )
