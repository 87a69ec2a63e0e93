"""`cranfield measures`: what can be measured."""

from __future__ import annotations

from typing import Annotated

from cranfield.cli.options import format_option
from cranfield.cli.output import write_report

__all__ = ["measures"]


def measures(output: Annotated[str, format_option("measures")] = "text") -> None:
    """List the measures, with an example and the parameters of each.

    \b
    cranfield measures
    cranfield measures --format json
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.formats import find_format
    from cranfield.measures import FAMILIES
    from cranfield.scores import report_measures

    written = find_format(output, "measures")
    write_report(written, report_measures(FAMILIES.values()))
