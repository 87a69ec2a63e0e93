"""The commands of a program, their options, and the cases that try each option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["OptionCase", "list_cases", "list_commands", "list_options"]


class OptionCase(NamedTuple):
    """A command as typed, and one option more."""

    command: str
    base: str
    name: str
    option: str


def list_commands(command: Any, *names: str) -> Iterator[tuple[str, Any]]:
    """Walk all commands, by their names as typed."""
    if not hasattr(command, "list_commands"):
        yield " ".join(names), command
        return
    for name in command.list_commands(None):
        yield from list_commands(command.get_command(None, name), *names, name)


def list_options(command: Any) -> set[str]:
    """Return the options of a command by their long names, but for help."""
    return {
        max(each.opts, key=len)
        for each in command.params
        if each.param_type_name == "option" and each.name != "help"
    }


def list_cases(
    cases: Mapping[str, Sequence[tuple[str, Mapping[str, str]]]],
) -> list[OptionCase]:
    """Return every option that is tried, beside each command as typed without it."""
    return [
        OptionCase(command, base, name, option)
        for command, tried in cases.items()
        for base, options in tried
        for name, option in options.items()
        if option
    ]
