"""Bulk files of JSON lines, in parts that a server takes at once, and the file that asks it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield_shared.toml_values import render_key, render_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["write_json", "write_parts", "write_system"]

_LARGEST_PART = 10_000_000
"""In bytes. Servers take a hundred million at most by default, and answer sooner to less."""


def write_parts(folder: Path, ending: str, entries: Iterable[Sequence[Mapping[str, Any]]]) -> None:
    """Write entries, of one or more lines each, as `documents-0001` and so on."""
    part = size = 0
    lines: list[bytes] = []

    def flush() -> None:
        (folder / f"documents-{part:04}.{ending}").write_bytes(b"".join(lines))

    for entry in entries:
        added = b"".join(msgspec.json.encode(line) + b"\n" for line in entry)
        if not part or size + len(added) > _LARGEST_PART:
            if part:
                flush()
            part, size, lines = part + 1, 0, []
        lines.append(added)
        size += len(added)
    if part:
        flush()


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file that people can read."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_system(folder: Path, settings: Mapping[str, Any], remarks: Iterable[str] = ()) -> None:
    """Write a `cranfield.toml` with the system that asks the server; remarks are comments."""
    lines = [f"# {remark}" for remark in remarks]
    lines += ["[systems.exported]"]
    lines += [f"{render_key(name)} = {render_value(value)}" for name, value in settings.items()]
    (folder / "cranfield.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
