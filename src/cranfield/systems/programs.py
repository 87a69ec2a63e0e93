"""The program behind a system: its command line, its environment, its own configuration."""

from __future__ import annotations

import os
import shlex
import shutil
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.systems.json_paths import JsonPath
from cranfield_shared.settings_files import parse_toml, read_limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cranfield.systems.system import SystemContext

__all__ = [
    "ConfigCheck",
    "check_program",
    "find_files",
    "process_environment",
    "relocate_folder",
    "split_command",
]

_SHELL_OPERATORS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"})


def process_environment(added: Mapping[str, str], context: SystemContext) -> dict[str, str]:
    """Return the environment of a process: ours, with the given variables added."""
    given = {name: context.variables.fill(value, f"env.{name}") for name, value in added.items()}
    return {**context.environment, **given}


def check_program(program: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Check that a program can be started in its folder."""
    if not folder.is_dir():
        raise SystemUnusableError(f"its folder {folder} does not exist; create it, or fix folder")
    # A name without a slash is looked up on PATH; others start from the folder.
    if "/" in program:
        program = str(folder.absolute() / program)
    if shutil.which(program, path=environment.get("PATH", os.defpath)) is None:
        raise SystemUnusableError(
            f"the program {program} does not exist or cannot be executed; build it, or fix run"
        )


def find_files(arguments: Iterable[str], folder: Path) -> list[Path]:
    """Return the program and those arguments of a command that are files, such as a script."""
    found = (folder / each for each in arguments if "{" not in each)
    return [path for path in found if path.is_file()]


def split_command(text: str) -> list[str]:
    """Split a command line into its arguments as a shell does; shell operators are refused."""
    try:
        arguments = shlex.split(text)
    except ValueError as problem:
        raise CranfieldError(f"the command {text!r} cannot be split: {problem}") from None
    for argument in arguments:
        if argument in _SHELL_OPERATORS:
            raise CranfieldError(
                f"the command has {argument!r}, but is started without a shell; put it into a "
                "script, and give that"
            )
    return arguments


def relocate_folder(settings: Mapping[str, Any], start: Path, way: str) -> dict[str, Any]:  # noqa: ARG001 - the folder is relative to `way`
    """Make a command written down elsewhere run in the folder where it was typed."""
    folder = os.path.normpath(os.path.join(way, settings.get("folder", ".")))  # noqa: PTH118 - pathlib cannot shorten a/..
    return {**settings, "folder": folder}


class ConfigCheck(msgspec.Struct, forbid_unknown_fields=True):
    """A value that the program's own JSON or TOML configuration must hold.

    `key` is a path, such as `index.path`. Searching the wrong index is worse than not searching.
    """

    file: str
    key: str
    equals: Any

    def __post_init__(self) -> None:
        JsonPath(self.key)

    def check(self, folder: Path) -> None:
        """Raise SystemUnusableError unless the file holds the value."""
        path = folder / self.file
        found = JsonPath(self.key).all(_read(path))
        if not found:
            raise SystemUnusableError(
                f"its configuration {path} has no {self.key}, expected {self.equals!r}; "
                "fix the file, or the key in config"
            )
        if found[0] != self.equals:
            raise SystemUnusableError(
                f"its configuration {path} says {self.key} = {found[0]!r}, expected "
                f"{self.equals!r}; it would search something else"
            )


def _read(path: Path) -> Any:
    try:
        content = read_limited(path)
    except OSError as problem:
        raise SystemUnusableError(
            f"its configuration {path} cannot be read: {problem.strerror}; fix config.file"
        ) from None
    is_toml = path.suffix == ".toml"
    try:
        return parse_toml(content.decode()) if is_toml else msgspec.json.decode(content)
    except (ValueError, RecursionError) as problem:
        language = "TOML" if is_toml else "JSON"
        raise SystemUnusableError(
            f"its configuration {path} is not {language}: {problem}"
        ) from None
