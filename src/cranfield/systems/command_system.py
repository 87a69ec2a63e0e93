"""Systems that are commands: one process for each query, or one that is kept alive."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.model import Response, Status
from cranfield.systems.child_process import (
    ExitReason,
    FinishedProcess,
    ProcessRunner,
    describe_code,
)
from cranfield.systems.extraction import Extraction, ReadingSettings, keep_raw
from cranfield.systems.line_process import (
    FailedExchangeError,
    LineProcess,
    LineProcessError,
    ProcessPool,
)
from cranfield.systems.programs import (
    ConfigCheck,
    check_program,
    find_files,
    process_environment,
    relocate_folder,
    split_command,
)
from cranfield.systems.system import InitOption, System, SystemContext, SystemKind
from cranfield.systems.templates import (
    check_placeholders,
    fill,
    is_optional,
    placeholder_names,
    placeholder_values,
    refuse_placeholders,
    refuse_unfilled,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cranfield.model import Query

__all__ = ["COMMAND_SYSTEM"]


class CommandSettings(ReadingSettings, kw_only=True):
    """How a command is run. `env` adds to the environment; `folder` is where it runs.

    An element of `run` that is itself a list is left out as a whole if the query lacks a value for
    it: `["--language", "{language}"]`. With `keep_alive` the process is started once for each
    worker and gets one JSON object a line (`id`, `query`, `k`, `language`, `filters`); it answers
    each with one line. If an answer has an `id`, it must be that of the query.
    """

    run: list[str | list[str]]
    folder: str = "."
    env: dict[str, str] = msgspec.field(default_factory=dict)
    config: ConfigCheck | None = None
    keep_alive: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.run or not isinstance(self.run[0], str) or not self.run[0]:
            raise ValueError("run must begin with the program, then its arguments as a list")
        check_placeholders(self.run, "run")
        refuse_placeholders(self.env, "env", "the environment is the same for every query")
        named = [
            name for part in _groups(self.run) for each in part for name in placeholder_names(each)
        ]
        if self.keep_alive and named:
            raise ValueError(
                f"run has {{{named[0]}}}, but with keep_alive the process starts before a query "
                "is known; take it out, the query comes as a line"
            )
        if not self.keep_alive and "query" not in named:
            raise ValueError("run has no {query}; put it where the query belongs")
        for argument in self.run:
            _refuse_missing(argument)

    def implied_files(self, folder: Path) -> list[Path]:
        """Return the program and those arguments that are files, such as a script."""
        arguments = (each for group in _groups(self.run) for each in group)
        return find_files(arguments, folder / self.folder)


class CommandSystem(System):
    """Starts the command for every query."""

    def __init__(self, settings: CommandSettings, context: SystemContext) -> None:
        self._settings = settings
        self._context = context
        self._folder = context.folder / settings.folder
        self._environment = process_environment(settings.env, context)
        self._extraction = Extraction(settings)
        self._running = ProcessRunner()

    def check(self) -> None:
        """Check that the program, the folder and the configuration are there."""
        check_program(str(self._settings.run[0]), self._folder, self._environment)
        if self._settings.config is not None:
            self._settings.config.check(self._context.folder)

    def search(self, query: Query, limit: int) -> Response:
        """Run the command for a query."""
        command = _fill_command(self._settings.run, placeholder_values(query, limit))
        if any("\0" in argument for argument in command):
            return Response.failed(Status.ERROR, "a query with a zero byte cannot be an argument")
        try:
            finished = self._running.run(
                command,
                folder=self._folder,
                environment=self._environment,
                timeout=self._settings.timeout,
            )
        except (OSError, UnicodeEncodeError) as problem:
            return _not_started(problem)
        return self._response(finished, limit)

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Refuse filters that `run` does not pass on."""
        run = list(self._settings.run)
        refuse_unfilled(queries, run, "run", '["--{name}", "{{filters.{name}}}"] in run')
        return []

    def close(self) -> None:
        """Stop what is running."""
        self._running.stop()

    def _response(self, finished: FinishedProcess, limit: int) -> Response:
        if finished.reason is ExitReason.EXITED and finished.code == 0:
            return self._extraction.from_bytes(finished.output, limit)
        raw = keep_raw(finished.errors, finished.output)
        if finished.reason is ExitReason.TIMEOUT:
            message = f"no answer within {self._settings.timeout:g} s"
            return Response.failed(Status.TIMEOUT, message, raw=raw)
        if finished.reason is ExitReason.FLOODED:
            return Response.failed(Status.ERROR, "printed too much and was stopped", raw=raw)
        return Response.failed(Status.ERROR, describe_code(finished.code), raw=raw)


