"""Modes: named ways to run a project, written in its file, such as `--mode both`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import CranfieldError, InputError, UnknownNameError

if TYPE_CHECKING:
    from cranfield.projects.project import Project

__all__ = ["Mode", "find_mode"]


@dataclass(frozen=True, slots=True)
class Mode:
    """What a mode runs and shows.

    With several `systems`, the first is compared with the last, in a `format` for comparisons.
    `reports` are further files by format, about the last system; `{suite}` in a name makes one
    file for each suite. With `gate`, the thresholds of the last system decide the exit code.
    """

    systems: tuple[str, ...]
    format: str = "text"
    reports: dict[str, str] = field(default_factory=dict)
    gate: bool = True


def find_mode(project: Project, name: str) -> Mode:
    """Read a mode of the project."""
    if project.file is None:
        raise CranfieldError(
            f"there is no mode {name!r}: no cranfield.toml was found; modes are written there"
        )
    table = project.read_table("modes")
    _refuse_unknown(table, project)
    try:
        modes = msgspec.convert(table, dict[str, Mode])
    except msgspec.ValidationError as problem:
        raise InputError(f"[modes] {problem}", file=str(project.file)) from None
    if name not in modes:
        raise UnknownNameError("mode of the project", name, modes)
    if not modes[name].systems:
        raise InputError(f"[modes.{name}] has no systems", file=str(project.file))
    return modes[name]


def _refuse_unknown(modes: object, project: Project) -> None:
    known = [each.name for each in fields(Mode)]
    for name, table in modes.items() if isinstance(modes, dict) else ():
        for key in table if isinstance(table, dict) else ():
            if key not in known:
                problem = UnknownNameError(f"setting of [modes.{name}]", key, known)
                raise InputError(str(problem), file=str(project.file))
