"""Charts as inline SVG, by kind. Colours and fonts come from the page's style sheet, by class.

Every chart has its numbers in words as its description, so that it can be read without being seen.
"""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

from markupsafe import Markup

from cranfield.formats import printable, show_difference, show_milliseconds, show_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.formats import Chart

__all__ = ["draw_chart", "slug"]

_WIDTH = 720
_LABELS = 230
_RIGHT = 60
_ROW = 26
_TOP = 12
_AXIS = 28
_LINE_WIDTHS = (1.2, 9.0)
_HIGH = 300


def draw_chart(chart: Chart) -> Markup:
    """Draw a chart; nothing if it has no points."""
    if not any(series.points for series in chart.series):
        return Markup("")
    return _DRAWN[chart.kind](chart)


def slug(name: str) -> str:
    """Make a class name of a name: what a style sheet colours by."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def _svg(chart: Chart, height: float, content: list[Markup]) -> Markup:
    start = Markup('<svg viewBox="0 0 {} {:.0f}" role="img" class="chart {}">')
    title = Markup("<title>{}</title><desc>{}</desc>").format(
        printable(chart.title), printable(chart.summary)
    )
    opened = start.format(_WIDTH, height, chart.kind)
    return opened + title + Markup("").join(content) + Markup("</svg>")


def _text(x: float, y: float, text: str, name: str = "", anchor: str = "start") -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" class="{}" text-anchor="{}">{}</text>').format(
        x, y, name, anchor, printable(text)
    )


def _line(x1: float, y1: float, x2: float, y2: float, name: str) -> Markup:
    return Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="{}"/>').format(
        x1, y1, x2, y2, name
    )


def _box(x: float, y: float, width: float, height: float, name: str, tip: str = "") -> Markup:
    shape = Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}">{}</rect>'
    )
    title = Markup("<title>{}</title>").format(printable(tip)) if tip else Markup("")
    return shape.format(x, y, max(width, 0.0), height, name, title)


def _short(label: str, most: int = 34) -> str:
    return label if len(label) <= most else f"{label[: most - 1]}…"


class _Scale:
    """Numbers to places on the horizontal axis, with round marks."""

    def __init__(self, low: float, high: float) -> None:
        step = _round_step((high - low) or 1.0)
        self.low = floor(low / step) * step
        self.high = self.low + step * -(-(high - self.low) // step) if high > self.low else low + 1
        count = round((self.high - self.low) / step)
        self.marks = [self.low + step * place for place in range(count + 1)]

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _LABELS + share * (_WIDTH - _LABELS - _RIGHT)

    def axis(self, bottom: float, show: Callable[[float], str]) -> list[Markup]:
        drawn = []
        for mark in self.marks:
            drawn.append(_line(self(mark), _TOP, self(mark), bottom, "grid"))
            drawn.append(_text(self(mark), bottom + 16, show(mark), "mark", "middle"))
        return drawn


def _round_step(span: float) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that divides a span in about five."""
    rough = span / 5
    power: float = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def _intervals(chart: Chart) -> Markup:
    """Draw a forest plot: a difference and its interval a row, the margin shaded."""
    points = [point for series in chart.series for point in series.points]
    band = chart.band or (0.0, 0.0)
    ends = [0.0, *band, *(number for _, numbers in points for number in numbers)]
    scale = _Scale(min(ends), max(ends))
    bottom = _TOP + _ROW * len(points)
    drawn = [_box(scale(band[0]), _TOP, scale(band[1]) - scale(band[0]), bottom - _TOP, "band")]
    drawn += scale.axis(bottom, lambda mark: f"{mark:+.3g}" if mark else "0")
    drawn.append(_line(scale(0), _TOP, scale(0), bottom, "zero"))
    for place, (label, (value, low, high)) in enumerate(points):
        y = _TOP + _ROW * (place + 0.5)
        side = "gain" if low > 0 else "loss" if high < 0 else "open"
        drawn.append(_text(_LABELS - 10, y + 4, _short(label), "label", "end"))
        drawn.append(_line(scale(low), y, scale(high), y, f"interval {side}"))
        dot = Markup('<circle cx="{:.1f}" cy="{:.1f}" r="4.5" class="dot {}"/>')
        drawn.append(dot.format(scale(value), y, side))
        drawn.append(_text(_WIDTH - 2, y + 4, show_difference(value), "number", "end"))
    return _svg(chart, bottom + _AXIS, drawn)


