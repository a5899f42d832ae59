"""Charts of values with intervals, as SVG files without dependencies.

Marks differ in shape, and labels and values are written out, so that colour says nothing alone. The colours
fit a white page; viewers that prefer dark pages get lighter ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from numberduels.arena.formatting import visible

WIDTH = 760
TOP, ROW, HEAD = 64, 24, 30
"""The height of the title, of a row, and of the name of a group."""
LETTER = 7.4
"""The average width of a letter."""
LONGEST = 40
"""The most letters of a label."""

COLOURS = (
    *(("#0b5c9e", "#7cc0f5"), ("#a35200", "#f2ad62"), ("#1c6b45", "#6fd3a2"), ("#8a2a6b", "#eb97cd")),
    *(("#5b4a9e", "#b8a9f5"), ("#7a6400", "#dcc44f"), ("#26323f", "#e6ebf0"), ("#a3161b", "#ff9a94")),
)
"""The colours of series: on a white page and on a dark one."""
SHAPES = (
    "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z",
    "M-4.5 -4.5H4.5V4.5H-4.5Z",
    "M0 -6.5L6.5 0L0 6.5L-6.5 0Z",
    "M0 -6L6 5H-6Z",
    "M0 6L6 -5H-6Z",
    "M-6 -2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z",
)
"""A disc, a square, a diamond, two triangles and a cross. Later series repeat them hollow."""
DASHES = ("", "6 3", "2 3", "8 3 2 3")

STYLE = "".join(
    [
        "@media (prefers-color-scheme: dark) {",
        ".page{fill:#14181d} .ink{fill:#e6ebf0} .pale{fill:#aab4be}",
        ".grid{stroke:#3a444e} .axis{stroke:#8b97a3} .band{fill:#1d232a}",
        *(
            f" .f{number}{{fill:{dark}}} .l{number}{{stroke:{dark}}}"
            for number, (_, dark) in enumerate(COLOURS)
        ),
        "}",
    ]
)


class Estimate(NamedTuple):
    """A value with its interval, in the units of the axis."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a chart of rows."""

    label: str
    estimate: Estimate | None
    told: str
    """The value in words, written at the right."""
    shape: int = 0


@dataclass(frozen=True, slots=True)
class Axis:
    """The horizontal or vertical axis, with lines at the ticks."""

    label: str
    low: float
    high: float
    ticks: Sequence[float]
    sign: bool = False
    """Whether positive ticks have a plus sign."""

    def text(self, tick: float) -> str:
        """The label of a tick."""
        return f"{tick:+g}" if self.sign and tick else f"{tick:g}"

    def place(self, value: float, start: float, length: float) -> float:
        """Where a value is, on a line that starts there."""
        clipped = min(max(value, self.low), self.high)
        return start + (clipped - self.low) / (self.high - self.low) * length


PERCENT = Axis("percent", 0, 100, (0, 25, 50, 75, 100))


def difference_axis(label: str, estimates: Sequence[Estimate]) -> Axis:
    """An axis around 0 that is long enough for these differences.

    >>> difference_axis("points", [Estimate(-12, -31, 4)]).ticks
    (-40, -20, 0, 20, 40)
    """
    reach = max([1.0, *(max(abs(each.low), abs(each.high)) for each in estimates)])
    step = next(step for step in (5, 10, 20, 25, 50) if 2 * step >= reach or step == 50)
    return Axis(label, -2 * step, 2 * step, tuple(step * number for number in range(-2, 3)), sign=True)


def draw_rows(title: str, note: str, axis: Axis, groups: Sequence[tuple[str, Sequence[Row]]]) -> str:
    """A chart with one row for each estimate, in groups that have a name."""
    labels = [row.label for _, rows in groups for row in rows] + [name for name, _ in groups]
    told = max(len(row.told) for _, rows in groups for row in rows)
    left = 42 + LETTER * min(LONGEST, max(map(len, labels)))
    right = WIDTH - 38 - LETTER * told
    height = TOP + sum(HEAD + ROW * len(rows) for _, rows in groups) + 48
    bottom = height - 44
    parts = [*_grid_columns(axis, left, right, bottom)]
    y = float(TOP)
    for number, (name, rows) in enumerate(groups):
        parts.append(_text(20, y + 21, _cut(name), 'font-weight="600"'))
        y += HEAD
        for row in rows:
            middle = y + ROW / 2
            parts.append(_text(30, middle + 4, _cut(row.label)))
            parts.append(_text(WIDTH - 18, middle + 4, row.told, 'text-anchor="end"'))
            if row.estimate:
                parts += _horizontal(row, axis, left, right, middle, number)
            y += ROW
    rows_told = "; ".join(f"{name}, {row.label}: {row.told}" for name, rows in groups for row in rows)
    return _svg(title, note, height, parts, rows_told)


def _grid_columns(axis: Axis, left: float, right: float, bottom: float) -> Iterator[str]:
    for tick in axis.ticks:
        x = axis.place(tick, left, right - left)
        kind = ("axis", "#8b97a3") if axis.sign and not tick else ("grid", "#dde3e8")
        yield f'<path class="{kind[0]}" d="M{x:.1f} {TOP + 4}V{bottom}" stroke="{kind[1]}"/>'
        yield _text(x, bottom + 16, axis.text(tick), 'text-anchor="middle"', pale=True)
    yield _text((left + right) / 2, bottom + 33, axis.label, 'text-anchor="middle"', pale=True)


