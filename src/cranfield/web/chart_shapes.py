"""What charts consist of: lines, boxes, texts and scales, as SVG that a style sheet colours."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

from markupsafe import Markup

from cranfield.formats import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.formats import Chart

__all__ = [
    "LABELS",
    "RIGHT",
    "TOP",
    "WIDTH",
    "Scale",
    "draw_box",
    "draw_circle",
    "draw_label",
    "draw_line",
    "draw_svg",
    "draw_text",
    "shorten_label",
    "slug",
]

WIDTH = 520
LABELS = 172
"""The room of the names of rows."""
RIGHT = 62
"""The room of the numbers of rows."""
TOP = 12
_LONGEST_LABEL = 23


def slug(name: str) -> str:
    """Make a class name of a name: what a style sheet colours by."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def draw_svg(chart: Chart, height: float, content: list[Markup], width: float = WIDTH) -> Markup:
    """Make a chart of what is drawn, with its title and its description."""
    start = Markup('<svg viewBox="0 0 {:.0f} {:.0f}" role="img" class="chart {}">')
    title = Markup("<title>{}</title><desc>{}</desc>").format(
        printable(chart.title), printable(chart.summary)
    )
    opened = start.format(width, height, chart.kind)
    return opened + title + Markup("").join(content) + Markup("</svg>")


def draw_text(x: float, y: float, text: str, name: str = "", anchor: str = "start") -> Markup:
    """Write a text; control characters become visible."""
    return Markup('<text x="{:.1f}" y="{:.1f}" class="{}" text-anchor="{}">{}</text>').format(
        x, y, name, anchor, printable(text)
    )


def draw_line(x1: float, y1: float, x2: float, y2: float, name: str) -> Markup:
    """Draw a line."""
    return Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="{}"/>').format(
        x1, y1, x2, y2, name
    )


def draw_box(x: float, y: float, width: float, height: float, name: str, tip: str = "") -> Markup:
    """Draw a box; `tip` is shown while a mouse is on it."""
    shape = Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}">{}</rect>'
    )
    title = Markup("<title>{}</title>").format(printable(tip)) if tip else Markup("")
    return shape.format(x, y, max(width, 0.0), height, name, title)


def draw_circle(x: float, y: float, radius: float, name: str, tip: str = "") -> Markup:
    """Draw a circle; `tip` is shown while a mouse is on it."""
    title = Markup("<title>{}</title>").format(printable(tip)) if tip else Markup("")
    shape = Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{:g}" class="{}">{}</circle>')
    return shape.format(x, y, radius, name, title)


def shorten_label(label: str, most: int = _LONGEST_LABEL) -> str:
    """Cut a label that has no room."""
    return label if len(label) <= most else f"{label[: most - 1]}…"


def draw_label(y: float, label: str) -> Markup:
    """Name a row at the left of it; what stands in a second line is dimmed."""
    first, _, second = label.partition("\n")
    if not second:
        return draw_text(LABELS - 10, y + 4, shorten_label(first), "label", "end")
    above = draw_text(LABELS - 10, y - 2, shorten_label(first), "label", "end")
    return above + draw_text(LABELS - 10, y + 13, shorten_label(second), "mark", "end")


class Scale:
    """Numbers to places on the horizontal axis, with round marks."""

    def __init__(self, low: float, high: float) -> None:
        step = _round_step((high - low) or 1.0)
        self.low = floor(low / step) * step
        self.high = self.low + step * -(-(high - self.low) // step) if high > self.low else low + 1
        count = round((self.high - self.low) / step)
        self.marks = [self.low + step * place for place in range(count + 1)]

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return LABELS + share * (WIDTH - LABELS - RIGHT)

    def axis(self, bottom: float, show: Callable[[float], str]) -> list[Markup]:
        """Draw a line for each mark, and its value below."""
        drawn = []
        for mark in self.marks:
            drawn.append(draw_line(self(mark), TOP, self(mark), bottom, "grid"))
            drawn.append(draw_text(self(mark), bottom + 16, show(mark), "mark", "middle"))
        return drawn


def _round_step(span: float) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that divides a span in about five."""
    rough = span / 5
    power: float = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
