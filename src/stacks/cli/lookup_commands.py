"""`stacks read`, `symbols`, `conformances`, `inheritance`, `examples`: look things up by name."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from stacks.cli.console import (
    DbOption,
    FormatOption,
    LimitOption,
    choose_format,
    default_folder,
    format_json,
    shorten,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.query import Example, Relative, StoredDocument, SymbolHit, TypeFamily

__all__ = [
    "DOCUMENT_FORMATS",
    "EXAMPLE_FORMATS",
    "FAMILY_FORMATS",
    "SYMBOL_FORMATS",
    "FamilyReport",
    "conformances",
    "examples",
    "inheritance",
    "read",
    "symbols",
]


_WIDTH = 100
_KIND_WIDTH = 14
_MOST_LINES = 12
"""Lines of an example that are shown as text."""


def read(
    uri: Annotated[
        str, typer.Argument(metavar="URI", help="As printed by a search, or a name only it has.")
    ],
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Print a whole document.

    \b
    stacks read pydoc://pathlib/path
    stacks read SE-0306
    """  # noqa: D301 - \b keeps typer from wrapping these lines
    from stacks.query import open_index

    render = choose_format(DOCUMENT_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        write(render(index.read(uri)))


def symbols(
    text: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="Words of its name or signature.")
    ] = "",
    kind: Annotated[str, typer.Option(help="class, struct, method, property …")] = "",
    attribute: Annotated[str, typer.Option(help="Marked like this: @MainActor, @property.")] = "",
    constraint: Annotated[str, typer.Option(help="With this in its constraints: View.")] = "",
    is_async: Annotated[bool, typer.Option("--async", help="Only asynchronous ones.")] = False,
    is_throws: Annotated[bool, typer.Option("--throws", help="Only throwing ones.")] = False,
    is_static: Annotated[bool, typer.Option("--static", help="Only static ones.")] = False,
    limit: LimitOption = 20,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Find declarations, on pages and in their snippets.

    \b
    stacks symbols append --kind method
    stacks symbols --attribute @MainActor --kind property
    stacks symbols next --async --throws
    """  # noqa: D301 - \b keeps typer from wrapping these lines
    from stacks.query import SymbolFilters, explain_no_symbols, open_index

    render = choose_format(SYMBOL_FORMATS, output_format)
    filters = SymbolFilters(kind, attribute, constraint, is_async, is_throws, is_static)
    with open_index(db or default_folder()) as index:
        found = index.symbols(text, filters, limit)
        is_shown = found or output_format == "json"
        write(render(found) if is_shown else explain_no_symbols(index, text, filters))


def conformances(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A protocol or a class.")],
    limit: LimitOption = 20,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Find types that conform to a protocol or inherit from a class.

    Example: stacks conformances Hashable
    """
    from stacks.query import explain_no_conformances, open_index

    render = choose_format(SYMBOL_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        found = index.conformances(name, limit)
        is_shown = found or output_format == "json"
        write(render(found) if is_shown else explain_no_conformances(index, name))


def inheritance(
    symbol: Annotated[
        str, typer.Argument(metavar="SYMBOL", help="A URI, or a name only one type has.")
    ],
    direction: Annotated[str, typer.Option(help="up, down or both.")] = "both",
    depth: Annotated[int, typer.Option(min=1, help="How many steps.")] = 3,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Show what a type inherits from, and what inherits from it.

    Example: stacks inheritance OSError --direction down --depth 1
    """
    from stacks.query import explain_no_family, open_index

    render = choose_format(FAMILY_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        family = index.inheritance(symbol, direction, depth)
        remark = "" if family.relatives else explain_no_family(index, family, direction)
    write(render(FamilyReport(family, remark)))


def examples(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the code should use.")],
    language: Annotated[str, typer.Option(help="Only this language: swift, python …")] = "",
    imports: Annotated[
        str, typer.Option(metavar="MODULE", help="Only code that imports this.")
    ] = "",
    limit: LimitOption = 5,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Find snippets and sample code that use something.

    \b
    stacks examples withTaskGroup --language swift
    stacks examples "Counter most_common"
    """  # noqa: D301 - \b keeps typer from wrapping these lines
    from stacks.query import open_index

    render = choose_format(EXAMPLE_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        found = index.examples(text, language=language, imports=imports, limit=limit)
    write(render(found) if found or output_format == "json" else f"no code here uses {text!r}")


class FamilyReport(NamedTuple):
    """A family, and if it has no members the reason."""

    family: TypeFamily
    remark: str


def _document_as_json(document: StoredDocument) -> str:
    fields = asdict(document)
    return format_json({name.removeprefix("is_"): value for name, value in fields.items()})


def _document_as_text(document: StoredDocument) -> str:
    facts = [document.kind, document.module or document.framework, document.language]
    facts += [f"{name} {version}+" for name, version in document.availability.items()]
    facts += ["deprecated"] if document.is_deprecated else []
    facts += [f"Swift {document.swift_version}"] if document.swift_version else []
    return f"{document.uri}\n{', '.join(fact for fact in facts if fact)}\n\n{document.page}"


def _symbols_as_text(symbols: list[SymbolHit]) -> str:
    lines = []
    for symbol in symbols:
        shown = shorten(symbol.marked_signature, _WIDTH - _KIND_WIDTH - 1)
        lines.append(f"{symbol.kind:{_KIND_WIDTH}} {shown}")
        lines.append(f"{'':{_KIND_WIDTH}} {symbol.uri}")
    return "\n".join(lines)


def _symbols_as_markdown(symbols: list[SymbolHit]) -> str:
    return "\n".join(
        f"- `{shorten(each.marked_signature)}` – {each.kind}, `{each.uri}`" for each in symbols
    )


def _family_as_text(report: FamilyReport) -> str:
    family = report.family
    if not family.relatives:
        return report.remark
    above = [each for each in family.relatives if each.direction == "up"]
    below = [each for each in family.relatives if each.direction == "down"]
    lines = [f"{'  ' * each.steps}↑ {_show_relative(each)}" for each in above]
    lines.append(f"{family.title}  {family.uri}")
    lines += [f"{'  ' * each.steps}↓ {_show_relative(each)}" for each in below]
    return "\n".join(lines)


def _show_relative(relative: Relative) -> str:
    where = relative.uri if relative.is_indexed else "(not in this index)"
    return f"{relative.title}  {where}"


def _examples_as_text(examples: list[Example]) -> str:
    parts = []
    for example in examples:
        code = "\n".join(f"    {line}" for line in _first_lines(example.code))
        title = shorten(example.title, 98 - len(example.uri))
        parts.append(f"{title}  {example.uri}\n{code}")
    return "\n\n".join(parts)


def _first_lines(code: str) -> list[str]:
    lines = code.strip("\n").splitlines()
    kept = lines[:_MOST_LINES]
    return kept if len(kept) == len(lines) else [*kept, f"… {len(lines) - _MOST_LINES} more lines"]


def _examples_as_markdown(examples: list[Example]) -> str:
    return "\n\n".join(
        f"**{example.title}** – `{example.uri}`\n\n```{example.language}\n{example.code}\n```"
        for example in examples
    )


DOCUMENT_FORMATS: Mapping[str, Callable[[StoredDocument], str]] = {
    "text": _document_as_text,
    "json": _document_as_json,
    "markdown": lambda document: document.page,
}
SYMBOL_FORMATS: Mapping[str, Callable[[list[SymbolHit]], str]] = {
    "text": _symbols_as_text,
    "json": lambda symbols: format_json([asdict(each) for each in symbols]),
    "markdown": _symbols_as_markdown,
}
FAMILY_FORMATS: Mapping[str, Callable[[FamilyReport], str]] = {
    "text": _family_as_text,
    "json": lambda report: format_json(asdict(report.family) | {"remark": report.remark}),
    "markdown": lambda report: indent(_family_as_text(report), "    ", lambda _: True),
}
EXAMPLE_FORMATS: Mapping[str, Callable[[list[Example]], str]] = {
    "text": _examples_as_text,
    "json": lambda examples: format_json([asdict(example) for example in examples]),
    "markdown": _examples_as_markdown,
}