class KeptCommandSystem(CommandSystem):
    """Starts the command once for each worker and sends it one line for each query."""

    def __init__(self, settings: CommandSettings, context: SystemContext) -> None:
        super().__init__(settings, context)
        command = [str(argument) for argument in settings.run]
        self._processes = ProcessPool(
            lambda: LineProcess(command, folder=self._folder, environment=self._environment)
        )

    def search(self, query: Query, limit: int) -> Response:
        """Send the query as one line and read one line."""
        request = {
            "id": query.id,
            "query": query.text,
            "k": limit,
            "language": query.language,
            "filters": dict(query.filters),
        }
        deadline = time.monotonic() + self._settings.timeout
        try:
            line = msgspec.json.encode(request)
            return self._processes.run(
                lambda process: self._read(self._exchange(process, line, deadline), query, limit)
            )
        except FailedExchangeError as failed:
            return failed.response
        except LineProcessError as problem:
            message = f"the process cannot be used: {problem}"
            return Response.failed(Status.ERROR, message, raw=problem.errors)
        except (OSError, UnicodeEncodeError) as problem:
            return _not_started(problem)

    def check_queries(self, queries: Sequence[Query]) -> list[str]:  # noqa: ARG002 - as above
        """Accept every filter: the line that is sent has all of them."""
        return []

    def close(self) -> None:
        """End all processes."""
        self._processes.close()

    def _exchange(self, process: LineProcess, line: bytes, deadline: float) -> bytes:
        """Send one line and receive one."""
        if process.has_more():
            raise _failed(Status.ERROR, "the process wrote a line before it was sent a query")
        try:
            process.send(line, deadline)
            answer = process.receive(deadline)
        except TimeoutError:
            message = f"no answer within {self._settings.timeout:g} s"
            raise _failed(Status.TIMEOUT, message, process.errors) from None
        if process.has_more():
            message = "the process answered with more than one line"
            raise _failed(Status.UNPARSEABLE, message, keep_raw(answer))
        return answer

    def _read(self, line: bytes, query: Query, limit: int) -> Response:
        """Read an answer; after an unusable one the process may be out of step."""
        response = self._extraction.from_bytes(line, limit)
        if response.status.is_failure:
            raise FailedExchangeError(response)
        repeated = None if self._extraction.reads_text else _repeated_id(line)
        if repeated not in (None, query.id):
            message = f"the process answered the query {repeated!r}, which is another"
            raise _failed(Status.UNPARSEABLE, message, keep_raw(line))
        return response


class _Repeated(msgspec.Struct):
    id: str | int | None = None


def _repeated_id(line: bytes) -> str | None:
    try:
        name = msgspec.json.decode(line, type=_Repeated).id
    except msgspec.ValidationError:
        return None
    return None if name is None else str(name)


def _failed(status: Status, message: str, raw: str = "") -> FailedExchangeError:
    return FailedExchangeError(Response.failed(status, message, raw=raw))


def _not_started(problem: OSError | UnicodeEncodeError) -> Response:
    reason = getattr(problem, "strerror", None) or problem
    return Response.failed(Status.ERROR, f"cannot be started: {reason}")


def _fill_command(run: Sequence[str | list[str]], values: Mapping[str, Any]) -> list[str]:
    """Fill the arguments of a command; a group with a missing value is left out as a whole."""
    command: list[str] = []
    for group in _groups(run):
        filled = [text for each in group if (text := fill(each, values)) is not None]
        if len(filled) == len(group):
            command.extend(filled)
    return command


def _groups(run: Sequence[str | list[str]]) -> list[list[str]]:
    return [[element] if isinstance(element, str) else element for element in run]


def _refuse_missing(argument: str | list[str]) -> None:
    """Refuse an optional placeholder outside a group that can be left out."""
    if isinstance(argument, str):
        for name in filter(is_optional, placeholder_names(argument)):
            raise ValueError(
                f"run: not every query has {{{name}}}; make it a list of its own with what goes "
                f'with it, which is left out for the others: ["--option", "{{{name}}}"]'
            )


def _open(settings: CommandSettings, context: SystemContext) -> System:
    kind = KeptCommandSystem if settings.keep_alive else CommandSystem
    return kind(settings, context)


COMMAND_SYSTEM = SystemKind(
    name="command",
    summary="a program that is run for each query, or kept alive and sent JSON lines",
    example='kind = "command"\nrun = ["./search", "{query}", "--limit", "{k}"]\n'
    "pattern = 'https?://\\S+'",
    settings=CommandSettings,
    open=_open,
    init=InitOption(
        option="--command",
        setting="run",
        example="./search {query} --limit {k}",
        read=split_command,
        needs_query=lambda settings: settings.get("keep_alive") is not True,
        relocate=relocate_folder,
    ),
)
