"""The group of commands `cranfield judge`; without a sub-command's name it is about the pool."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from cranfield.cli.judge.calibrate import calibrate
from cranfield.cli.judge.clicks import clicks
from cranfield.cli.judge.files import export, import_file
from cranfield.cli.judge.model import model
from cranfield.cli.judge.pool import pool
from cranfield.cli.judge.progress import progress

__all__ = ["judge"]

_DEFAULT = "pool"


class _PoolGroup(TyperGroup):
    """Takes what is no sub-command, nor a wish for help, for runs and options of `judge pool`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else [_DEFAULT, *args])


judge = typer.Typer(
    cls=_PoolGroup,
    help="Judge the hits of stored runs: what is in the pool, who judges it, how far it is.\n\n"
    "`cranfield judge RUN …` is short for `cranfield judge pool RUN …`.",
)
judge.command(_DEFAULT)(pool)
judge.command()(progress)
judge.command(no_args_is_help=True)(export)
judge.command("import", no_args_is_help=True)(import_file)
judge.command(no_args_is_help=True)(clicks)
judge.command()(model)
judge.command()(calibrate)
