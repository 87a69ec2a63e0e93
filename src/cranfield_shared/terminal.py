"""What the command lines of both packages share: the application, bars, colour, closed pipes."""

from __future__ import annotations

import io
import os
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TextIO

    import typer
    from _typeshed import ReadableBuffer
    from typer.core import TyperCommand, TyperGroup

__all__ = [
    "CLEAR_LINE",
    "add_completion",
    "discard_output",
    "draw_bar",
    "has_colour",
    "make_app",
    "outlast_closed_errors",
    "paint",
    "refuse_repeated_options",
]

CLEAR_LINE = "\r\x1b[K"
"""Returns to the start of a line of the terminal, and clears it."""

_BAR_WIDTH = 24
_COLOURS = {"green": 32, "red": 31, "yellow": 33}


def make_app(
    name: str, summary: str, version: str, group: type[TyperGroup] | None = None
) -> typer.Typer:
    """Make an application without commands, with the option `--version`.

    `group` is the class that finds its commands, if they are not added one by one.
    """
    import typer
    from typer.core import TyperGroup

    app = typer.Typer(
        name=name,
        cls=group or TyperGroup,
        help=summary,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    def print_version(wanted: bool) -> None:  # noqa: FBT001 - typer passes the flag
        if wanted:
            typer.echo(f"{name} {version}")
            raise typer.Exit

    show = typer.Option(
        False, "--version", help="Print the version and exit.", callback=print_version
    )

    @app.callback()
    def hold_options(version: bool = show) -> None:  # noqa: FBT001 - read by typer
        """Hold the options that come before a subcommand."""

    return app


def has_colour(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal that shows colour, and the user wants it.

    `NO_COLOR` with any value turns colour off (https://no-color.org).
    """
    import os

    if stream is None or not stream.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str) -> str:
    """Colour a text of one line for a terminal."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def draw_bar(done: int, total: int) -> str:
    """Draw a progress bar."""
    filled = _BAR_WIDTH * done // total
    return "█" * filled + "·" * (_BAR_WIDTH - filled)


def discard_output() -> None:
    """Send the rest of standard output nowhere: Python flushes at exit, which must not fail."""
    import sys

    _send_nowhere(sys.stdout.fileno())


def outlast_closed_errors() -> None:
    """Let a command go on to its own exit code if nobody reads its standard error any more.

    What is written after that (`2>&1 | head`), or if there is none from the start (`2>&-`), goes
    nowhere.
    """
    import os
    import sys

    errors: TextIO | None = sys.stderr
    is_own = errors is sys.__stderr__
    if errors is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"), "utf-8")
    elif is_own:
        sys.stderr = io.TextIOWrapper(
            _Outlasting(errors.fileno(), "w", closefd=False),
            encoding=errors.encoding,
            errors=errors.errors,
            line_buffering=True,
            write_through=True,
        )


class _Outlasting(io.FileIO):
    """A file that takes what is written to it, whether or not anybody reads it."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            _send_nowhere(self.fileno())
            return memoryview(data).nbytes


def _send_nowhere(descriptor: int) -> None:
    import os

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


_HELP = """Print a script that lets a shell complete commands, options and names.

\b
bash: echo 'eval "$({name} completion bash)"' >> ~/.bashrc
zsh:  echo 'eval "$({name} completion zsh)"' >> ~/.zshrc   # below compinit
fish: {name} completion fish > ~/.config/fish/completions/{name}.fish
"""


class Shell(StrEnum):
    """A shell that is supported."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def add_completion(app: typer.Typer, name: str) -> None:
    """Add the command `completion`, and answer a shell that asks for completions."""
    variable = f"_{name.upper()}_COMPLETE"
    if os.environ.get(variable):
        from typer.completion import completion_init  # type: ignore[attr-defined] # no __all__

        completion_init()

    @app.command(no_args_is_help=True, help=_HELP.format(name=name))
    def completion(shell: Shell) -> None:
        import typer
        from typer.completion import get_completion_script  # type: ignore[attr-defined] # no __all__

        script = get_completion_script(prog_name=name, complete_var=variable, shell=shell)
        typer.echo(script)


def refuse_repeated_options(app: typer.Typer) -> None:
    """Let every command of an application refuse an option of one value that is given twice.

    Without it the last value would count, and nobody would know of the others.
    """
    from typer.core import TyperCommand

    class SingleValueCommand(TyperCommand):
        """A command that reads its arguments only if no option of one value is repeated."""

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if not ctx.resilient_parsing:
                _refuse_repeated(self, ctx, args)
            return super().parse_args(ctx, args)

    _use_command_class(app, SingleValueCommand)


def _use_command_class(app: typer.Typer, command_class: type[TyperCommand]) -> None:
    for command in app.registered_commands:
        command.cls = command_class
    for group in app.registered_groups:
        if group.typer_instance is not None:
            _use_command_class(group.typer_instance, command_class)


def _refuse_repeated(command: TyperCommand, ctx: Any, args: list[str]) -> None:
    _, _, given = command.make_parser(ctx).parse_args(list(args))
    names = Counter(max(each.opts, key=len) for each in given if _takes_one_value(each))
    for name, times in names.items():
        if times > 1:
            ctx.fail(f"{name} is given {times} times; give it once")


def _takes_one_value(parameter: Any) -> bool:
    if parameter.param_type_name != "option":
        return False
    return not (parameter.multiple or parameter.is_flag or parameter.count)
