"""The templates of pages: what they may call, and where they are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.formats import (
    Cell,
    CellKind,
    Chart,
    Lines,
    Table,
    Verbatim,
    name_queries,
    printable,
    show_row,
)
from cranfield.pages.chart_shapes import slug
from cranfield.pages.charts import draw_chart, key_of
from cranfield.pages.terms import explain_terms

if TYPE_CHECKING:
    from jinja2 import Environment

    from cranfield.formats import Block

__all__ = ["make_environment"]

_KINDS = {Table: "table", Lines: "lines", Verbatim: "verbatim", Chart: "chart"}
_STATES = ("better", "worse", "equivalent", "cannot tell", "strong", "mixed", "weak")
_NUMERIC = frozenset(
    ["COUNT", "VALUE", "DIFFERENCE", "COUNT_DIFFERENCE", "P", "EFFECT", "SCORE", "RANK", "SECONDS"]
)


def make_environment(*packages: str) -> Environment:
    """Make what renders templates: ours, and those of further packages; all text is escaped."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader([PackageLoader(each) for each in (*packages, "cranfield.pages")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "explained": explain_terms,
        "drawn": draw_chart,
        "slug": slug,
        "named": name_queries,
        "shown": printable,
        "short": _short,
        "verbatim": _verbatim,
        "kind": _kind,
    }
    made.globals |= {
        "rows": _rows,
        "is_number": _is_number,
        "is_own": _is_own,
        "states": _STATES,
        "key_of": key_of,
    }
    return made


def _short(title: str) -> str:
    """Return what stands before the first comma of a title."""
    return title.partition(",")[0]


def _verbatim(text: str) -> str:
    return "\n".join(map(printable, text.splitlines()))


def _kind(block: Block) -> str:
    return _KINDS[type(block)]


@dataclass(frozen=True, slots=True)
class _ShownCell:
    """A cell as it is written; an address if it is a link."""

    text: str
    address: str = ""


def _rows(table: Table, most: int | None = None) -> list[list[_ShownCell]]:
    return [
        [
            _ShownCell(text, value.value[1] if _is_link(value) else "")
            for text, value in zip(show_row(table.columns, row), row, strict=True)
        ]
        for row in table.rows[:most]
    ]


def _is_link(value: Any) -> bool:
    return isinstance(value, Cell) and value.kind is CellKind.LINK


def _is_number(column: Any) -> bool:
    return column.kind.name in _NUMERIC


def _is_own(column: Any) -> bool:
    """Return whether the words of a column are ours, so that terms in it are explained."""
    return column.kind not in (CellKind.ID, CellKind.QUERY, CellKind.MESSAGE)