def _horizontal(row: Row, axis: Axis, left: float, right: float, y: float, series: int) -> Iterator[str]:
    assert row.estimate is not None
    x, low, high = (axis.place(value, left, right - left) for value in row.estimate)
    yield _line(f"M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 4}v8M{high:.1f} {y - 4}v8", series)
    yield mark(row.shape, series, x, y)


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel of a chart of panels: for each series an estimate for each category, or None."""

    name: str
    categories: Sequence[str]
    series: Sequence[Sequence[Estimate | None]]


def draw_panels(title: str, note: str, axis: Axis, names: Sequence[str], panels: Sequence[Panel]) -> str:
    """A chart with panels side by side: lines over categories, one for each name."""
    lines = max(category.count(":") for panel in panels for category in panel.categories) + 1
    tall, wide = 190, (WIDTH - 40) / 2
    pitch = tall + 46 + 16 * lines
    legend = list(_legend(names))
    begin = TOP + 22 * legend_lines(names) + 6
    height = begin + pitch * ((len(panels) + 1) // 2)
    parts = [*legend]
    for number, panel in enumerate(panels):
        left, top = 20 + wide * (number % 2), begin + pitch * (number // 2)
        parts += _panel(panel, axis, left + 44, left + wide - 14, top + 24, top + 24 + tall)
    told = "; ".join(
        f"{panel.name}, {category}, {name}: {estimate.value:.0f}"
        for panel in panels
        for name, series in zip(names, panel.series, strict=True)
        for category, estimate in zip(panel.categories, series, strict=True)
        if estimate
    )
    return _svg(title, note, height, parts, told)


def _panel(panel: Panel, axis: Axis, left: float, right: float, top: float, bottom: float) -> Iterator[str]:
    yield _text(left, top - 9, _cut(panel.name), 'font-weight="600"')
    step = (right - left) / len(panel.categories)
    for place in range(0, len(panel.categories), 2):  # a band behind every other category
        x, tall = left + step * place, bottom - top
        yield f'<rect class="band" x="{x:.1f}" y="{top}" width="{step:.1f}" height="{tall}" fill="#f1f4f7"/>'
    for tick in axis.ticks:
        y = axis.place(tick, bottom, top - bottom)
        yield f'<path class="grid" d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="#dde3e8"/>'
        yield _text(left - 6, y + 4, axis.text(tick), 'text-anchor="end"', pale=True)
    for place, category in enumerate(panel.categories):
        x = left + step * (place + 0.5)
        for line, part in enumerate(category.split(":")):
            yield _text(x, bottom + 17 + 16 * line, _cut(part, 16), 'text-anchor="middle"')
    gap = min(16.0, step * 0.78 / max(1, len(panel.series)))
    for number, series in enumerate(panel.series):
        shift = (number - (len(panel.series) - 1) / 2) * gap
        spots = [
            (left + step * (place + 0.5) + shift, estimate)
            for place, estimate in enumerate(series)
            if estimate is not None
        ]
        points = [(x, axis.place(each.value, bottom, top - bottom)) for x, each in spots]
        if len(points) > 1:
            way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            yield _line(f"M{way}", number, dash=DASHES[number % len(DASHES)], width=1)
        for (x, each), (_, y) in zip(spots, points, strict=True):
            low, high = (axis.place(end, bottom, top - bottom) for end in (each.low, each.high))
            yield _line(
                f"M{x:.1f} {low:.1f}V{high:.1f}M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6", number
            )
            yield mark(number, number, x, y)


def _legend(names: Sequence[str]) -> Iterator[str]:
    for number, (line, x, name) in enumerate(_legend_places(names)):
        y = TOP + 8 + 22 * line
        yield _line(f"M{x} {y}h28", number, dash=DASHES[number % len(DASHES)], width=1)
        yield mark(number, number, x + 14, y)
        yield _text(x + 36, y + 4, name)


def _legend_places(names: Sequence[str]) -> Iterator[tuple[int, float, str]]:
    """The line, the place in it and the text of each entry."""
    line, x = 0, 20.0
    for name in map(_cut, names):
        length = 54 + LETTER * len(name)
        if x > 20 and x + length > WIDTH - 10:
            line, x = line + 1, 20.0
        yield line, x, name
        x += length


def legend_lines(names: Sequence[str]) -> int:
    """How many lines the legend takes."""
    return max((line for line, _, _ in _legend_places(names)), default=-1) + 1


def mark(shape: int, series: int, x: float, y: float) -> str:
    """A mark; shapes beyond the last repeat hollow."""
    number = series % len(COLOURS)
    colour = COLOURS[number][0]
    place = f'd="{SHAPES[shape % len(SHAPES)]}" transform="translate({x:.1f} {y:.1f})"'
    if shape // len(SHAPES) % 2:
        return f'<path class="page l{number}" {place} fill="#ffffff" stroke="{colour}" stroke-width="1.6"/>'
    return f'<path class="f{number}" {place} fill="{colour}"/>'


def _line(way: str, series: int, *, dash: str = "", width: float = 1.6) -> str:
    number = series % len(COLOURS)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path class="l{number}" d="{way}" fill="none" stroke="{COLOURS[number][0]}"'
        f' stroke-width="{width}"{dashes}/>'
    )


def _text(x: float, y: float, text: str, more: str = "", *, pale: bool = False) -> str:
    kind, colour = ("pale", "#55616c") if pale else ("ink", "#26323f")
    size = ' font-size="12"' if pale else ""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" fill="{colour}"{size}{" " if more else ""}{more}>'
        f"{escape(visible(text))}</text>"
    )


def _svg(title: str, note: str, height: float, parts: Sequence[str], told: str) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}"'
        f' height="{height:g}" role="img" aria-labelledby="title desc"'
        ' font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif" font-size="13">',
        f'<title id="title">{escape(visible(title))}</title>',
        f'<desc id="desc">{escape(visible(f"{note} {told}."))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height:g}" fill="#ffffff"/>',
        _text(20, 28, title, 'font-size="17" font-weight="600"'),
        _text(20, 48, note, pale=True),
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _cut(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"
