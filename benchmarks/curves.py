"""Draws curves as an SVG for light and dark pages; curves differ by dashes as well as by colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from math import log10
from typing import NamedTuple

from numberduels.cli.chart_style import BLUE, GREEN, GREY, ORANGE, PINK, VIOLET, style_sheet

Points = Sequence[tuple[float, float]]
Shown = Callable[[float], str]

DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 4")
"""The pattern of dashes of each curve."""


class Frame(NamedTuple):
    """Where a chart is drawn, and what its axes reach from and to."""

    left: float
    top: float
    width: float
    height: float
    ticks: tuple[Sequence[float], Sequence[float]]
    """The marks of both axes; their first and last are the bounds."""
    logarithmic: bool = False

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Where a point is drawn."""
        scale = log10 if self.logarithmic else float
        shares = []
        for value, marks in zip(point, self.ticks, strict=True):
            low, high = scale(marks[0]), scale(marks[-1])
            shares.append((scale(value) - low) / (high - low))
        return self.left + self.width * shares[0], self.top + self.height * (1 - shares[1])


def draw_scales(frame: Frame, shown: Shown) -> Iterator[str]:
    """The lines and the figures of both axes."""
    left, right, bottom = frame.left, frame.left + frame.width, frame.top + frame.height
    for mark in frame.ticks[1]:
        _, y = frame.place((frame.ticks[0][0], mark))
        yield f'<path class="scale" d="M{left} {y:.1f}H{right}"/>'
        yield f'<text class="text" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{shown(mark)}</text>'
    for mark in frame.ticks[0]:
        x, _ = frame.place((mark, frame.ticks[1][0]))
        yield f'<text class="text" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{_count(mark)}</text>'


def draw_curve(frame: Frame, name: str, number: int, points: Points, shown: Shown) -> Iterator[str]:
    """A curve with its points, in the style of this number."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(frame.place, points))
    dashes = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
    yield (
        f'<polyline class="line{number}" points="{path}" fill="none" stroke-width="2"{dashes}>'
        f"<title>{escape(name)}</title></polyline>"
    )
    for point in points:
        x, y = frame.place(point)
        told = escape(f"{name}: {point[0]:,.0f}, {shown(point[1])}")
        yield (
            f'<circle class="mark{number}" cx="{x:.1f}" cy="{y:.1f}" r="2.6"><title>{told}</title></circle>'
        )


def document(width: float, height: float, title: str, about: str, parts: Sequence[str]) -> str:
    """A whole SVG with its title, its description and its style."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
            f' width="{width:.0f}" height="{height:.0f}" role="img" aria-labelledby="title desc"'
            ' font-family="system-ui, sans-serif" font-size="12">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(about)}</desc>',
            style_sheet(BLUE, ORANGE, GREEN, VIOLET, PINK, GREY),
            '<rect class="ground" width="100%" height="100%"/>',
            *parts,
            "</svg>\n",
        ]
    )


NAMES = 190
"""The space for the names at the ends of the curves."""


def picture(
    title: str,
    about: str,
    axes: tuple[str, str],
    curves: Mapping[str, Points],
    ticks: tuple[Sequence[float], Sequence[float]],
) -> str:
    """One chart, with the names of its curves at their ends."""
    frame = Frame(80, 70, 560, 300, ticks)
    right, bottom = frame.left + frame.width, frame.top + frame.height
    parts = [
        f'<text class="text" x="{frame.left}" y="30" font-size="18" font-weight="600">{escape(title)}</text>',
        f'<text class="soft" x="{frame.left}" y="{frame.top - 14}">{escape(axes[1])}</text>',
        f'<text class="soft" x="{frame.left + frame.width / 2}" y="{bottom + 46}" text-anchor="middle">'
        f"{escape(axes[0])}</text>",
        *draw_scales(frame, _whole),
    ]
    for number, (name, points) in enumerate(curves.items()):
        parts += draw_curve(frame, name, number, points, _whole)
        _, y = frame.place(points[-1])
        parts.append(f'<text class="mark{number}" x="{right + 12}" y="{y + 4:.1f}">{escape(name)}</text>')
    return document(right + NAMES, bottom + 70, title, about, parts)


def _count(number: float) -> str:
    """A number below an axis, short if it is large."""
    return f"{number / 1_000:,.0f}k" if number >= 10_000 else f"{number:,.0f}"


def _whole(value: float) -> str:
    return f"{value:,.0f}"


class Panel(NamedTuple):
    """One of several small charts."""

    title: str
    axis: str
    """What the axis from left to right counts."""
    ticks: Sequence[float]
    curves: Mapping[str, Points]
    """By name, pairs of a size and a cost."""


PANEL, HIGH, SIDE, ABOVE, BELOW = 236, 150, 62, 34, 52
"""The width and the height of a panel, and the space beside, above and below it."""


def small_multiples(title: str, about: str, panels: Sequence[Panel], columns: int, shown: Shown) -> str:
    """Small charts with logarithmic axes, in rows, with one legend for all.

    A curve has the same style in all charts; costs are powers of ten of a second.
    """
    names = list(dict.fromkeys(name for panel in panels for name in panel.curves))
    head = 64
    width = columns * (SIDE + PANEL) + 24
    rows = -(-len(panels) // columns)
    parts = [f'<text class="text" x="24" y="30" font-size="18" font-weight="600">{escape(title)}</text>']
    x = 24.0
    for number, name in enumerate(names):
        dashes = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
        parts.append(f'<path class="line{number}" d="M{x:.0f} 50h26" stroke-width="2"{dashes}/>')
        parts.append(f'<text class="text" x="{x + 32:.0f}" y="54">{escape(name)}</text>')
        x += 56 + 6.6 * len(name)
    for place, panel in enumerate(panels):
        left = SIDE + (place % columns) * (SIDE + PANEL)
        top = head + ABOVE + (place // columns) * (ABOVE + HIGH + BELOW)
        frame = Frame(left, top, PANEL, HIGH, (panel.ticks, _decades(panel.curves)), logarithmic=True)
        middle = left + PANEL / 2
        parts += [
            f'<text class="text" x="{left}" y="{top - 14}" font-weight="600">{escape(panel.title)}</text>',
            *draw_scales(frame, shown),
            f'<text class="soft" x="{middle:.0f}" y="{top + HIGH + 36}" text-anchor="middle">'
            f"{escape(panel.axis)}</text>",
        ]
        for name, points in panel.curves.items():
            parts += draw_curve(frame, name, names.index(name), points, shown)
    return document(width, head + rows * (ABOVE + HIGH + BELOW) + 10, title, about, parts)


def _decades(curves: Mapping[str, Points]) -> list[float]:
    """Powers of ten around all values."""
    values = [value for points in curves.values() for _, value in points]
    low, high = log10(min(values)), log10(max(values))
    first, last = int(low // 1), int(-(-high // 1))
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]
