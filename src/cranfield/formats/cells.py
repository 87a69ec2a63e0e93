"""Typed values as text: the one place that says how a value, a p or a rank is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats.document import Cell, CellKind
from cranfield.model import Undefined
from cranfield_shared.plain_text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.formats.document import Column

__all__ = [
    "NO_VALUE",
    "count_of",
    "name_queries",
    "printable",
    "shorten",
    "show_cell",
    "show_difference",
    "show_milliseconds",
    "show_p",
    "show_rank",
    "show_row",
    "show_value",
]

NO_VALUE = "–"
_MOST_NAMED = 20


def shorten(text: str, width: int) -> str:
    """Put a text on one line, cut at a width."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def count_of(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun: `1 run`, `2 runs`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def count_queries(number: int) -> str:
    """Write a number of queries: `1 query`, `2 queries`."""
    return count_of(number, "query", "queries")


def name_queries(queries: Sequence[str], most: int = _MOST_NAMED) -> str:
    """Name queries, the first of many."""
    more = len(queries) - most
    named = ", ".join(queries[:most])
    return f"{named} and {more} more" if more > 0 else named


def show_value(value: float | Undefined | None) -> str:
    """Write a measured value with four decimals."""
    return NO_VALUE if _is_missing(value) else f"{value:.4f}"


def show_difference(value: float) -> str:
    """Write a difference with its sign; one that rounds to 0 has a plus."""
    return f"{round(value, 4) + 0.0:+.4f}"


def show_milliseconds(seconds: float) -> str:
    """Write a duration."""
    return f"{seconds * 1000:.1f} ms"


def show_p(p: float | None) -> str:
    """Write a p-value; – if there was nothing to test."""
    if p is None:
        return NO_VALUE
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def show_rank(rank: int | None) -> str:
    """Write the rank of the first right hit; – if there is none."""
    return NO_VALUE if rank is None else str(rank)


def show_row(columns: Sequence[Column], row: Sequence[Any]) -> list[str]:
    """Write all cells of a row."""
    return [show_cell(column.kind, value) for column, value in zip(columns, row, strict=True)]


def show_cell(kind: CellKind, value: Any) -> str:
    """Write one cell; – if it has no value."""
    if isinstance(value, Cell):
        kind, value = value.kind, value.value
    return NO_VALUE if _is_missing(value) else _SHOWN[kind](value)


def _is_missing(value: Any) -> bool:
    return value is None or isinstance(value, Undefined) or (value != value)  # noqa: PLR0124 - NaN


def _show_interval(bounds: tuple[float, float]) -> str:
    low, high = bounds
    return f"[{show_difference(low)}, {show_difference(high)}]"


def _show_range(bounds: tuple[float, float]) -> str:
    low, high = bounds
    return f"[{show_value(low)}, {show_value(high)}]"


def _show_change(show: Callable[[Any], str], sides: tuple[Any, Any]) -> str:
    before, after = sides
    return f"{show(before)} → {show(after)}"


_SHOWN: dict[CellKind, Callable[[Any], str]] = {
    CellKind.TEXT: str,
    CellKind.ID: str,
    CellKind.QUERY: str,
    CellKind.MESSAGE: str,
    CellKind.COUNT: lambda value: f"{value:.0f}",
    CellKind.VALUE: show_value,
    CellKind.DIFFERENCE: show_difference,
    CellKind.COUNT_DIFFERENCE: lambda value: f"{value:+.0f}",
    CellKind.INTERVAL: _show_interval,
    CellKind.RANGE: _show_range,
    CellKind.P: show_p,
    CellKind.EFFECT: lambda value: f"{value:+.2f}",
    CellKind.SCORE: lambda value: f"{value:g}",
    CellKind.RANK: show_rank,
    CellKind.SHARE: lambda share: f"{share[0]:.0f}/{share[1]}",
    CellKind.SECONDS: show_milliseconds,
    CellKind.LINK: lambda link: str(link[0]),
    CellKind.MEASURE_CHANGE: lambda cell: f"{cell[0]} {_show_change(show_value, cell[1:])}",
    CellKind.RANK_CHANGE: lambda sides: _show_change(show_rank, sides),
}
