"""Charts of pages: one function draws each kind, of the shapes in `chart_shapes.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cranfield.formats import printable, show_difference, show_milliseconds, show_value
from cranfield.web.chart_shapes import (
    LABELS,
    RIGHT,
    TOP,
    WIDTH,
    Scale,
    draw_box,
    draw_circle,
    draw_label,
    draw_line,
    draw_svg,
    draw_text,
    shorten_label,
    slug,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cranfield.formats import Chart, Series

__all__ = [
    "draw_chart",
    "draw_heat_map",
    "draw_lines",
    "key_of",
]

_ROW = 28
_TALL_ROW = 36
_AXIS = 28
_FLOW_WIDTH, _FLOW_HEIGHT = 300, 190
_LINE_WIDTHS = (1.2, 9.0)


def draw_chart(chart: Chart) -> Markup:
    """Draw a chart; nothing if it has no points."""
    if not any(series.points for series in chart.series):
        return Markup("")
    return _DRAWN[chart.kind](chart)


def key_of(charts: Sequence[Chart]) -> list[tuple[str, str]]:
    """Return what the colours of charts stand for: the class of a colour, and its meaning."""
    keys: dict[str, str] = {}
    for chart in charts:
        for number, series in enumerate(chart.series):
            if chart.kind in ("shares", "flows"):
                keys.setdefault(slug(series.name), series.name)
            elif chart.kind in ("spans", "lines"):
                kind = "arm" if chart.kind == "spans" else "series"
                keys.setdefault(f"{kind}-{number % 6}", series.name)
    return list(keys.items())


def _intervals(chart: Chart) -> Markup:
    """Draw a forest plot: a difference and its interval a row, the margin shaded."""
    points = [point for series in chart.series for point in series.points]
    band = chart.band or (0.0, 0.0)
    ends = [0.0, *band, *(number for _, numbers in points for number in numbers)]
    scale = Scale(min(ends), max(ends))
    row = _TALL_ROW if any("\n" in label for label, _ in points) else _ROW
    bottom = TOP + row * len(points)
    drawn = [draw_box(scale(band[0]), TOP, scale(band[1]) - scale(band[0]), bottom - TOP, "band")]
    drawn += scale.axis(bottom, lambda mark: f"{mark:+.3g}" if mark else "0")
    drawn.append(draw_line(scale(0), TOP, scale(0), bottom, "zero"))
    for place, (label, (value, low, high)) in enumerate(points):
        y = TOP + row * (place + 0.5)
        side = "gain" if low > 0 else "loss" if high < 0 else "open"
        drawn.append(draw_label(y, label))
        drawn.append(draw_line(scale(low), y, scale(high), y, f"interval {side}"))
        drawn.append(draw_circle(scale(value), y, 4.5, f"dot {side}"))
        drawn.append(draw_text(WIDTH - 2, y + 4, show_difference(value), "number", "end"))
    return draw_svg(chart, bottom + _AXIS, drawn)


def _shares(chart: Chart) -> Markup:
    """Draw one stacked bar a row, all of one length."""
    rows = list(dict.fromkeys(label for series in chart.series for label, _ in series.points))
    counts = {(s.name, label): numbers[0] for s in chart.series for label, numbers in s.points}
    drawn: list[Markup] = []
    for place, label in enumerate(rows):
        y = TOP + _TALL_ROW * (place + 0.5)
        total = sum(counts.get((series.name, label), 0) for series in chart.series) or 1
        x = float(LABELS)
        drawn.append(draw_label(y, label))
        for series in chart.series:
            count = counts.get((series.name, label), 0)
            width = count / total * (WIDTH - LABELS - RIGHT)
            if count:
                tip = f"{label}: {count:.0f} {series.name}"
                drawn.append(draw_box(x, y - 11, width, 22, f"share {slug(series.name)}", tip))
            if width > 24:
                drawn.append(draw_text(x + width / 2, y + 4, f"{count:.0f}", "inside", "middle"))
            x += width
        drawn.append(draw_text(WIDTH - 2, y + 4, f"{total:.0f}", "number", "end"))
    return draw_svg(chart, TOP + _TALL_ROW * len(rows) + 6, drawn)


def _flows(chart: Chart) -> Markup:
    """Draw the ranks before at the left and after at the right, and a line for each move."""
    missing = chart.missing or 1
    left, right, top = 42.0, _FLOW_WIDTH - 42.0, TOP + 26.0
    step = _FLOW_HEIGHT / max(missing - 1, 1)
    most = max(numbers[2] for series in chart.series for _, numbers in series.points)
    thin, thick = _LINE_WIDTHS
    drawn: list[Markup] = []
    for series in chart.series:
        for _, (before, after, count) in series.points:
            width = thin + (thick - thin) * (count - 1) / max(most - 1, 1)
            shape = Markup(
                '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke-width="{:.1f}" '
                'class="flow {}"><title>{}</title></line>'
            )
            ends = [top + step * (rank - 1) for rank in (before, after)]
            moved = " → ".join(_name_rank(rank, missing) for rank in (before, after))
            tip = f"{count:.0f} {series.name}: {moved}"
            drawn.append(shape.format(left, ends[0], right, ends[1], width, slug(series.name), tip))
    for x, name, anchor in zip((left, right), chart.ends, ("start", "end"), strict=False):
        drawn.append(draw_text(x, TOP, shorten_label(name, 18), "label", anchor))
    every = max(1, -(-missing // 12))
    for rank in range(1, missing + 1):
        if (rank % every == 0 and rank + every <= missing) or rank in (1, missing):
            y = top + 4 + step * (rank - 1)
            drawn.append(draw_text(left - 8, y, _name_rank(rank, missing), "mark", "end"))
            drawn.append(draw_text(right + 8, y, _name_rank(rank, missing), "mark"))
    return draw_svg(chart, top + _FLOW_HEIGHT + 12, drawn, _FLOW_WIDTH)


def _name_rank(rank: float, missing: int) -> str:
    return "none" if rank >= missing else f"{rank:.0f}"


def _spans(chart: Chart) -> Markup:
    """Draw a bar from the lower to the upper time for each series, the bars of a label together."""
    times = [
        (label, arm, numbers)
        for arm, series in enumerate(chart.series)
        for label, numbers in series.points
    ]
    order = {label: place for place, label in enumerate(dict.fromkeys(each[0] for each in times))}
    row = 17 * len(chart.series) + 6
    scale = Scale(0.0, max(numbers[1] for _, _, numbers in times) * 1000)
    bottom = TOP + row * len(order)
    drawn = scale.axis(bottom, lambda mark: f"{mark:.4g}")
    drawn.append(draw_text(WIDTH - 2, bottom + 16, "ms", "mark", "end"))
    drawn += [draw_label(TOP + row * (place + 0.5), label) for label, place in order.items()]
    for label, arm, (low, high) in times:
        y = TOP + row * order[label] + 17 * (arm + 0.5) + 3
        name = chart.series[arm].name
        tip = f"{label}, {name}: {show_milliseconds(low)}, {show_milliseconds(high)}"
        start, end = scale(low * 1000), scale(high * 1000)
        drawn.append(draw_box(start, y - 5, max(end - start, 2), 10, f"share arm-{arm}", tip))
        drawn.append(draw_text(WIDTH - 2, y + 4, f"{high * 1000:.1f}", "number", "end"))
    return draw_svg(chart, bottom + _AXIS, drawn)


def _bars(chart: Chart) -> Markup:
    """Draw a bar a point, from 0."""
    points = [point for series in chart.series for point in series.points]
    values = [numbers[0] for _, numbers in points]
    scale = Scale(min(0.0, *values), max(1.0, *values))
    bottom = TOP + _ROW * len(points)
    drawn = scale.axis(bottom, lambda mark: f"{mark:.3g}")
    for place, (label, (value, *_)) in enumerate(points):
        y = TOP + _ROW * (place + 0.5)
        ends = sorted((scale(0.0), scale(value)))
        drawn.append(draw_label(y, label))
        drawn.append(draw_box(ends[0], y - 8, max(ends[1] - ends[0], 1), 16, "share arm-1"))
        drawn.append(draw_text(WIDTH - 2, y + 4, show_value(value), "number", "end"))
    return draw_svg(chart, bottom + _AXIS, drawn)


def _slopes(chart: Chart) -> Markup:
    """Draw a value before and after a row, joined by a line."""
    points = [point for series in chart.series for point in series.points]
    scale = Scale(0.0, max(1.0, *(number for _, numbers in points for number in numbers)))
    bottom = TOP + _ROW * len(points)
    drawn = scale.axis(bottom, lambda mark: f"{mark:.3g}")
    for place, (label, (before, after)) in enumerate(points):
        y = TOP + _ROW * (place + 0.5)
        side = "gain" if after > before else "loss" if after < before else "open"
        drawn.append(draw_label(y, label))
        drawn.append(draw_line(scale(before), y, scale(after), y, f"interval {side}"))
        drawn.append(draw_circle(scale(after), y, 4.5, f"dot {side}"))
        drawn.append(draw_text(WIDTH - 2, y + 4, show_value(after), "number", "end"))
    return draw_svg(chart, bottom + _AXIS, drawn)


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


_MAP_ROW = 22
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
        y = TOP + _HEAD + _MAP_ROW * row
        drawn.append(draw_label(y + _MAP_ROW / 2, series.name))
        for label, (change, *_) in series.points:
            x = LABELS + width * labels.index(label)
            tip = f"{series.name}, {label}: {show_difference(change)}"
            drawn.append(draw_box(x, y, width - 1, _MAP_ROW - 1, _shade(change, most), tip))
            if abs(change) >= _NOTHING:
                text = f"{change:+.2f}"
                drawn.append(draw_text(x + width / 2, y + 15, text, "mark", "middle"))
    height = TOP + _HEAD + _MAP_ROW * len(chart.series) + 6
    return draw_svg(chart, height, drawn, max(WIDTH, LABELS + width * len(labels)))


def _shade(change: float, most: float) -> str:
    """Return the class of a colour: a gain or a loss, in four steps."""
    if abs(change) < _NOTHING:
        return "heat none"
    step = min(_STEPS, int(_STEPS * abs(change) / most) + 1)
    return f"heat {'gain' if change > 0 else 'loss'}-{step}"


def _head(x: float, label: str) -> Markup:
    """Write the name of a column, turned so many find room."""
    y = TOP + _HEAD - 6
    shape = Markup(
        '<text x="{0:.1f}" y="{1:.1f}" class="label" transform="rotate(-50 {0:.1f} {1:.1f})">'
        "{2}</text>"
    )
    return shape.format(x, y, printable(shorten_label(label, _LONGEST_HEAD)))


_DRAWN: dict[str, Callable[[Chart], Markup]] = {
    "bars": _bars,
    "flows": _flows,
    "heat": draw_heat_map,
    "intervals": _intervals,
    "lines": draw_lines,
    "shares": _shares,
    "slopes": _slopes,
    "spans": _spans,
}
