"""The files of a new project: cranfield.toml with the system, and a suite to begin with."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.systems import CONFIG_NAME, SYSTEMS, InitOption

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cranfield.scaffold.typed_system import TypedSystem

__all__ = [
    "SUITE_NAME",
    "Expected",
    "other_name",
    "refuse_existing",
    "render_config",
    "render_suite",
    "render_value",
    "write_project",
]

SUITE_NAME = "queries.toml"
_LONGEST_ID = 40
_BARE_KEY = re.compile(r"[\w-]+", re.ASCII)
_NO_ID = "write-the-id-of-the-right-hit"


@dataclass(frozen=True, slots=True)
class Expected:
    """The hit that a query should find: confirmed by a person, proposed by us, or unknown ("")."""

    id: str = ""
    confirmed: bool = False


def other_name(name: str) -> str:
    """Return a name for the second build of a system."""
    return "new" if name != "new" else "newer"


def render_config(system: TypedSystem) -> str:
    """Render cranfield.toml: the system, and a second build to compare as comments."""
    table = f"kind = {render_value(system.kind)}\n" + "".join(
        f"{_render_key(name)} = {render_value(value)}\n" for name, value in system.settings.items()
    )
    other = other_name(system.name)
    second = "".join(f"# {line}\n" for line in [f"[systems.{other}]", *table.splitlines()])
    init = SYSTEMS.get(system.kind).init or InitOption("", "", "")
    return (
        f"# How queries are sent. {init.filled}\n"
        f'suites = ["{SUITE_NAME}"]\n\n'
        f"[systems.{system.name}]\n{table}\n"
        "# A second build. Uncomment it, say how it is reached, then:\n"
        f"# cranfield compare {system.name} {other}\n"
        f"{second}"
    )


def render_suite(text: str, expected: Expected) -> str:
    """Render a suite of one query; an expectation that nobody has confirmed is marked."""
    return (
        "# Queries that have one right answer each, and which it is.\n"
        'id = "queries"\nclass = "canonical"\n\n'
        f"{_remark(expected)}"
        f"[[query]]\nid = {render_value(_make_id(text))}\ntext = {render_value(text)}\n"
        f"expect.ids = [{render_value(expected.id or _NO_ID)}]\n\n"
        "# The next one; if ids may vary, a pattern says what they look like.\n"
        '# [[query]]\n# id = "another"\n# text = "another query"\n'
        "# expect.matches = '/the-right-page$'\n"
    )


def _remark(expected: Expected) -> str:
    if expected.confirmed:
        return ""
    if not expected.id:
        return "# TO DO: nobody has said yet which hit is right.\n"
    return (
        "# TO DO: confirm. This is only what the search gave first; if something else is right,\n"
        "# write its id, or the query says nothing about the search.\n"
    )


def _make_id(text: str) -> str:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return "-".join(words)[:_LONGEST_ID].strip("-") or "first"


def refuse_existing(folder: Path) -> None:
    """Refuse a folder that already has one of the files, and a file as a folder."""
    if folder.exists() and not folder.is_dir():
        raise CranfieldError(f"{folder} is a file; name a folder with --to")
    for name in (CONFIG_NAME, SUITE_NAME):
        path = folder / name
        if path.exists() or path.is_symlink():
            advice = "add a table [systems.NAME] to it" if name == CONFIG_NAME else "move it away"
            raise CranfieldError(
                f"{path} already exists, and nothing was written; {advice}, or name another "
                "folder with --to"
            )


def write_project(folder: Path, texts: Mapping[str, str]) -> None:
    """Write new files by name, all or none; an existing file is never overwritten."""
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with (folder / name).open("x", encoding="utf-8") as opened:
                written.append(folder / name)
                opened.write(text)
    except (OSError, UnicodeEncodeError) as problem:
        for path in written:
            path.unlink(missing_ok=True)
        reason = getattr(problem, "strerror", None) or problem
        raise CranfieldError(f"{folder} cannot be written into: {reason}") from None


def _render_key(name: str) -> str:
    """Render a TOML key, quoted only if it must be."""
    return name if _BARE_KEY.fullmatch(name) else _quote(name)


def render_value(value: Any) -> str:
    """Render a TOML value on one line; a text with backslashes as a literal string.

    A text of several lines is rendered as such.
    """
    if isinstance(value, str):
        if "\n" in value.strip() and "'''" not in value and _is_printable(value):
            return f"'''\n{value}'''"
        is_plain = "\\" in value and "'" not in value and value.isprintable()
        return f"'{value}'" if is_plain else _quote(value)
    if isinstance(value, dict):
        inside = ", ".join(
            f"{_render_key(name)} = {render_value(it)}" for name, it in value.items()
        )
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(render_value, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_printable(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


def _quote(text: str) -> str:
    """Render a basic string, which is a JSON string except for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
