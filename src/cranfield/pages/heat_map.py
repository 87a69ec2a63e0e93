"""A heat map: a row for each series, a column for each label, coloured by gain or loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cranfield.formats import printable, show_difference
from cranfield.pages.chart_shapes import (
    LABELS,
    TOP,
    WIDTH,
    draw_box,
    draw_label,
    draw_svg,
    draw_text,
    shorten_label,
)

if TYPE_CHECKING:
    from cranfield.formats import Chart

__all__ = ["draw_heat_map"]

_ROW = 22
_HEAD = 92
_NARROWEST = 34
_LONGEST_HEAD = 20
_STEPS = 4
_NOTHING = 0.0005
"""Changes below this are shown as none: they would be written as 0.000."""


def draw_heat_map(chart: Chart) -> Markup:
    """Draw the map; the strongest colour is the largest change of all."""
    labels = list(dict.fromkeys(label for series in chart.series for label, _ in series.points))
    changes = [abs(numbers[0]) for series in chart.series for _, numbers in series.points]
    most = max(changes, default=0.0) or 1.0
    width = max(_NARROWEST, (WIDTH - LABELS) / len(labels))
    drawn = [_head(LABELS + width * (at + 0.5), label) for at, label in enumerate(labels)]
    for row, series in enumerate(chart.series):
        y = TOP + _HEAD + _ROW * row
        drawn.append(draw_label(y + _ROW / 2, series.name))
        for label, (change, *_) in series.points:
            x = LABELS + width * labels.index(label)
            tip = f"{series.name}, {label}: {show_difference(change)}"
            drawn.append(draw_box(x, y, width - 1, _ROW - 1, _shade(change, most), tip))
            if abs(change) >= _NOTHING:
                text = f"{change:+.2f}"
                drawn.append(draw_text(x + width / 2, y + 15, text, "mark", "middle"))
    height = TOP + _HEAD + _ROW * len(chart.series) + 6
    return draw_svg(chart, height, drawn, max(WIDTH, LABELS + width * len(labels)))


def _shade(change: float, most: float) -> str:
    """Return the class of a colour: a gain or a loss, in four steps."""
    if abs(change) < _NOTHING:
        return "heat none"
    step = min(_STEPS, int(_STEPS * abs(change) / most) + 1)
    return f"heat {'gain' if change > 0 else 'loss'}-{step}"


def _head(x: float, label: str) -> Markup:
    """Write the name of a column, turned so that many find room."""
    y = TOP + _HEAD - 6
    shape = Markup(
        '<text x="{0:.1f}" y="{1:.1f}" class="label" transform="rotate(-50 {0:.1f} {1:.1f})">'
        "{2}</text>"
    )
    return shape.format(x, y, printable(shorten_label(label, _LONGEST_HEAD)))
