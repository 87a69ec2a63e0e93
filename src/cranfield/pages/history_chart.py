"""Values over time: a line for each system, oldest at the left, with marks for releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cranfield.formats import show_value
from cranfield.pages.chart_shapes import (
    TOP,
    WIDTH,
    Scale,
    draw_circle,
    draw_line,
    draw_svg,
    draw_text,
    shorten_label,
)

if TYPE_CHECKING:
    from cranfield.formats import Chart, Series

__all__ = ["draw_lines"]

_LEFT, _RIGHT = 52.0, WIDTH - 16.0
_UPPER = TOP + 16.0
_HEIGHT = 150.0
_LEAST_SPAN = 0.1
_LONGEST_MARK = 12


class _Field:
    """Where a value of a run is drawn."""

    def __init__(self, chart: Chart) -> None:
        points = [numbers for series in chart.series for _, numbers in series.points]
        self.last = max(place for place, _ in points)
        self.scale = Scale(*_widened([value for _, value in points]))

    def x(self, place: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * (place / self.last if self.last else 0.5)

    def y(self, value: float) -> float:
        share = (value - self.scale.low) / (self.scale.high - self.scale.low)
        return _UPPER + _HEIGHT * (1 - share)


def draw_lines(chart: Chart) -> Markup:
    """Draw values over the runs; releases are marked."""
    field = _Field(chart)
    drawn: list[Markup] = []
    for mark in field.scale.marks:
        drawn.append(draw_line(_LEFT, field.y(mark), _RIGHT, field.y(mark), "grid"))
        drawn.append(draw_text(_LEFT - 8, field.y(mark) + 4, f"{mark:.3g}", "mark", "end"))
    drawn += _releases(chart, field)
    for number, series in enumerate(chart.series):
        drawn += _series(series, number, field)
    first, last = _ends(chart)
    below = _UPPER + _HEIGHT + 18
    drawn.append(draw_text(_LEFT, below, shorten_label(first, 30), "mark"))
    if field.last:
        drawn.append(draw_text(_RIGHT, below, shorten_label(last, 30), "mark", "end"))
    return draw_svg(chart, below + 8, drawn)


def _series(series: Series, number: int, field: _Field) -> list[Markup]:
    places = [(field.x(place), field.y(value)) for _, (place, value) in series.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    shape = Markup('<polyline points="{}" class="series series-{}"/>')
    drawn = [shape.format(path, number % 6)]
    for (label, (_, value)), (x, y) in zip(series.points, places, strict=True):
        tip = f"{series.name}, {label}: {show_value(value)}"
        drawn.append(draw_circle(x, y, 4, f"share series-{number % 6}", tip))
    return drawn


def _widened(values: list[float]) -> tuple[float, float]:
    """Return the range of values, wide enough that noise does not fill the chart."""
    low, high = min(values), max(values)
    lack = max(_LEAST_SPAN - (high - low), 0.0) / 2
    upper = high + lack if high > 1 else min(high + lack, 1.0)
    lower = min(low, upper - _LEAST_SPAN)
    return (lower if low < 0 else max(lower, 0.0)), upper


def _releases(chart: Chart, field: _Field) -> list[Markup]:
    """Draw a line for each release, and name as many as have room."""
    drawn: list[Markup] = []
    free = 0.0
    for place, name in chart.marks:
        x = field.x(place)
        drawn.append(draw_line(x, _UPPER - 6, x, _UPPER + _HEIGHT, "release"))
        shown = shorten_label(name, _LONGEST_MARK)
        width = 8.0 * len(shown)
        anchor = "end" if x + width / 2 > WIDTH else "middle"
        start = x - (width if anchor == "end" else width / 2)
        if start >= free:
            drawn.append(draw_text(x, _UPPER - 10, shown, "mark", anchor))
            free = start + width + 6
    return drawn


def _ends(chart: Chart) -> tuple[str, str]:
    """Return the labels of the first and the last point of all series."""
    named = [(numbers[0], label) for series in chart.series for label, numbers in series.points]
    return min(named, key=lambda each: each[0])[1], max(named, key=lambda each: each[0])[1]