def _shares(chart: Chart) -> Markup:
    """Draw one stacked bar a row, all of one length, and the key below."""
    rows = list(dict.fromkeys(label for series in chart.series for label, _ in series.points))
    counts = {(s.name, label): numbers[0] for s in chart.series for label, numbers in s.points}
    drawn: list[Markup] = []
    for place, label in enumerate(rows):
        y = _TOP + _ROW * place
        total = sum(counts.get((series.name, label), 0) for series in chart.series) or 1
        x = float(_LABELS)
        drawn.append(_text(_LABELS - 10, y + 17, _short(label), "label", "end"))
        for series in chart.series:
            count = counts.get((series.name, label), 0)
            width = count / total * (_WIDTH - _LABELS - _RIGHT)
            if count:
                tip = f"{label}: {count:.0f} {series.name}"
                drawn.append(_box(x, y + 3, width, _ROW - 6, f"share {slug(series.name)}", tip))
            if width > 24:
                drawn.append(_text(x + width / 2, y + 17, f"{count:.0f}", "inside", "middle"))
            x += width
        drawn.append(_text(_WIDTH - 2, y + 17, f"{total:.0f}", "number", "end"))
    return _with_key(chart, _TOP + _ROW * len(rows) + 14, drawn)


def _with_key(chart: Chart, top: float, drawn: list[Markup]) -> Markup:
    """Add which colour is which series, in lines as wide as the chart."""
    x, y = 0.0, top
    for series in chart.series:
        width = 26 + 7.2 * len(series.name)
        if x + width > _WIDTH:
            x, y = 0.0, y + 20
        drawn.append(_box(x, y, 12, 12, f"share {slug(series.name)}"))
        drawn.append(_text(x + 17, y + 10.5, series.name, "key"))
        x += width
    return _svg(chart, y + 20, drawn)


