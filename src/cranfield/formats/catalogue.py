"""The formats a report can be written in, by name.

A built-in format is listed here with the reports it is meant for, and imported when it is first
used: the help pages name formats without loading any. A slice offers its own, and a package brings
its own, as a `Format` in the group `cranfield.formats`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.registry import Registry
from cranfield.slices import load_slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.formats.document import Report

__all__ = [
    "FORMATS",
    "SUBJECTS",
    "Format",
    "NotebookView",
    "Subject",
    "find_format",
    "list_formats",
    "render",
]


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write reports of some kinds; with no kinds, of every kind.

    `writer` renders a report: a function, or where to import it from, `"module:function"`;
    `colour_writer` does so in colour, for a terminal; `frame_writer` the top, for a notebook.
    What it returns is text, or bytes for a file.
    `on_screen` is the format printed when the report itself goes to a file. With `values_only`
    it writes values, neither comparisons nor bounds; `has_warnings` says that it writes warnings,
    which otherwise go to standard error.
    """

    name: str
    writer: Callable[[Report], str | bytes] | str
    kinds: tuple[str, ...] = ()
    on_screen: str = "text"
    values_only: bool = False
    has_warnings: bool = False
    colour_writer: Callable[[Report], str] | str = ""
    frame_writer: Callable[[Report], str] | None = None

    def suits(self, kind: str) -> bool:
        """Return whether it is meant for reports of a kind."""
        return not self.kinds or kind in self.kinds

    def render(self, report: Report, *, in_colour: bool = False) -> str | bytes:
        """Write a report; one of a kind that the format is not meant for is refused."""
        refuse_unsuitable(self, report.kind)
        writer = (in_colour and self.colour_writer) or self.writer
        if not isinstance(writer, str):
            return writer(report)
        from importlib import import_module

        module, _, function = writer.partition(":")
        written: str | bytes = getattr(import_module(module), function)(report)
        return written


@dataclass(frozen=True, slots=True)
class Subject:
    """A type of finished values that have a report, and what makes it; the type names it."""

    type: type[Any]
    make: Callable[[Any], Report]

    @property
    def name(self) -> str:
        """The name by which it is registered."""
        return self.type.__name__


SUBJECTS: Registry[Subject] = Registry("subject", Subject, group="cranfield.subjects")
FORMATS: Registry[Format] = Registry("format", Format, group="cranfield.formats")

_BUILT_IN = (
    Format(
        "text",
        "cranfield.formats.text_format:render_text",
        colour_writer="cranfield.formats.text_format:render_coloured_text",
    ),
    Format("json", "cranfield.formats.data_formats:render_json", has_warnings=True),
    Format("markdown", "cranfield.formats.markdown_format:render_markdown"),
    Format(
        "csv",
        "cranfield.formats.data_formats:render_csv",
        ("run", "comparison", "leaderboard", "gate", "score", "runs"),
        values_only=True,
    ),
    Format("junit", "cranfield.formats.data_formats:render_junit", ("gate",)),
    Format("github", "cranfield.formats.github_format:render_summary", ("gate",)),
    Format("comment", "cranfield.formats.github_format:render_comment", ("gate",)),
    Format("recorded", "cranfield.reports.run_exports:render_recorded", ("run",)),
    Format("trec", "cranfield.reports.run_exports:render_trec", ("run",)),
)
for _format in _BUILT_IN:
    FORMATS.register(_format.name, _format, aliases=("table",) if _format.name == "text" else ())


def find_format(name: str, kind: str) -> Format:
    """Return a format by its name; one that is not meant for reports of a kind is refused."""
    found = FORMATS.get(name)
    refuse_unsuitable(found, kind)
    return found


def refuse_unsuitable(found: Format, kind: str) -> None:
    """Refuse a format that is not meant for a kind, and name those that are."""
    if not found.suits(kind):
        suitable = [each.name for each in FORMATS.values() if each.suits(kind)]
        raise CranfieldError(
            f"the format {found.name} is not for a {kind} report; choose {_listed(suitable)}"
        )


def list_formats(*kinds: str) -> str:
    """List the formats of the core and the slices for reports of some kinds, for a help page.

    Those for reports of every kind come first.
    """
    meant = {each.name: each.kinds for each in _BUILT_IN}
    for each in load_slices().values():
        meant.update(each.formats)
    general = [name for name, suited in meant.items() if not suited]
    special = [name for name, suited in meant.items() if suited and set(kinds) <= set(suited)]
    return _listed([*general, *special])


def render(report: Report, name: str = "text") -> str:
    """Write a report in the format of a name."""
    written = FORMATS.get(name).render(report)
    if isinstance(written, bytes):
        raise CranfieldError(f"the format {name} is not text; write it into a file with --report")
    return written


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


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
