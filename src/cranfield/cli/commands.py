"""The commands by name: those of the core, those of slices, and those of other packages.

A command is imported when it is called, so its module may import at its top whatever it needs. The
first help page shows the lines that stand here and in the `slice.py` of each slice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from cranfield.registry import Registry
from cranfield.slices import load_slices
from cranfield_shared.terminal import refuse_repeated_options

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["COMMANDS", "CommandGroup", "list_help_lines"]

COMMANDS: Registry[object] = Registry("command", object, group="cranfield.commands")

_CORE = {
    "run": "Run every query of a suite on a system, and measure the answers.",
    "compare": "Compare arm B with arm A, query by query.",
    "gate": "Judge a build: thresholds, baseline, rules.",
    "report": "Write what is stored as one HTML file, or as a site.",
    "check": "Check suites and tasks: patterns, ids, passages, gates.",
    "baseline": "Accept, show and list baselines.",
    "runs": "List, show, export, import, delete and audit stored runs.",
    "store": "Copy a store to another place.",
    "power": "Estimate what a suite can detect.",
    "measures": "List the measures.",
}
"""The help line of each command; all of them stand in a module of their name."""
_ORDER = (
    "init", "run", "compare", "gate", "report", "serve", "check", "baseline", "runs", "store",
    "power", "measures", "sweep", "judge", "agent", "suggest", "score",
)  # fmt: skip
"""The order of the first help page, as people come to need them; others follow these."""
for _name in _CORE:
    COMMANDS.register_reference(_name, f"cranfield.cli.{_name}:{_name}")


def list_help_lines() -> Mapping[str, str]:
    """Return the help line of every command, in the order of the first help page."""
    lines = dict(_CORE)
    for each in load_slices().values():
        lines.update(each.commands)
    ordered = [*(name for name in _ORDER if name in lines), *lines]
    return {name: lines[name] for name in ordered}


class CommandGroup(TyperGroup):
    """The commands of the registry, each built when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names on the first help page; a plug-in's command is found by its name."""
        return [*list_help_lines(), *super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Build the command of a name; None if there is none."""
        known = super().get_command(ctx, cmd_name)
        if known is None and (cmd_name in COMMANDS or cmd_name in COMMANDS.names()):
            known = _build(cmd_name)
            self.add_command(known, cmd_name)
        return known

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names with their help lines, without loading a command for it."""
        lines = dict(list_help_lines())
        for name in super().list_commands(ctx):
            command = super().get_command(ctx, name)
            lines.setdefault(name, command.get_short_help_str() if command else "")
        with formatter.section("Commands"):
            formatter.write_dl(list(lines.items()))


def _build(name: str) -> Any:
    """Make typer's command of a function or a group of functions.

    One that cannot do without arguments shows its help page if there are none.
    """
    thing: Any = COMMANDS.get(name)
    holder = typer.Typer(rich_markup_mode=None)
    if isinstance(thing, typer.Typer):
        holder.add_typer(thing, name=name)
    else:
        holder.command(name)(thing)
    refuse_repeated_options(holder)
    built = typer.main.get_group(holder).commands[name]
    is_group = isinstance(thing, typer.Typer)
    built.no_args_is_help = built.no_args_is_help or (
        not is_group
        and any(each.param_type_name == "argument" and each.required for each in built.params)
    )
    return built