def _flows(chart: Chart) -> Markup:
    """Draw the ranks before at the left and after at the right, and a line for each move."""
    missing = chart.missing or 1
    left, right = 70.0, _WIDTH - 70.0
    step = _HIGH / max(missing - 1, 1)
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
            ends = [_TOP + 10 + step * (rank - 1) for rank in (before, after)]
            tip = f"{count:.0f} {series.name}: {_rank(before, missing)} → {_rank(after, missing)}"
            drawn.append(shape.format(left, ends[0], right, ends[1], width, slug(series.name), tip))
    every = max(1, -(-missing // 12))
    for rank in range(1, missing + 1):
        if rank % every == 0 or rank in (1, missing):
            y = _TOP + 14 + step * (rank - 1)
            drawn.append(_text(left - 10, y, _rank(rank, missing), "mark", "end"))
            drawn.append(_text(right + 10, y, _rank(rank, missing), "mark"))
    return _with_key(chart, _TOP + _HIGH + 34, drawn)


def _rank(rank: float, missing: int) -> str:
    return "none" if rank >= missing else f"{rank:.0f}"


def _spans(chart: Chart) -> Markup:
    """Draw a bar from the lower to the upper time a row, one row for each series of a label."""
    rows = [
        (label, place, series.name, numbers)
        for place, series in enumerate(chart.series)
        for label, numbers in series.points
    ]
    order = {label: place for place, label in enumerate(dict.fromkeys(row[0] for row in rows))}
    rows.sort(key=lambda row: (order[row[0]], row[1]))
    scale = _Scale(0.0, max(row[3][1] for row in rows) * 1000)
    bottom = _TOP + _ROW * len(rows)
    drawn = scale.axis(bottom, lambda mark: f"{mark:.4g} ms")
    for place, (label, arm, name, (low, high)) in enumerate(rows):
        y = _TOP + _ROW * (place + 0.5)
        tip = f"{label}, {name}: {show_milliseconds(low)}, {show_milliseconds(high)}"
        drawn.append(_text(_LABELS - 10, y + 4, _short(f"{label}, {name}"), "label", "end"))
        start, end = scale(low * 1000), scale(high * 1000)
        drawn.append(_box(start, y - 5, max(end - start, 2), 10, f"arm-{arm}", tip))
        drawn.append(_text(_WIDTH - 2, y + 4, f"{high * 1000:.1f}", "number", "end"))
    return _svg(chart, bottom + _AXIS, drawn)


def _bars(chart: Chart) -> Markup:
    """Draw a bar a point, from 0."""
    points = [point for series in chart.series for point in series.points]
    values = [numbers[0] for _, numbers in points]
    scale = _Scale(min(0.0, *values), max(1.0, *values))
    bottom = _TOP + _ROW * len(points)
    drawn = scale.axis(bottom, lambda mark: f"{mark:.3g}")
    for place, (label, (value, *_)) in enumerate(points):
        y = _TOP + _ROW * place
        ends = sorted((scale(0.0), scale(value)))
        drawn.append(_text(_LABELS - 10, y + 17, _short(label), "label", "end"))
        drawn.append(_box(ends[0], y + 5, max(ends[1] - ends[0], 1), _ROW - 10, "arm-1"))
        drawn.append(_text(_WIDTH - 2, y + 17, show_value(value), "number", "end"))
    return _svg(chart, bottom + _AXIS, drawn)


def _slopes(chart: Chart) -> Markup:
    """Draw a value before and after a row, joined by a line."""
    points = [point for series in chart.series for point in series.points]
    scale = _Scale(0.0, max(1.0, *(number for _, numbers in points for number in numbers)))
    bottom = _TOP + _ROW * len(points)
    drawn = scale.axis(bottom, lambda mark: f"{mark:.3g}")
    for place, (label, (before, after)) in enumerate(points):
        y = _TOP + _ROW * (place + 0.5)
        side = "gain" if after > before else "loss" if after < before else "open"
        drawn.append(_text(_LABELS - 10, y + 4, _short(label), "label", "end"))
        drawn.append(_line(scale(before), y, scale(after), y, f"interval {side}"))
        dot = Markup('<circle cx="{:.1f}" cy="{:.1f}" r="4.5" class="dot {}"/>')
        drawn.append(dot.format(scale(after), y, side))
        drawn.append(_text(_WIDTH - 2, y + 4, show_value(after), "number", "end"))
    return _svg(chart, bottom + _AXIS, drawn)


def _lines(chart: Chart) -> Markup:
    """Draw values over the runs, oldest at the left, a line for each series with its marks."""
    points = [numbers for series in chart.series for _, numbers in series.points]
    last = max(place for place, _ in points) or 1.0
    left, right, high = 60.0, _WIDTH - 20.0, 180.0

    def at(place: float, value: float) -> tuple[float, float]:
        return left + (right - left) * place / last, _TOP + high * (1 - min(max(value, 0.0), 1.0))

    drawn: list[Markup] = []
    for mark in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = at(0, mark)[1]
        drawn.append(_line(left, y, right, y, "grid"))
        drawn.append(_text(left - 8, y + 4, f"{mark:g}", "mark", "end"))
    for number, series in enumerate(chart.series):
        places = [at(*numbers) for _, numbers in series.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        shape = Markup('<polyline points="{}" class="series series-{}"/>')
        drawn.append(shape.format(path, number % 6))
        for (label, (_, value)), (x, y) in zip(series.points, places, strict=True):
            tip = printable(f"{series.name}, {label}: {show_value(value)}")
            dot = Markup(
                '<circle cx="{:.1f}" cy="{:.1f}" r="4" class="point series-{}">'
                "<title>{}</title></circle>"
            )
            drawn.append(dot.format(x, y, number % 6, tip))
    x = left
    for number, series in enumerate(chart.series):
        drawn.append(_box(x, _TOP + high + 14, 12, 12, f"point series-{number % 6}"))
        drawn.append(_text(x + 17, _TOP + high + 24.5, _short(series.name), "key"))
        x += 30 + 7.2 * min(len(series.name), 34)
    return _svg(chart, _TOP + high + 36, drawn)


_DRAWN: dict[str, Callable[[Chart], Markup]] = {
    "bars": _bars,
    "flows": _flows,
    "intervals": _intervals,
    "lines": _lines,
    "shares": _shares,
    "slopes": _slopes,
    "spans": _spans,
}
