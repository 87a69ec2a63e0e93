"""`stacks read`: a document by its URI."""

from __future__ import annotations

from typing import Annotated

import typer

from stacks.cli.options import DbOption, FormatOption, default_folder
from stacks.cli.output import choose_format, write
from stacks.cli.rendering import DOCUMENT_FORMATS
from stacks.query import open_index

__all__ = ["read"]


def read(
    uri: Annotated[str, typer.Argument(metavar="URI", help="As a search prints it.")],
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Print a whole document.

    Example: stacks read pydoc://pathlib/path
    """
    render = choose_format(DOCUMENT_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        write(render(index.read(uri)))
