"""What a person types to say how a system is asked, as its kind and its settings."""

from __future__ import annotations

import os.path
import re
import shlex
import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.systems.system import SystemSpec
from cranfield.systems.templates import place_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

__all__ = ["ENTRIES", "TypedSystem", "add_settings", "read_entry", "relocate"]

_SHELL_SIGNS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"})
_NAME = re.compile(r"[\w-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class TypedSystem:
    """A system that is not written down yet; its paths start from where it was typed."""

    name: str
    kind: str
    settings: Mapping[str, Any]

    def spec(self, folder: Path) -> SystemSpec:
        """Return it as if it were written in a folder; what cannot be understood is refused."""
        self._check_place()
        spec = SystemSpec(self.name, self.kind, self.settings, folder)
        try:
            spec.read_settings()
        except SystemUnusableError as problem:
            # Nothing was asked yet: this is a mistake in what was typed.
            raise CranfieldError(str(problem)) from None
        return spec

    def _check_place(self) -> None:
        """Refuse a command or an address that has no place for the query."""
        entry = next(each for each in ENTRIES.values() if each.kind == self.kind)
        kept = self.settings.get("keep_alive") is True
        if entry.example and not kept and "query" not in place_names(dict(self.settings)):
            raise CranfieldError(
                f"{{query}} is missing; put it where the query belongs, as in {entry.example}"
            )


@dataclass(frozen=True, slots=True)
class Entry:
    """A form in which systems are typed: the kind it means, and the setting it becomes.

    The example is there for forms that need a place for the query.
    """

    kind: str
    setting: str
    read: Callable[[str], Any]
    example: str = ""
    runs_in_folder: bool = False


def _split(text: str) -> list[str]:
    """Split a command into its arguments as a shell does; a shell's signs are refused."""
    try:
        arguments = shlex.split(text)
    except ValueError as problem:
        raise CranfieldError(f"the command {text!r} cannot be split: {problem}") from None
    for sign in arguments:
        if sign in _SHELL_SIGNS:
            raise CranfieldError(
                f"the command has {sign!r}, but is started without a shell; put it into a script, "
                "and give that"
            )
    return arguments


ENTRIES: Mapping[str, Entry] = {
    "--command": Entry(
        "command", "run", _split, "./search {query} --limit {k}", runs_in_folder=True
    ),
    "--url": Entry("http", "url", str, "http://localhost:8080/search?q={query}&limit={k}"),
    "--python": Entry("python", "call", str),
    "--mcp": Entry("mcp", "run", _split, runs_in_folder=True),
}
"""How a system can be typed, by the option that takes it."""


def read_entry(name: str, option: str, text: str) -> TypedSystem:
    """Make a system of what was typed for an option."""
    if not _NAME.fullmatch(name):
        raise CranfieldError(
            f"the name {name!r} cannot stand in [systems.NAME]; use letters, digits, - and _"
        )
    entry = ENTRIES[option]
    return TypedSystem(name, entry.kind, {entry.setting: entry.read(text.strip())})


def add_settings(system: TypedSystem, written: Sequence[str]) -> TypedSystem:
    """Add settings that are written `NAME=VALUE`; a value that is not TOML is a text."""
    settings = dict(system.settings)
    for line in written:
        settings = _merge(settings, _read_setting(line))
    return replace(system, settings=settings)


def _read_setting(line: str) -> dict[str, Any]:
    try:
        return tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        name, sign, text = line.partition("=")
        if not sign or not name.strip():
            raise CranfieldError(
                f"--set {line!r} is no setting; write NAME=VALUE, such as --set timeout=60"
            ) from None
        *tables, last = name.strip().split(".")
        setting: dict[str, Any] = {last: text.strip()}
        for table in reversed(tables):
            setting = {table: setting}
        return setting


def _merge(settings: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Lay settings over others, table by table."""
    both = {
        name: _merge(settings[name], value)
        for name, value in added.items()
        if isinstance(value, dict) and isinstance(settings.get(name), dict)
    }
    return {**settings, **added, **both}


def relocate(system: TypedSystem, start: Path, folder: Path) -> TypedSystem:
    """Return a system typed in `start` as it is written down in `folder`.

    A command goes on running where it was typed, and a callable stays where it is.
    """
    way = os.path.relpath(start.resolve(), folder.resolve())
    if way == ".":
        return system
    settings = dict(system.settings)
    if any(entry.kind == system.kind and entry.runs_in_folder for entry in ENTRIES.values()):
        settings["folder"] = os.path.normpath(os.path.join(way, settings.get("folder", ".")))  # noqa: PTH118 - pathlib cannot shorten a/..
    if system.kind == "python":
        settings["call"] = _relocate_call(settings["call"], start, way)
    return replace(system, settings=settings)


def _relocate_call(call: str, start: Path, way: str) -> str:
    module, _, name = call.rpartition(":")
    file = module if module.endswith(".py") else module.replace(".", "/") + ".py"
    if os.path.isabs(file) or not (start / file).is_file():  # noqa: PTH117 - a text, not a path yet
        return call
    return f"{os.path.normpath(os.path.join(way, file))}:{name}"  # noqa: PTH118 - likewise
