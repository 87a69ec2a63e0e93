"""Plain text in aligned columns, without colour or escapes: it is pasted into reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Value

__all__ = ["align", "printable", "show_difference", "show_milliseconds", "show_p", "show_value"]

_CONTROLS = dict.fromkeys((*range(32), 127, *range(128, 160)), "�")


def align(rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Align columns, the first `left` of them to the left and the others to the right."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + "\n"
        for row in rows
    )


def printable(text: str) -> str:
    """Replace what would move the cursor or colour the screen."""
    return text.translate(_CONTROLS)


def show_value(value: Value, *, is_count: bool = False) -> str:
    """Show a figure with four decimals, a count with none, and – where there is no figure."""
    if isinstance(value, Undefined):
        return "–"
    return f"{value:.0f}" if is_count else f"{value:.4f}"


def show_difference(value: float) -> str:
    """Show a difference with its sign; what rounds to 0 has a plus."""
    return f"{round(value, 4) + 0.0:+.4f}"


def show_milliseconds(seconds: float) -> str:
    """Show how long something took."""
    return f"{seconds * 1000:.1f} ms"


def show_p(p: float | None) -> str:
    """Show a p-value; – where there was nothing to test."""
    if p is None:
        return "–"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"
