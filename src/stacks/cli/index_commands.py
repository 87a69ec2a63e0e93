"""`stacks list` and `stacks doctor`: what an index holds, and whether it is sound."""

from __future__ import annotations

from typing import Annotated

import typer

from stacks.cli.index_options import DbOption, FormatOption, choose_format, default_folder
from stacks.cli.standard_output import format_json, write
from stacks.query import FrameworkEntry, SampleEntry, SourceEntry, examine, open_index

__all__ = ["doctor", "list_contents"]

_MOST_EVENTS = 20

Entries = list[SourceEntry] | list[FrameworkEntry] | list[SampleEntry]


def list_contents(
    frameworks: Annotated[
        bool, typer.Option("--frameworks", help="List frameworks and modules.")
    ] = False,
    samples: Annotated[bool, typer.Option("--samples", help="List sample projects.")] = False,
    matching: Annotated[
        str, typer.Option(metavar="TEXT", help="With --samples: only those that match this text.")
    ] = "",
    kinds: Annotated[
        bool, typer.Option("--kinds", help="List the kinds of source that save reads.")
    ] = False,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """List the sources of an index, its frameworks or samples, or all kinds of source."""
    if kinds:
        write(_describe_kinds())
        return
    render = choose_format(_ENTRY_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        if samples or matching:
            write(render(index.samples(matching)))
        else:
            write(render(index.frameworks() if frameworks else index.sources()))


def _describe_kinds() -> str:
    from stacks.sources import SOURCES

    lines = []
    for kind in SOURCES.values():
        lines.append(f"{kind.name:16} {kind.description}")
        lines.append(f"{'':16} stacks save --from {kind.example}")
    return "\n".join(lines)


def _as_text(entries: Entries) -> str:
    if not entries:
        return "this index has none"
    return "\n".join(map(_describe, entries))


def _describe(entry: SourceEntry | FrameworkEntry | SampleEntry) -> str:
    if isinstance(entry, SampleEntry):
        return f"{entry.uri}  {entry.title}"
    if isinstance(entry, SourceEntry):
        vectors = f", vectors by {entry.embedder}" if entry.embedder else ""
        return f"{entry.documents:>9,}  {entry.name}  (weight {entry.weight:g}{vectors})"
    also = f"  also: {entry.synonyms}" if entry.synonyms else ""
    return f"{entry.documents:>9,}  {entry.slug}  {entry.display_name}{also}"


_ENTRY_FORMATS = {
    "text": _as_text,
    "json": lambda entries: format_json([entry._asdict() for entry in entries]),
    "markdown": lambda entries: "\n".join(
        f"- {line.strip()}" for line in _as_text(entries).split("\n")
    ),
}


def doctor(
    db: DbOption = None,
    show_all: Annotated[
        bool, typer.Option("--all", help=f"Show every event of the last save, not {_MOST_EVENTS}.")
    ] = False,
) -> None:
    """Check the files of an index, and show what its last save refused.

    Exits with 1 if something is wrong.
    """
    findings = examine(db or default_folder(), None if show_all else _MOST_EVENTS)
    for finding in findings:
        write(f"{'ok   ' if finding.is_fine else 'WRONG'} {finding.message}")
    if not all(finding.is_fine for finding in findings):
        raise typer.Exit(1)
