"""What commands write: reports to a file or a pipe that may break, progress to standard error."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cranfield.errors import CranfieldError
from cranfield_shared.files import replace_bytes, replace_file
from cranfield_shared.plain_text import printable, printable_lines
from cranfield_shared.terminal import CLEAR_LINE, discard_output, draw_bar, has_colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cranfield.evaluation.project import Project
    from cranfield.evaluation.sessions import Session
    from cranfield.formats import Format, Report
    from cranfield.model import Query, Response
    from cranfield.runs.store import Store

__all__ = [
    "EXIT_BY_CAUSE",
    "EXIT_FAILED",
    "EXIT_FAULT",
    "EXIT_INTERRUPTED",
    "EXIT_SYSTEM",
    "EXIT_UNANSWERED",
    "EXIT_UNGRADED",
    "EXIT_USAGE",
    "ProgressLines",
    "StepLines",
    "open_session",
    "read_report",
    "repeat_command",
    "report",
    "report_project",
    "run_command",
    "typed_command",
    "write",
    "write_report",
    "write_reports",
    "write_to",
    "write_with_summary",
]

_TEXT_WIDTH = 40
_MOST_MOVES = 1000
_LINES = 20


def read_report(text: str, kind: str) -> tuple[Format, str]:
    """Read what `--report` was given, FORMAT=FILE, for a report of a kind."""
    from cranfield.formats import find_format

    name, _, file = text.partition("=")
    if not file:
        raise CranfieldError(f"--report takes FORMAT=FILE, such as json=report.json; got {text!r}")
    return find_format(name, kind), file


def write_reports(made: Report, files: Iterable[tuple[Format, str]]) -> None:
    """Write a report to each of the files that `--report` named."""
    for written, file in files:
        write_to(file, written.render(made))


def write_report(written: Format, made: Report, file: str | None = None) -> None:
    """Write a report to a file or to standard output, in colour if that is a terminal."""
    in_colour = (file is None or file == "-") and has_colour(sys.stdout)
    write_to(file, written.render(made, in_colour=in_colour))


def write_with_summary(written: Format, made: Report, file: str | None) -> None:
    """Write a report; if it goes to a file, also write a summary to standard output."""
    from cranfield.formats import find_format

    write_report(written, made, file)
    if file is not None and file != "-":
        write_report(find_format(written.on_screen, made.kind), made)


def write(content: str | bytes) -> None:
    """Write to standard output, all of it or with an error.

    A reader that has seen enough (`| head`) is not an error: what follows is written nowhere, and
    the command goes on to its own exit code.
    """
    if sys.stdout is None:
        return
    try:
        if isinstance(content, bytes):
            sys.stdout.buffer.write(content)
        else:
            sys.stdout.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except OSError as problem:
        discard_output()
        raise CranfieldError(f"the output cannot be written: {problem.strerror}") from None


def write_to(file: str | None, content: str | bytes) -> None:
    """Write to a file, whole or not at all, or to standard output without one."""
    if file is None or file == "-":
        write(content)
        return
    try:
        if isinstance(content, bytes):
            replace_bytes(Path(file), content)
        else:
            replace_file(Path(file), content)
    except OSError as problem:
        raise CranfieldError(f"{file!r} cannot be written: {problem.strerror}") from None


def report(text: str) -> None:
    """Write a message to standard error, harmless whatever it quotes."""
    typer.echo(printable_lines(text), err=True)


def report_project(project: Project, config: str | None, *, quiet: bool = False) -> None:
    """Report which project is used, if nobody named it and it is not in the working directory."""
    is_above = config is None and project.folder in Path.cwd().parents
    if is_above and project.file and not quiet:
        report(f"project: {project.file}")


def open_session(
    store: Store, continued_by: Callable[[str], str], *, quiet: bool, executor: str = "local"
) -> Session:
    """Return a session that runs systems in this environment and shows progress here.

    `continued_by` makes the command that continues a run of a system. `quiet` leaves out progress
    and notes, but not how to continue. `executor` says where systems are searched.
    """
    from cranfield.evaluation.sessions import Session
    from cranfield.runs.execution import Silent
    from cranfield.systems import find_opener

    def say_stopped(system: str) -> None:
        command = continued_by(system)
        report(f"\nstopped; all answers so far are stored. Continue with:\n  {command}")

    return Session(
        store,
        dict(os.environ),
        _ignore if quiet else report,
        (lambda _: Silent()) if quiet else ProgressLines,
        say_stopped,
        opens=find_opener(executor),
    )


def _ignore(_: str) -> None:
    """Leave out a note."""


class StepLines:
    """Shows steps whose number is known.

    On a terminal every step moves the bar, or every hundredth part if there are many. Elsewhere,
    for instance in the log of a build, there is a line for every twentieth part.
    """

    def __init__(self, title: str) -> None:
        self._title = printable(title)
        self._on_terminal = sys.stderr.isatty()
        self._shown = 0

    def advance(self, done: int, total: int, text: str, failed: str = "") -> None:
        """Show how many steps are done, if it is time; `failed` counts failures so far."""
        if not self._is_due(done, total):
            return
        self._shown = done
        if self._on_terminal:
            end = "\n" if done == total else ""
            bar = draw_bar(done, total)
            line = f"{CLEAR_LINE}{self._title} {bar} {done}/{total}{failed} {text}{end}"
        else:
            line = f"[{done}/{total}] {text}{failed}\n"
        sys.stderr.write(line)
        sys.stderr.flush()

    def _is_due(self, done: int, total: int) -> bool:
        if done == total:
            return True
        if self._on_terminal:
            return total <= _MOST_MOVES or done % (total // 100) == 0
        return _LINES * done // total > _LINES * self._shown // total


class ProgressLines:
    """Shows stored answers, with the number of queries that were not answered."""

    def __init__(self, title: str) -> None:
        self._lines = StepLines(title)
        self._failed = 0

    def advance(self, done: int, total: int, query: Query, response: Response) -> None:
        """Show one more answer."""
        self._failed += response.status.is_failure
        text = printable(" ".join(query.text.split()))[:_TEXT_WIDTH]
        failed = f", {self._failed} not answered" if self._failed else ""
        self._lines.advance(done, total, text, failed)


EXIT_FAILED = 1
"""A gate or a comparison failed as asked."""
EXIT_USAGE = 2
"""A mistake of the user, explained in one message."""
EXIT_SYSTEM = 3
"""A system could not be run, or answered nothing."""
EXIT_UNANSWERED = 4
"""A comparison or a gate was made, but a system failed to answer some queries."""
EXIT_UNGRADED = 5
"""A comparison or a gate was made, but some answers could not be graded, or too few are judged."""
EXIT_BY_CAUSE = {"quality": EXIT_FAILED, "grading": EXIT_UNGRADED, "failures": EXIT_UNANSWERED}
"""The exit code of a gate that failed, by what failed it."""
EXIT_FAULT = 70
"""A defect of the program itself."""
EXIT_INTERRUPTED = 130


_PASSWORD = re.compile(r"(\w://[^/@\s:]*:)[^/@\s]+@")


def repeat_command(_: str) -> str:
    """Return the command that was typed, with `--resume`."""
    typed = sys.argv[1:]
    if "--resume" not in typed and "--retry-failed" not in typed:
        typed.insert(typed.index("run") + 1 if "run" in typed else 0, "--resume")
    return _join([*_program(), *typed])


def typed_command() -> str:
    """Return the command that was typed, for a command that goes on by itself."""
    return _join([*_program(), *sys.argv[1:]])


def run_command(suites: Sequence[str], options: Mapping[str, Any]) -> Callable[[str], str]:
    """Return what makes the `run` that continues a system: of these suites, with these options.

    An option that is None, empty or False is left out; a list repeats it.
    """

    def continue_system(system: str) -> str:
        words = ["run", "--resume", "--system", system]
        for name, value in options.items():
            if value is True:
                words.append(name)
            elif value is not None and value is not False:
                words += [
                    word
                    for each in (value if isinstance(value, list | tuple) else [value])
                    for word in (name, str(each))
                ]
        return _join([*_program(), *words, *suites])

    return continue_system


def _join(words: Sequence[str]) -> str:
    """Write words for a shell; the password of an address is left for its owner to fill in."""
    return shlex.join(_PASSWORD.sub(r"\1***@", word) for word in words)


def _program() -> list[str]:
    """Return how this program was started, by its name alone if the shell would find it."""
    started = sys.argv[0]
    if Path(started).name == "__main__.py":
        return [sys.executable, "-m", "cranfield"]
    found = shutil.which(Path(started).name)
    is_found = found is not None and Path(found).resolve() == Path(started).resolve()
    return [Path(started).name if is_found else started]
