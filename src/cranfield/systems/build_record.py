"""The record of builds: what each `prepare` command last read and wrote, beside cranfield.toml.

Names are relative to the project's folder, so that a copied project is up to date.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Build", "read_builds", "write_builds"]

_RECORD = Path(".cranfield") / "prepared.json"


@dataclass(frozen=True, slots=True)
class Build:
    """What a command read, by name with its digest, and the files of the system that it wrote."""

    inputs: dict[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()


def read_builds(folder: Path) -> dict[str, Build]:
    """Read all builds by their commands; if they cannot be read, everything is built again."""
    try:
        return msgspec.json.decode(read_limited(folder / _RECORD), type=dict[str, Build])
    except (OSError, ValueError, RecursionError):
        return {}


def write_builds(folder: Path, builds: Mapping[str, Build]) -> None:
    """Write all builds, whole or not at all."""
    path = folder / _RECORD
    written = msgspec.json.format(msgspec.json.encode(builds).decode(), indent=1)
    try:
        replace_file(path, f"{written}\n")
    except OSError as problem:
        raise SystemUnusableError(f"{path} cannot be written: {problem.strerror}") from None
