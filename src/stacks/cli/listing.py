"""`stacks list`: what an index holds, and what can be saved."""

from __future__ import annotations

from typing import Annotated

import typer

from stacks.cli.options import DbOption, FormatOption, default_folder
from stacks.cli.output import choose_format, write, write_json
from stacks.query import FrameworkEntry, SourceEntry, open_index

__all__ = ["list_contents"]

Entries = list[SourceEntry] | list[FrameworkEntry]


def list_contents(
    frameworks: Annotated[
        bool, typer.Option("--frameworks", help="List frameworks and modules.")
    ] = False,
    kinds: Annotated[
        bool, typer.Option("--kinds", help="List the kinds of source that save reads.")
    ] = False,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """List the sources of an index, its frameworks, or the kinds of source there are."""
    if kinds:
        write(_describe_kinds())
        return
    render = choose_format(_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        write(render(index.frameworks() if frameworks else index.sources()))


def _describe_kinds() -> str:
    from stacks.sources import SOURCES, load_plugins

    load_plugins()
    lines = []
    for name, kind in sorted(SOURCES.items()):
        lines.append(f"{name:16} {kind.description}")
        lines.append(f"{'':16} stacks save --from {kind.example}")
    return "\n".join(lines)


def _as_text(entries: Entries) -> str:
    if not entries:
        return "the index is empty"
    lines = []
    for entry in entries:
        if isinstance(entry, SourceEntry):
            lines.append(f"{entry.documents:>9,}  {entry.name}  (weight {entry.weight:g})")
        else:
            also = f"  also: {entry.synonyms}" if entry.synonyms else ""
            lines.append(f"{entry.documents:>9,}  {entry.slug}  {entry.display_name}{also}")
    return "\n".join(lines)


_FORMATS = {
    "text": _as_text,
    "json": lambda entries: write_json([entry._asdict() for entry in entries]),
    "markdown": lambda entries: "\n".join(
        f"- {line.strip()}" for line in _as_text(entries).split("\n")
    ),
}
