"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

__all__ = [
    "Categories",
    "Config",
    "Hits",
    "Jobs",
    "Languages",
    "Out",
    "Qrels",
    "Repeats",
    "StorePlace",
]

Hits: TypeAlias = Annotated[
    int, typer.Option("--k", min=1, max=100_000, metavar="NUMBER", help="Hits to ask for.")
]
Jobs: TypeAlias = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=1, max=256, metavar="NUMBER", help="Queries to ask at a time."
    ),
]
Repeats: TypeAlias = Annotated[
    int,
    typer.Option(
        "--repeat",
        min=1,
        max=1000,
        metavar="NUMBER",
        help="Ask everything so often, to see how much a system differs from itself.",
    ),
]
Categories: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--category", metavar="NAME", help="Only this category; may be repeated."),
]
Languages: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--language", "--lang", metavar="CODE", help="Only this language; may be repeated."
    ),
]
Qrels: TypeAlias = Annotated[
    str | None,
    typer.Option("--qrels", metavar="FILE", help="Judgments that take the place of patterns."),
]
Out: TypeAlias = Annotated[
    str | None, typer.Option("--out", "-o", metavar="FILE", help="Write the report there.")
]
Config: TypeAlias = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", help="Instead of the nearest cranfield.toml."),
]
StorePlace: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PLACE",
        help="A file or a database URL, instead of .cranfield/cranfield.db.",
    ),
]
