"""Options that take one value and are given several times."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typer
    from typer.core import TyperCommand

__all__ = ["refuse_repeated_options"]


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
