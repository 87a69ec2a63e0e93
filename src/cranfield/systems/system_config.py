"""The configured systems: the `[systems.NAME]` tables of `cranfield.toml`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.shapes import parse_toml_text, read_toml_text
from cranfield.systems.system import SYSTEMS, SystemSpec
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["CONFIG_NAME", "find_config", "get_system", "list_searched_folders", "load_systems"]

CONFIG_NAME = "cranfield.toml"


def find_config(start: Path, below: str = ".") -> Path | None:
    """Return the nearest cranfield.toml, in a folder or in one above it, up to a repository's root.

    `below` is where it is looked for in each of them. The commands of the file would be run, so one
    above the folder that belongs to somebody else is an error.
    """
    for folder in list_searched_folders(start):
        file = folder / below / CONFIG_NAME
        if file.is_file():
            _refuse_foreign(file, start)
            return file
    return None


def list_searched_folders(start: Path) -> list[Path]:
    """List a folder and those above it, the nearest first; the root of a repository is the last."""
    folder = start.resolve()
    folders = []
    for each in (folder, *folder.parents):
        folders.append(each)
        if (each / ".git").exists():
            break
    return folders


def _refuse_foreign(file: Path, start: Path) -> None:
    """Refuse a file above a folder that is neither the folder's owner's, yours nor root's."""
    owner = file.stat().st_uid
    if file.is_relative_to(start.resolve()) or owner in (0, os.geteuid(), start.stat().st_uid):
        return
    raise CranfieldError(
        f"{file} was found above the working directory and belongs to another user (id {owner}); "
        f"the commands that it names would be run as you. If you trust it: --config {file}"
    )


def load_systems(path: str | Path) -> dict[str, SystemSpec]:
    """Read all systems of a file, by name; paths in them start from the file's folder.

    Unknown settings of all systems are reported at once. Values are checked when a system is
    opened, so a wrong one does not affect the others.
    """
    path = Path(path)
    text = read_toml_text(path)
    systems = parse_toml_text(text, path).get("systems", {})
    if not isinstance(systems, dict):
        raise InputError(
            "systems is not a table; write [systems.NAME] for each system", file=str(path)
        )
    specs = {name: _spec(name, systems, path, text) for name in systems}
    _refuse_unknown(specs.values())
    return specs


def get_system(systems: Mapping[str, SystemSpec], name: str) -> SystemSpec:
    """Return a system by its name; an unknown name suggests near ones."""
    if name in systems:
        return systems[name]
    if not systems:
        raise CranfieldError(
            f"unknown system {name!r}: none is defined; write [systems.{name}] in {CONFIG_NAME}"
        )
    files = sorted({spec.file for spec in systems.values() if spec.file})
    where = f" in {', '.join(files)}" if files else ""
    number = f"{len(systems)} {'system is' if len(systems) == 1 else 'systems are'} defined{where}"
    near = near_names(name, systems)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(sorted(systems))}"
    raise CranfieldError(f"unknown system {name!r}: {hint} ({number})")


def _inherit(
    written: dict[str, Any], systems: dict[str, Any], error: Callable[[str], InputError]
) -> dict[str, Any]:
    """Add the settings of the system that this one is `like`."""
    settings: dict[str, Any] = {}
    seen: list[str] = []
    while True:
        settings = {**written, **settings}
        model = settings.pop("like", None)
        if model is None:
            return settings
        if model in seen or not isinstance(systems.get(str(model)), dict):
            reason = "that is circular" if model in seen else "there is no such system"
            raise error(f"is like {model!r}: {reason}")
        seen.append(model)
        written = systems[model]


def _spec(name: str, systems: dict[str, Any], path: Path, text: str) -> SystemSpec:
    written = systems[name]
    line = _line_of(name, text)

    def error(message: str) -> InputError:
        return InputError(f"[systems.{name}] {message}", file=str(path), line=line)

    if not isinstance(written, dict):
        raise error(f"is {written!r}, not a table; write [systems.{name}] and its settings below")
    settings = _inherit(written, systems, error)
    kind = settings.pop("kind", None)
    if not isinstance(kind, str):
        kinds = ", ".join(SYSTEMS.names())
        given = "has no kind" if kind is None else f"has kind = {kind!r}"
        raise error(f"{given}; write kind = and one of: {kinds}")
    try:
        SYSTEMS.get(kind)
    except UnknownNameError as problem:
        raise error(str(problem)) from None
    return SystemSpec(name, kind, settings, path.parent, str(path), line)


def _refuse_unknown(specs: Iterable[SystemSpec]) -> None:
    """Refuse settings that no kind has, all of them at once."""
    mistakes = [
        (spec, f"[systems.{spec.name}] {mistake}")
        for spec in specs
        for mistake in SYSTEMS.get(spec.kind).find_mistakes(spec.settings)
    ]
    if mistakes:
        (first, message), *others = mistakes
        more = [str(InputError(text, file=spec.file, line=spec.line)) for spec, text in others]
        raise InputError("\n".join([message, *more]), file=first.file, line=first.line)


def _line_of(name: str, text: str) -> int | None:
    """Return the line where a system begins; None if it is written in an unusual way."""
    part = rf"[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*"
    header = rf"^[ \t]*\[+[ \t]*systems[ \t]*\.{part}[\].]"
    dotted = rf"^[ \t]*systems[ \t]*\.{part}[=.]"
    inside = rf"^[ \t]*\[systems\](?:(?!^[ \t]*\[).)*?^{part}[=.]"
    for pattern in (header, dotted, inside):
        if found := re.search(pattern, text, re.M | re.S):
            return text.count("\n", 0, found.end()) + 1
    return None
