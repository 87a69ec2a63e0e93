"""Systems that are tools of an MCP server, started as a process and called over its pipes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import SystemUnusableError, UnknownNameError
from cranfield.model import Response, Status
from cranfield.systems.extraction import Extraction, ReadingSettings, cut
from cranfield.systems.line_process import (
    FailedExchangeError,
    LineProcess,
    LineProcessError,
    ProcessPool,
)
from cranfield.systems.mcp_server import McpError, McpServer
from cranfield.systems.programs import (
    check_program,
    find_files,
    process_environment,
    relocate_folder,
    split_command,
)
from cranfield.systems.system import InitOption, System, SystemContext, SystemKind
from cranfield.systems.templates import (
    LEFT_OUT,
    check_placeholders,
    fill_document,
    placeholder_values,
    refuse_placeholders,
    refuse_unfilled,
)
from cranfield.systems.tool_server import ToolReading, ToolServer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cranfield.model import Query

__all__ = ["MCP_SYSTEM"]

_MOST_MESSAGE = 300


class McpSettings(ReadingSettings, kw_only=True):
    """How a tool is called. `run` starts the server, in `folder`, with `env` added.

    The query is passed as `query_argument`, the number of hits as `limit_argument` ("" for not at
    all). `arguments` are added; {language}, {filters.NAME} and the like are filled in them, and
    left out for a query without them. `start_timeout` is how many seconds the server may take to
    start.
    """

    run: list[str]
    tool: str
    folder: str = "."
    env: dict[str, str] = msgspec.field(default_factory=dict)
    query_argument: str = "query"
    limit_argument: str = "limit"
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)
    start_timeout: float = 60.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.run or not self.run[0]:
            raise ValueError("run is empty; give the program and its arguments as a list")
        if not self.query_argument:
            raise ValueError("query_argument is empty; name the argument that takes the query")
        if not self.start_timeout > 0:
            raise ValueError(f"start_timeout must be more than 0, not {self.start_timeout:g}")
        check_placeholders(self.arguments, "arguments")
        refuse_placeholders(self.env, "env", "the environment is the same for every query")
        refuse_placeholders(self.run, "run", "the server starts before a query is known")
        for setting in ("query_argument", "limit_argument"):
            if getattr(self, setting) in self.arguments:
                raise ValueError(
                    f"arguments.{getattr(self, setting)} would be replaced, {setting} names the "
                    "same; take one of them out"
                )

    def implied_files(self, folder: Path) -> list[Path]:
        """Return the server's program and those arguments that are files, such as a script."""
        return find_files(self.run, folder / self.folder)


