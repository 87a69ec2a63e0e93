"""Finished values in notebooks: the top of their page, and their rows for a data frame."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cranfield.formats.catalogue import FORMATS

if TYPE_CHECKING:
    from cranfield.formats.document import Report

__all__ = ["NotebookView"]


class NotebookView:
    """What a finished value offers to a notebook.

    Reports are in a layer above the values they show, and pages in a slice: they are found by
    name, when a notebook asks.
    """

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one record for each query, as CSV has them: a list that any data frame takes."""
        records = self._report().records
        names = [column.title for column in records.columns]
        return [dict(zip(names, row, strict=True)) for row in records.rows]

    def to_pandas(self) -> Any:
        """Return the rows as a pandas data frame; pandas has to be installed."""
        return import_module("pandas").DataFrame(self.rows())

    def to_polars(self) -> Any:
        """Return the rows as a polars data frame; polars has to be installed."""
        return import_module("polars").DataFrame(self.rows(), infer_schema_length=None)

    def _report(self) -> Report:
        made: Report = import_module("cranfield.reports.any_report").find_report(self)
        return made

    def _repr_html_(self) -> str | None:
        writer = FORMATS.get("html").frame_writer if "html" in FORMATS else None
        # Without an answer, a notebook shows what `print` would.
        return writer(self._report()) if writer else None
