"""Options that several commands share."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from cranfield.projects import Project

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
    "project_option",
]

Hits: TypeAlias = Annotated[
    int,
    typer.Option(
        "--k", min=1, max=100_000, metavar="NUMBER", help="Hits to request for each query."
    ),
]
Jobs: TypeAlias = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=1, max=256, metavar="NUMBER", help="Queries to run at a time."
    ),
]
Repeats: TypeAlias = Annotated[
    int,
    typer.Option(
        "--repeat",
        min=1,
        max=1000,
        metavar="NUMBER",
        help="Run every query so many times, to see how much a system varies.",
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
    typer.Option("--qrels", metavar="FILE", help="Judgments that replace what the suites expect."),
]
Out: TypeAlias = Annotated[
    str | None, typer.Option("--out", "-o", metavar="FILE", help="Write the report to a file.")
]
Config: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", help="A project to use instead of the nearest cranfield.toml."
    ),
]
StorePlace: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PLACE",
        help="A file or a database URL, instead of .cranfield/cranfield.db.",
    ),
]


def project_option(project: Project) -> str:
    """Return the option with which commands find a project from here; empty if they need none."""
    from cranfield.systems import find_config

    if project.file is None or find_config(Path.cwd()) == project.file.resolve():
        return ""
    return f" --config {shlex.quote(os.path.relpath(project.folder))}"