class McpSystem(System):
    """Calls a tool; each worker has a server of its own, started once."""

    def __init__(self, settings: McpSettings, context: SystemContext) -> None:
        self._settings = settings
        self._folder = context.folder / settings.folder
        environment = process_environment(settings.env, context)
        self._environment = environment
        self._given = context.variables.fill_document(settings.arguments, "arguments")
        self._extraction = Extraction(settings)
        self._servers = ProcessPool(
            lambda: McpServer(
                LineProcess(settings.run, folder=self._folder, environment=environment)
            )
        )

    def check(self) -> None:
        """Start a server, and check that it has the tool and the tool the arguments."""
        check_program(self._settings.run[0], self._folder, self._environment)
        try:
            tools = self._servers.run(self._list_tools)
            tool = tools.get(self._settings.tool)
            if tool is None:
                raise SystemUnusableError(str(UnknownNameError("tool", self._settings.tool, tools)))
        except TimeoutError:
            raise SystemUnusableError(
                f"its server did not answer within {self._settings.start_timeout:g} s; fix run, "
                "or raise start_timeout"
            ) from None
        except (LineProcessError, McpError, OSError) as problem:
            said = getattr(problem, "errors", "").strip()
            raise SystemUnusableError(
                f"its server cannot be used: {problem}; fix run" + (f"\n{said}" if said else "")
            ) from None
        self._check_arguments(tool)

    def search(self, query: Query, limit: int) -> Response:
        """Call the tool with a query."""
        arguments = self._arguments(query, limit)
        try:
            response = self._servers.run(lambda server: self._call(server, arguments, limit))
        except FailedExchangeError as failed:
            response = failed.response
        except LineProcessError as problem:
            message = f"the server cannot be used: {problem}"
            response = Response.failed(Status.ERROR, message, raw=problem.errors)
        except (OSError, UnicodeEncodeError) as problem:
            response = Response.failed(Status.ERROR, f"cannot be queried: {problem}")
        return response

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Refuse filters that `arguments` do not pass on."""
        example = 'arguments.{name} = "{{filters.{name}}}"'
        refuse_unfilled(queries, self._settings.arguments, "arguments", example)
        return []

    def close(self) -> None:
        """End all servers."""
        self._servers.close()

    def _call(self, server: McpServer, arguments: dict[str, Any], limit: int) -> Response:
        seconds = self._settings.start_timeout
        try:
            server.prepare(time.monotonic() + seconds)
            seconds = self._settings.timeout
            result = server.call(self._settings.tool, arguments, time.monotonic() + seconds)
        except TimeoutError:
            message = f"no answer within {seconds:g} s"
            response = Response.failed(Status.TIMEOUT, message, raw=server.errors)
            raise FailedExchangeError(response) from None
        except McpError as problem:
            return Response.failed(Status.ERROR, str(problem))
        return _read_result(result, self._extraction, limit)

    def _arguments(self, query: Query, limit: int) -> dict[str, Any]:
        settings = self._settings
        filled = fill_document(self._given, placeholder_values(query, limit))
        arguments = {} if filled is LEFT_OUT else dict(filled)
        arguments[settings.query_argument] = query.text
        if settings.limit_argument:
            arguments[settings.limit_argument] = limit
        return arguments

    def _list_tools(self, server: McpServer) -> dict[str, dict[str, Any]]:
        deadline = time.monotonic() + self._settings.start_timeout
        server.prepare(deadline)
        return server.tools(deadline)

    def _check_arguments(self, tool: dict[str, Any]) -> None:
        """Refuse arguments that the tool does not have, and a tool that needs more."""
        schema = tool.get("inputSchema")
        known = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(schema, dict) or not isinstance(known, dict) or not known:
            return
        settings = self._settings
        for setting in ("query_argument", "limit_argument"):
            name = getattr(settings, setting)
            if name and name not in known:
                raise SystemUnusableError(
                    f"the tool {settings.tool} has no argument {name!r}; name it with {setting}, "
                    f"there are: {', '.join(known)}"
                    + (', or "" for none' if setting == "limit_argument" else "")
                )
        if schema.get("additionalProperties", False) is False:
            for name in settings.arguments:
                if name not in known:
                    problem = UnknownNameError(f"argument of the tool {settings.tool}", name, known)
                    raise SystemUnusableError(f"arguments: {problem}")
        given = {settings.query_argument, settings.limit_argument, *settings.arguments}
        needed = [name for name in _listed(schema.get("required")) if isinstance(name, str)]
        missing = [name for name in needed if name not in given]
        if missing:
            raise SystemUnusableError(
                f"the tool {settings.tool} needs {', '.join(missing)}; give it in arguments"
            )


def _read_result(result: dict[str, Any], extraction: Extraction, limit: int) -> Response:
    """Read the hits from the structured content if there is any, or else from the text."""
    blocks = [block for block in _listed(result.get("content")) if isinstance(block, dict)]
    texts = [text for block in blocks if (text := _text(block)) is not None]
    if result.get("isError") is True:
        said = "\n".join(texts)
        message = f"the tool failed: {cut(said, _MOST_MESSAGE) or 'it does not say why'}"
        return Response.failed(Status.ERROR, message, raw=said)
    structured = result.get("structuredContent")
    if extraction.reads_text:
        shown = "\n".join(texts).encode() if texts else msgspec.json.encode(structured)
        return extraction.from_bytes(shown, limit)
    if isinstance(structured, dict) and not _is_wrapped_text(structured):
        return extraction.from_document(structured, limit)
    links = [block for block in blocks if block.get("type") == "resource_link"]
    return _from_texts(texts, extraction, limit) if texts else extraction.from_hits(links, limit)


def _listed(value: Any) -> list[Any]:
    """Return a list as it is, and nothing of what a server sends instead of one."""
    return value if isinstance(value, list) else []


def _text(block: dict[str, Any]) -> str | None:
    """Return the text of a block, or that of a resource inside it."""
    resource = block.get("resource")
    text = resource.get("text") if isinstance(resource, dict) else block.get("text")
    return text if isinstance(text, str) else None


def _is_wrapped_text(structured: dict[str, Any]) -> bool:
    """Return whether the structured content is only a wrapped text, as some servers send it."""
    return list(structured) == ["result"] and isinstance(structured["result"], str)


def _from_texts(texts: list[str], extraction: Extraction, limit: int) -> Response:
    """Read JSON from text; several texts that are each JSON are one hit each."""
    try:
        documents = [msgspec.json.decode(text) for text in texts]
    except (msgspec.DecodeError, RecursionError):
        return extraction.from_bytes("\n".join(texts).encode(), limit)
    if len(documents) > 1:
        return extraction.from_document(documents, limit)
    response = extraction.from_document(documents[0], limit)
    if response.status is Status.UNPARSEABLE and isinstance(documents[0], dict):
        # A list of one hit is sent by some servers as that hit alone.
        alone = extraction.from_hits(documents, limit)
        return response if alone.status.is_failure else alone
    return response


def _serve(settings: McpSettings, context: SystemContext) -> ToolServer | None:
    if settings.arguments:  # an agent chooses the arguments by itself
        return None
    return ToolServer(
        command=tuple(settings.run),
        folder=context.folder / settings.folder,
        environment=process_environment(settings.env, context),
        reading=ToolReading(
            {settings.tool: settings.query_argument},
            pattern=settings.pattern,
            hits=settings.hits,
            id=settings.id,
        ),
    )


MCP_SYSTEM = SystemKind(
    name="mcp",
    summary="a tool of an MCP server that is started as a process",
    example='kind = "mcp"\nrun = ["./server", "--stdio"]\ntool = "search"\n'
    'query_argument = "query"\nlimit_argument = "limit"',
    settings=McpSettings,
    open=McpSystem,
    init=InitOption(
        option="--mcp",
        setting="run",
        example="./server --stdio",
        read=split_command,
        relocate=relocate_folder,
    ),
    serve=_serve,
)
