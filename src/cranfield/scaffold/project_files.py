"""The files of a new project: cranfield.toml with the system, and a suite to begin with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.systems import CONFIG_NAME, SYSTEMS, InitOption
from cranfield_shared.toml_values import render_key, render_value

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
    "write_project",
]

SUITE_NAME = "queries.toml"
_LONGEST_ID = 40
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
        f"{render_key(name)} = {render_value(value)}\n" for name, value in system.settings.items()
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
