"""Completion of commands, options and names in bash, zsh and fish, for both command lines."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

__all__ = ["add_completion"]

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
