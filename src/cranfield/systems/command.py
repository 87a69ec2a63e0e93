"""Systems that are commands: one process a query, or one that stays and speaks JSON lines."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.model import Response, Status
from cranfield.systems.config_checks import ConfigCheck  # noqa: TC001 - msgspec reads it
from cranfield.systems.extraction import Extraction, ReadingSettings, keep_raw
from cranfield.systems.kept import FailedExchangeError, KeptProcesses
from cranfield.systems.lines import LineProcess, LineProcessError
from cranfield.systems.processes import Ending, Finished, RunningProcesses, describe_code
from cranfield.systems.system import SYSTEMS, Surroundings, System, SystemKind
from cranfield.systems.templates import check_places, fill, may_be_missing, place_names, places
from cranfield.systems.variables import SECRET_NAME, Variables, refuse_literals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cranfield.model import Query

__all__ = ["check_program", "process_environment"]


class CommandSettings(ReadingSettings, kw_only=True):
    """How a command is run. `env` adds to the environment; `folder` is where it runs.

    An element of `run` that is itself a list is left out as a whole where the query does not have
    what it needs: `["--language", "{language}"]`. With `keep_alive` the process is started once
    for each worker and gets one JSON object a line (`id`, `query`, `k`, `language`, `filters`);
    it answers each with one line. An answer that repeats the `id` is checked to be of this query.
    """

    run: list[str | list[str]]
    folder: str = "."
    env: dict[str, str] = msgspec.field(default_factory=dict)
    config: ConfigCheck | None = None
    keep_alive: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_literals("env", self.env, SECRET_NAME)
        if not self.run or not isinstance(self.run[0], str) or not self.run[0]:
            raise ValueError("run must begin with the program, then its arguments as a list")
        check_places(self.run, "run")
        named = [name for part in _groups(self.run) for each in part for name in place_names(each)]
        if self.keep_alive and named:
            raise ValueError(
                f"run has {{{named[0]}}}, but with keep_alive the process starts before a query "
                "is known; take it out, the query comes as a line"
            )
        if not self.keep_alive and "query" not in named:
            raise ValueError("run has no {query}; put it where the query belongs")
        for argument in self.run:
            _refuse_missing(argument)

    def found_files(self, folder: Path) -> list[Path]:
        """Return the program and the arguments that are files: a script is what is run."""
        arguments = (each for group in _groups(self.run) for each in group)
        found = (folder / self.folder / each for each in arguments if "{" not in each)
        return [path for path in found if path.is_file()]


class CommandSystem(System):
    """Starts the command for every query."""

    def __init__(self, settings: CommandSettings, surroundings: Surroundings) -> None:
        self._settings = settings
        self._surroundings = surroundings
        self._folder = surroundings.folder / settings.folder
        self._variables = Variables(surroundings.environment)
        self._environment = process_environment(settings.env, surroundings, self._variables)
        self._extraction = Extraction(settings)
        self._running = RunningProcesses()

    def check(self) -> None:
        """Make sure that the program, the folder and the configuration are there."""
        check_program(str(self._settings.run[0]), self._folder, self._environment)
        if self._settings.config is not None:
            self._settings.config.check(self._surroundings.folder)

    def search(self, query: Query, limit: int) -> Response:
        """Run the command for a query."""
        command = fill_command(self._settings.run, places(query, limit))
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
        return self._variables.hide_in(self._response(finished, limit))

    def close(self) -> None:
        """Stop what is running."""
        self._running.stop()

    def _response(self, finished: Finished, limit: int) -> Response:
        if finished.ending is Ending.EXITED and finished.code == 0:
            return self._extraction.from_bytes(finished.output, limit)
        raw = keep_raw(finished.errors, finished.output)
        if finished.ending is Ending.TIMEOUT:
            message = f"no answer within {self._settings.timeout:g} s"
            return Response.failed(Status.TIMEOUT, message, raw=raw)
        if finished.ending is Ending.FLOODED:
            return Response.failed(Status.ERROR, "printed without end and was stopped", raw=raw)
        return Response.failed(Status.ERROR, describe_code(finished.code), raw=raw)


class KeptCommandSystem(CommandSystem):
    """Starts the command once for each worker and speaks lines with it."""

    def __init__(self, settings: CommandSettings, surroundings: Surroundings) -> None:
        super().__init__(settings, surroundings)
        command = [str(argument) for argument in settings.run]
        self._processes = KeptProcesses(
            lambda: LineProcess(command, folder=self._folder, environment=self._environment)
        )

    def search(self, query: Query, limit: int) -> Response:
        """Send the query as one line and read one line."""
        return self._variables.hide_in(self._ask(query, limit))

    def close(self) -> None:
        """End all processes."""
        self._processes.close()

    def _ask(self, query: Query, limit: int) -> Response:
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
            return self._processes.ask(
                lambda process: self._read(self._exchange(process, line, deadline), query, limit)
            )
        except FailedExchangeError as failed:
            return failed.response
        except LineProcessError as problem:
            message = f"the process cannot be asked: {problem}"
            return Response.failed(Status.ERROR, message, raw=problem.errors)
        except (OSError, UnicodeEncodeError) as problem:
            return _not_started(problem)

    def _exchange(self, process: LineProcess, line: bytes, deadline: float) -> bytes:
        """Ask and be answered, one line each."""
        if process.has_more():
            raise _failed(Status.ERROR, "the process said a line that nobody asked for")
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
        """Read an answer; after one that is of no use the process may be out of step."""
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


def fill_command(run: Sequence[str | list[str]], values: Mapping[str, Any]) -> list[str]:
    """Fill the arguments of a command; a group that needs what is missing is left out whole."""
    command: list[str] = []
    for group in _groups(run):
        filled = [text for each in group if (text := fill(each, values)) is not None]
        if len(filled) == len(group):
            command.extend(filled)
    return command


def process_environment(
    added: Mapping[str, str], surroundings: Surroundings, variables: Variables
) -> dict[str, str]:
    """Return the environment a process runs in: what we have, and what is added to it."""
    given = {name: variables.fill(value, f"env.{name}") for name, value in added.items()}
    return {**surroundings.environment, **given}


def check_program(program: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Make sure that a program can be started in its folder."""
    if not folder.is_dir():
        raise SystemUnusableError(f"its folder {folder} does not exist; make it, or mend folder")
    # A name without a slash is looked for on the path; others start from the folder.
    if "/" in program:
        program = str(folder / program)
    if shutil.which(program, path=environment.get("PATH", os.defpath)) is None:
        raise SystemUnusableError(
            f"the program {program} does not exist or cannot be executed; build it, or mend run"
        )


def _groups(run: Sequence[str | list[str]]) -> list[list[str]]:
    return [[element] if isinstance(element, str) else element for element in run]


def _refuse_missing(argument: str | list[str]) -> None:
    """Refuse an argument alone that some query may have nothing for; in a group it may be."""
    if isinstance(argument, str):
        for name in filter(may_be_missing, place_names(argument)):
            raise ValueError(
                f"run: not every query has {{{name}}}; make it a list of its own with what goes "
                f'with it, which is left out for the others: ["--option", "{{{name}}}"]'
            )


def _open(settings: CommandSettings, surroundings: Surroundings) -> System:
    kind = KeptCommandSystem if settings.keep_alive else CommandSystem
    return kind(settings, surroundings)


SYSTEMS.register(
    "command",
    SystemKind(
        name="command",
        summary="a program that is run for each query, or kept and asked in JSON lines",
        example='kind = "command"\nrun = ["./search", "{query}", "--limit", "{k}"]\n'
        "pattern = 'https?://\\S+'",
        settings=CommandSettings,
        open=_open,
    ),
)
