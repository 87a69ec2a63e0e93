"""`stacks symbols` and `stacks conformances`: declarations."""

from __future__ import annotations

from typing import Annotated

import typer

from stacks.cli.options import DbOption, FormatOption, LimitOption, default_folder
from stacks.cli.output import choose_format, write
from stacks.cli.rendering import SYMBOL_FORMATS
from stacks.query import (
    SymbolFilters,
    explain_no_conformances,
    explain_no_symbols,
    open_index,
)

__all__ = ["conformances", "symbols"]


def symbols(
    text: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="Words of its name or signature.")
    ] = "",
    kind: Annotated[str, typer.Option(help="class, struct, method, property …")] = "",
    attribute: Annotated[str, typer.Option(help="Marked so: @MainActor, @property.")] = "",
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
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    render = choose_format(SYMBOL_FORMATS, output_format)
    filters = SymbolFilters(kind, attribute, constraint, is_async, is_throws, is_static)
    with open_index(db or default_folder()) as index:
        found = index.symbols(text, filters, limit)
        if found or output_format == "json":
            write(render(found))
        else:
            write(explain_no_symbols(index, text, filters))


def conformances(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A protocol or a class.")],
    limit: LimitOption = 20,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Find what conforms to a protocol or inherits from a class.

    Example: stacks conformances Hashable
    """
    render = choose_format(SYMBOL_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        found = index.conformances(name, limit)
        if found or output_format == "json":
            write(render(found))
        else:
            write(explain_no_conformances(index, name))
