"""Options that take one of some words."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

import typer

from cranfield.formats import Detail

__all__ = ["read_choice", "read_level"]

Choice = TypeVar("Choice", bound=StrEnum)


def read_choice(kind: type[Choice], text: str, option: str) -> Choice:
    """Read one of the words of an option."""
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(kind)
        raise typer.BadParameter(f"{option} is one of {known}, not {text!r}") from None


def read_level(text: str) -> Detail:
    """Read how much `--show` asks for; documents alone go beyond `all`."""
    levels = {level.name.lower(): level for level in Detail if level <= Detail.ALL}
    if text not in levels:
        raise typer.BadParameter(f"--show is one of {', '.join(levels)}, not {text!r}")
    return levels[text]
