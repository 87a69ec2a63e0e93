"""Systems that are tools of an MCP server, which is started and spoken to over its pipes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import SystemUnusableError, UnknownNameError
from cranfield.model import Response, Status
from cranfield.systems.command import check_program, process_environment
from cranfield.systems.extraction import Extraction, ReadingSettings
from cranfield.systems.kept import FailedExchangeError, KeptProcesses
from cranfield.systems.lines import LineProcess, LineProcessError
from cranfield.systems.mcp_results import read_result
from cranfield.systems.mcp_server import McpError, McpServer
from cranfield.systems.system import SYSTEMS, Surroundings, System, SystemKind
from cranfield.systems.templates import LEFT_OUT, check_places, fill_document, places
from cranfield.systems.variables import SECRET_NAME, Variables, refuse_literals

if TYPE_CHECKING:
    from cranfield.model import Query

__all__: list[str] = []


class McpSettings(ReadingSettings, kw_only=True):
    """How a tool is called. `run` starts the server, in `folder`, with `env` added.

    The query is passed as `query_argument`, the number of hits as `limit_argument` ("" for not at
    all). `arguments` are added; {language}, {filters.NAME} and the like are filled in them, and
    left out for a query that does not have it. Where the server has to load much before it
    answers, `start_timeout` is how many seconds it may take.
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
        refuse_literals("env", self.env, SECRET_NAME)
        if not self.run or not self.run[0]:
            raise ValueError("run is empty; give the program and its arguments as a list")
        if not self.query_argument:
            raise ValueError("query_argument is empty; name the argument that takes the query")
        if not self.start_timeout > 0:
            raise ValueError(f"start_timeout must be more than 0, not {self.start_timeout:g}")
        check_places(self.arguments, "arguments")


class McpSystem(System):
    """Calls a tool of servers that are started once for each worker."""

    def __init__(self, settings: McpSettings, surroundings: Surroundings) -> None:
        self._settings = settings
        self._folder = surroundings.folder / settings.folder
        self._variables = Variables(surroundings.environment)
        environment = process_environment(settings.env, surroundings, self._variables)
        self._environment = environment
        self._extraction = Extraction(settings)
        self._servers = KeptProcesses(
            lambda: McpServer(
                LineProcess(settings.run, folder=self._folder, environment=environment)
            )
        )

    def check(self) -> None:
        """Start a server, and make sure that it has the tool and the tool its arguments."""
        check_program(self._settings.run[0], self._folder, self._environment)
        try:
            tools = self._servers.ask(self._list_tools)
            tool = tools.get(self._settings.tool)
            if tool is None:
                raise SystemUnusableError(str(UnknownNameError("tool", self._settings.tool, tools)))
        except TimeoutError:
            raise SystemUnusableError(
                f"its server did not answer within {self._settings.start_timeout:g} s; mend run, "
                "or raise start_timeout"
            ) from None
        except (LineProcessError, McpError, OSError) as problem:
            said = self._variables.hide(getattr(problem, "errors", "")).strip()
            raise SystemUnusableError(
                f"its server cannot be used: {problem}; mend run" + (f"\n{said}" if said else "")
            ) from None
        self._check_arguments(tool)

    def search(self, query: Query, limit: int) -> Response:
        """Call the tool with a query."""
        arguments = self._arguments(query, limit)
        try:
            response = self._servers.ask(lambda server: self._call(server, arguments, limit))
        except FailedExchangeError as failed:
            response = failed.response
        except LineProcessError as problem:
            message = f"the server cannot be asked: {problem}"
            response = Response.failed(Status.ERROR, message, raw=problem.errors)
        except (OSError, UnicodeEncodeError) as problem:
            response = Response.failed(Status.ERROR, f"cannot be asked: {problem}")
        return self._variables.hide_in(response)

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
        return read_result(result, self._extraction, limit)

    def _arguments(self, query: Query, limit: int) -> dict[str, Any]:
        settings = self._settings
        filled = fill_document(settings.arguments, places(query, limit))
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
        given = {settings.query_argument, settings.limit_argument, *settings.arguments}
        missing = [name for name in schema.get("required", []) if name not in given]
        if missing:
            raise SystemUnusableError(
                f"the tool {settings.tool} needs {', '.join(missing)}; give it in arguments"
            )


SYSTEMS.register(
    "mcp",
    SystemKind(
        name="mcp",
        summary="a tool of an MCP server that is started as a process",
        example='kind = "mcp"\nrun = ["./server", "--stdio"]\ntool = "search"\n'
        'query_argument = "query"\nlimit_argument = "limit"',
        settings=McpSettings,
        open=McpSystem,
    ),
)
