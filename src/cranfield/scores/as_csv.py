"""Scores as CSV: one line for each run, query and measure."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from cranfield.model import Undefined

if TYPE_CHECKING:
    from cranfield.model import Value
    from cranfield.scores.formats import ScoreReport

__all__ = ["render_csv"]


def render_csv(report: ScoreReport) -> str:
    """Write `run,query,measure,value`; the query `all` is the figure over all queries.

    An undefined value is an empty cell.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "query", "measure", "value"])
    for run in report.runs:
        for measure, column in run.columns.items():
            writer.writerow([run.name, "all", measure, _cell(run.value(measure))])
            if report.per_query:
                writer.writerows(
                    [run.name, query, measure, _cell(column.value(position))]
                    for position, query in enumerate(run.queries)
                )
    return text.getvalue()


def _cell(value: Value) -> str:
    return "" if isinstance(value, Undefined) else repr(value)
