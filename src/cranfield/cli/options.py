"""Options that several commands share."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import typer

from cranfield.defaults import HITS, SEED
from cranfield.errors import CranfieldError
from cranfield.formats import Detail, list_formats

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.formats import Format

__all__ = [
    "Categories",
    "Config",
    "ExecutorName",
    "Hits",
    "Jobs",
    "Languages",
    "Measures",
    "Milestone",
    "ModeName",
    "OptionalHits",
    "OptionalJobs",
    "OptionalRepeats",
    "OptionalSeed",
    "Out",
    "Qrels",
    "Quiet",
    "Repeats",
    "Reports",
    "Seed",
    "StorePlace",
    "SuiteFiles",
    "complete_format",
    "complete_run",
    "complete_system",
    "executor_option",
    "format_option",
    "read_choice",
    "read_level",
    "refuse_comparison_options",
]


def format_option(kind: str, end: str = ".") -> Any:
    """Make the option `--format` of a command whose report is of a kind; `end` ends its help."""
    return typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help=f"{list_formats(kind)}{end}",
        autocompletion=complete_format(kind),
    )


def executor_option(what: str) -> Any:
    """Make the option `--executor` of a command; `what` says what is done there."""
    return typer.Option(
        "--executor",
        metavar="NAME",
        help=f"{what}: local, or ray or ray=ADDRESS for a Ray cluster (RAY_ADDRESS, or one started "
        "here).",
    )


Reports: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="FORMAT=FILE",
        help="Also write a report to a file, in any format that --format lists; may be repeated.",
    ),
]
SuiteFiles: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SUITE]", help="Suite files.  [default: those of cranfield.toml]"),
]
Seed: TypeAlias = Annotated[
    int, typer.Option(min=0, metavar="NUMBER", help="Seed of the randomised statistics.")
]
OptionalSeed: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="NUMBER",
        help=f"Seed of the randomised statistics.  [default: {SEED}]",
    ),
]


def refuse_comparison_options(written: Format, arms: int, **options: object) -> None:
    """Refuse options of a comparison that are given if none is written."""
    if arms > 1 and not written.values_only:
        return
    remedy = "; name two runs" if arms == 1 else f", which the format {written.name} does not write"
    for name, value in options.items():
        if value is not None:
            raise typer.BadParameter(f"--{name} is for a comparison{remedy}")


def _hits(end: str = "") -> Any:
    text = f"Hits to request for each query.{end}"
    return typer.Option("--k", min=1, max=100_000, metavar="NUMBER", help=text)


def _jobs(end: str = "") -> Any:
    text = f"Queries to run at a time.{end}"
    return typer.Option("--jobs", "-j", min=1, max=256, metavar="NUMBER", help=text)


def _repeats(end: str = "") -> Any:
    text = f"Run every query so many times, to see how much a system varies.{end}"
    return typer.Option("--repeat", min=1, max=1000, metavar="NUMBER", help=text)


Hits: TypeAlias = Annotated[int, _hits()]
Jobs: TypeAlias = Annotated[int, _jobs()]
Repeats: TypeAlias = Annotated[int, _repeats()]
ExecutorName: TypeAlias = Annotated[str, executor_option("Where systems are searched")]
# Commands that also take stored runs need to know whether these were given.
OptionalHits: TypeAlias = Annotated[int | None, _hits(f"  [default: {HITS}]")]
OptionalJobs: TypeAlias = Annotated[int | None, _jobs("  [default: 1]")]
OptionalRepeats: TypeAlias = Annotated[int | None, _repeats("  [default: 1]")]
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
Measures: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="MEASURE",
        help="Measure by this instead of the suite's own measures; may be repeated, the first is "
        "the headline.",
    ),
]
Qrels: TypeAlias = Annotated[
    str | None,
    typer.Option("--qrels", metavar="FILE", help="Judgments that replace what the suites expect."),
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", help="Show no progress and no notes, only the report.")
]
ModeName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--mode", metavar="NAME", help="A mode of cranfield.toml, from its table [modes]."
    ),
]
Milestone: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--milestone",
        metavar="NAME",
        help="Hold to the [[thresholds]] of this milestone.  [default: that of cranfield.toml]",
    ),
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
        help="A file or a database URL, instead of $CRANFIELD_STORE, store in cranfield.toml, or "
        ".cranfield/cranfield.db.",
    ),
]


Choice = TypeVar("Choice", bound=StrEnum)


def read_choice(kind: type[Choice], text: str, option: str) -> Choice:
    """Read one of the words of an option."""
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(kind)
        raise typer.BadParameter(f"{option} is one of {known}, not {text!r}") from None


def read_level(text: str) -> Detail:
    """Read how much `--show` asks for; documents alone go beyond `all`."""
    levels = {level.name.lower(): level for level in Detail if level <= Detail.ALL}
    if text not in levels:
        raise typer.BadParameter(f"--show is one of {', '.join(levels)}, not {text!r}")
    return levels[text]


def complete_system(incomplete: str) -> list[str]:
    """Offer the systems of the nearest project."""
    from cranfield.evaluation.project import open_project

    try:
        return [name for name in open_project().systems if name.startswith(incomplete)]
    except CranfieldError:
        return []


def complete_run(incomplete: str) -> list[str]:
    """Offer the stored runs of the nearest project: latest, labels, and ids, the newest first."""
    from cranfield.evaluation.project import open_project

    try:
        headers = open_project(None, os.environ).open_existing_store().headers()[::-1]
    except CranfieldError:
        return []
    labels = dict.fromkeys(header.label for header in headers if header.label)
    names = ["latest", *labels, *(header.id for header in headers)]
    return [name for name in names if name.startswith(incomplete)]


def complete_format(kind: str) -> Callable[[str], list[str]]:
    """Make what offers the formats for reports of a kind."""

    def complete(incomplete: str) -> list[str]:
        from cranfield.formats import FORMATS

        known = [each.name for each in FORMATS.values() if each.suits(kind)]
        return [name for name in known if name.startswith(incomplete)]

    return complete
