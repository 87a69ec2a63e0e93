"""`cranfield measures`: what can be measured, and the report of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cranfield.cli.options import format_option
from cranfield.cli.output import write_report
from cranfield.formats import Column, Report, Section, Table, find_format, tabulate
from cranfield.measures import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.measures import Family

__all__ = [
    "measures",
    "report_measures",
]

_SCHEMA_VERSION = 1


def measures(output: Annotated[str, format_option("measures")] = "text") -> None:
    """List the measures, with an example and the parameters of each.

    \b
    cranfield measures
    cranfield measures --format json
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "measures")
    write_report(written, report_measures(FAMILIES.values()))


def report_measures(families: Sequence[Family]) -> Report:
    """List the measures, with an example and the parameters of each."""
    columns: dict[Column, Callable[[Family], Any]] = {
        Column("measure"): lambda family: ", ".join(_spellings(family)),
        Column("parameters"): lambda family: " ".join(
            # A default of 0 stands for "not used"; it cannot be asked for.
            f"{name}={each.default or '…'}"
            for name, each in family.parameters.items()
        ),
        Column("what it is"): lambda family: family.summary,
    }
    return Report(
        kind="measures",
        title="Measures",
        sections=(Section(blocks=(Table(*tabulate(families, columns), labels=3),)),),
        subject=tuple(families),
        make_data=lambda: _data(families),
    )


def _spellings(family: Family) -> list[str]:
    """Return the measure as it can be written: with a cutoff, and without if it needs none."""
    is_optional = family.cutoff is not None and not family.needs_cutoff
    return [family.name, family.example] if is_optional else [family.example]


def _family_data(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "example": family.example,
        "summary": family.summary,
        "cutoff": _cutoff(family),
        "parameters": {name: each.default or None for name, each in family.parameters.items()},
        "is_count": family.is_count,
    }


def _cutoff(family: Family) -> str:
    if family.cutoff is None:
        return "none"
    return "required" if family.needs_cutoff else "optional"


def _data(families: Sequence[Family]) -> dict[str, Any]:
    return {
        "kind": "measures",
        "schema_version": _SCHEMA_VERSION,
        "measures": [_family_data(each) for each in families],
    }
