"""Commands about a whole index: `stacks list`, `doctor`, `bundle` and `export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stacks.cli.console import (
    DbOption,
    FormatOption,
    choose_format,
    default_folder,
    format_json,
    write,
)
from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.index import Bundle
    from stacks.query import FrameworkEntry, SampleEntry, SourceEntry
    from stacks.sources import SourceKind

    Entries = list[SourceEntry] | list[FrameworkEntry] | list[SampleEntry]

__all__ = ["bundle", "doctor", "export", "list_contents"]

_MOST_EVENTS = 20


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
    """List the sources of an index, its frameworks or samples, or all kinds of source.

    \b
    stacks list
    stacks list --frameworks --format json
    stacks list --samples --matching "drag and drop"
    stacks list --kinds
    """  # noqa: D301 - \b keeps typer from wrapping these lines
    from stacks.query import open_index

    by_name = "--matching" if matching else "--samples"
    chosen = {"--frameworks": frameworks, by_name: samples or matching, "--kinds": kinds}
    given = [name for name, is_given in chosen.items() if is_given]
    if len(given) > 1:
        raise QueryError(f"list one thing at a time: {' or '.join(given)}")
    if kinds and db:
        raise QueryError("--kinds lists what save can read, which is in no index; leave out --db")
    if kinds:
        write(choose_format(_KIND_FORMATS, output_format)(_list_kinds()))
        return
    render = choose_format(_ENTRY_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        if samples or matching:
            write(render(index.samples(matching)))
        else:
            write(render(index.frameworks() if frameworks else index.sources()))


def _list_kinds() -> list[SourceKind]:
    from stacks.sources import SOURCES

    return list(SOURCES.values())


def _kinds_as_text(kinds: list[SourceKind]) -> str:
    lines = []
    for kind in kinds:
        lines.append(f"{kind.name:16} {kind.description}")
        lines.append(f"{'':16} stacks save --from {kind.example}")
    return "\n".join(lines)


_KIND_FORMATS: dict[str, Callable[[list[SourceKind]], str]] = {
    "text": _kinds_as_text,
    "json": lambda kinds: format_json(
        [
            {name: getattr(kind, name) for name in ("name", "description", "example")}
            for kind in kinds
        ]
    ),
    "markdown": lambda kinds: "\n".join(
        f"- {kind.name}: {kind.description} (`stacks save --from {kind.example}`)" for kind in kinds
    ),
}


def _as_text(entries: Entries) -> str:
    if not entries:
        return "this index has none"
    return "\n".join(map(_describe, entries))


def _describe(entry: SourceEntry | FrameworkEntry | SampleEntry) -> str:
    from stacks.query import SampleEntry, SourceEntry

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
    from stacks.health_check import examine

    findings = examine(db or default_folder(), None if show_all else _MOST_EVENTS)
    for finding in findings:
        write(f"{'ok   ' if finding.is_fine else 'WRONG'} {finding.message}")
    if not all(finding.is_fine for finding in findings):
        raise typer.Exit(1)


bundle = typer.Typer(
    help="Pack an index into one file with its version and digest, or install such a file.",
    no_args_is_help=True,
)


@bundle.command(no_args_is_help=True)
def make(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The bundle to write (a ZIP).")],
    version: Annotated[
        str, typer.Option(metavar="TEXT", help="The version of the bundle, such as 2026.11.")
    ],
    db: DbOption = None,
) -> None:
    """Pack the files of an index into a bundle.

    The same index and version give the same file.

    Example: stacks bundle make python-docs.zip --version 2026.11 --db index
    """
    from stacks.index import make_bundle

    made = make_bundle(db or default_folder(), target, version)
    write(_describe_bundle(made, f"{target}: {target.stat().st_size / 1e6:,.1f} MB"))


@bundle.command(no_args_is_help=True)
def install(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="The bundle.")],
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of the index.  [default: $STACKS_HOME, else ~/.stacks]"
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace files of an index that are there.")
    ] = False,
) -> None:
    """Check a bundle, and put its files into a folder.

    Nothing is replaced unless the size and digest of every file are as stated.

    Example: stacks bundle install python-docs.zip --to index
    """
    from stacks.index import install_bundle

    folder = to or default_folder()
    installed = install_bundle(source, folder, replace=replace)
    write(_describe_bundle(installed, f"installed into {folder}"))


def _describe_bundle(described: Bundle, headline: str) -> str:
    lines = [headline, f"  version {described.version}, made by {described.made_by}"]
    for file in described.files:
        documents = sum(file.documents.values())
        sources = ", ".join(file.documents)
        lines.append(f"  {file.name}: {documents:,} documents of {sources}")
    lines.append(f"  digest {described.digest}")
    return "\n".join(lines)


def export(
    to: Annotated[
        str, typer.Option("--to", metavar="ENGINE", help="opensearch, postgres or typesense.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to make.")],
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="The name of the index, the table or the collection."),
    ] = "docs",
    db: DbOption = None,
) -> None:
    """Write an index for a search server: documents, a mapping, and a query.

    The folder has bulk files of all documents with what was derived of them (symbols, parts of
    names, vectors), the schema, a query that carries the weights of the columns, and a
    cranfield.toml with the system that sends it.

    Example: stacks export --to postgres --out exported --db index
    """
    from stacks.export import export_index

    made = export_index(db or default_folder(), to, out, name)
    vectors = f"{made.vectors:,} vectors by {made.plan.embedder}" if made.vectors else "no vectors"
    lines = [
        f"{out}: {made.documents:,} documents, {vectors}",
        f"load them in {out}:",
        *(f"  {step}" for step in made.steps),
    ]
    write("\n".join(lines))
