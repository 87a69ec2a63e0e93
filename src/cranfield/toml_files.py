"""TOML that people write: what cannot be read or parsed is an InputError with its line."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield_shared.settings_files import parse_toml, read_settings

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["parse_toml_text", "read_toml_text"]

_PLACE = re.compile(r" ?\(at (?:line (?P<line>\d+), column \d+|(?P<end>end of document))\)")


def read_toml_text(path: Path) -> str:
    """Read a file in UTF-8; raises InputError if it cannot be read, or is too large."""
    try:
        return read_settings(path)
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=str(path)) from None
    except UnicodeDecodeError as problem:
        line = problem.object[: problem.start].count(b"\n") + 1
        raise InputError("is not UTF-8; convert it", file=str(path), line=line) from None


def parse_toml_text(text: str, path: Path) -> dict[str, Any]:
    """Parse the text of a file; raises InputError with the line of a mistake of syntax."""
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as problem:
        place = _PLACE.search(str(problem))
        line = None
        if place:
            line = int(place["line"]) if place["line"] else text.rstrip("\n").count("\n") + 1
        message = _PLACE.sub("", str(problem))
        raise InputError(f"is not TOML: {message}", file=str(path), line=line) from None
