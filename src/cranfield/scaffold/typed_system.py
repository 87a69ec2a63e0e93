"""A system as typed on the command line of `cranfield init`: its kind and its settings."""

from __future__ import annotations

import os.path
import re
import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.systems import SYSTEMS, SystemSpec, placeholder_names
from cranfield_shared.settings_files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cranfield.systems import SystemKind

__all__ = ["TypedSystem", "add_settings", "list_options", "read_typed", "relocate"]

_NAME = re.compile(r"[\w-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class TypedSystem:
    """A system that is in no cranfield.toml yet; its paths start from the working directory."""

    name: str
    kind: str
    settings: Mapping[str, Any]

    def spec(self, folder: Path) -> SystemSpec:
        """Return the system as if it were configured in a folder; refuse wrong settings."""
        self._check_query()
        spec = SystemSpec(self.name, self.kind, self.settings, folder)
        try:
            spec.read_settings()
        except SystemUnusableError as problem:
            # No query was sent yet: this is a mistake in what was typed.
            raise CranfieldError(str(problem)) from None
        return spec

    def _check_query(self) -> None:
        """Refuse a command or an address without {query}."""
        init = SYSTEMS.get(self.kind).init
        is_missing = "query" not in placeholder_names(dict(self.settings))
        if init is not None and init.needs_query(self.settings) and is_missing:
            raise CranfieldError(
                f"{{query}} is missing; put it where the query belongs, as in {init.example}"
            )


def list_options() -> dict[str, SystemKind]:
    """Return the kinds of systems that can be typed, by the option that takes them."""
    kinds = [SYSTEMS.get(name) for name in SYSTEMS.names()]
    return {kind.init.option: kind for kind in kinds if kind.init is not None}


def read_typed(name: str, option: str, text: str) -> TypedSystem:
    """Make a system of what was typed for an option."""
    if not _NAME.fullmatch(name):
        raise CranfieldError(
            f"the name {name!r} cannot stand in [systems.NAME]; use letters, digits, - and _"
        )
    kind = list_options()[option]
    if kind.init is None:
        raise CranfieldError(f"{option} takes no system")
    return TypedSystem(name, kind.name, {kind.init.setting: kind.init.read(text.strip())})


def add_settings(system: TypedSystem, written: Sequence[str]) -> TypedSystem:
    """Add settings written as `NAME=VALUE`; a value that is not TOML is a text."""
    settings = dict(system.settings)
    for line in written:
        settings = _merge(settings, _read_setting(line))
    return replace(system, settings=settings)


def _read_setting(line: str) -> dict[str, Any]:
    try:
        return parse_toml(line)
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
    """Merge settings, table by table; added ones win."""
    both = {
        name: _merge(settings[name], value)
        for name, value in added.items()
        if isinstance(value, dict) and isinstance(settings.get(name), dict)
    }
    return {**settings, **added, **both}


def relocate(system: TypedSystem, start: Path, folder: Path) -> TypedSystem:
    """Return a system typed in `start` as it is written to the cranfield.toml of `folder`."""
    way = os.path.relpath(start.resolve(), folder.resolve())
    init = SYSTEMS.get(system.kind).init
    if way == "." or init is None or init.relocate is None:
        return system
    return replace(system, settings=init.relocate(system.settings, start, way))
