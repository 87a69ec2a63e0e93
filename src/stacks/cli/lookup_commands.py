"""`stacks read`, `symbols`, `conformances`, `inheritance`, `examples`: look things up by name."""

from __future__ import annotations

from typing import Annotated

import typer

from stacks.cli.index_options import (
    DbOption,
    FormatOption,
    LimitOption,
    choose_format,
    default_folder,
)
from stacks.cli.lookup_formats import (
    DOCUMENT_FORMATS,
    EXAMPLE_FORMATS,
    FAMILY_FORMATS,
    SYMBOL_FORMATS,
    FamilyReport,
)
from stacks.cli.standard_output import write

__all__ = ["conformances", "examples", "inheritance", "read", "symbols"]


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
