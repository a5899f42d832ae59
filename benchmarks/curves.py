"""Draws curves as an SVG with labels; curves differ by dashes as well as by colour."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import log10

Points = Sequence[tuple[float, float]]

STYLES = [("#2b6cb0", ""), ("#c05621", "7 3"), ("#2f855a", "2 3"), ("#805ad5", "9 3 2 3"), ("#4a5568", "1 4")]
"""A colour and a pattern of dashes for each curve."""

LEFT, TOP, WIDTH, HEIGHT, NAMES = 80, 70, 560, 300, 190


def picture(
    title: str,
    about: str,
    axes: tuple[str, str],
    curves: Mapping[str, Points],
    ticks: tuple[Sequence[float], Sequence[float]],
    *,
    logarithmic: bool = False,
    shown: Callable[[float], str] = lambda value: f"{value:,.0f}",
) -> str:
    """Draw the curves; `ticks` are the marks of both axes, and their first and last are the bounds."""
    scale = log10 if logarithmic else float

    def place(point: tuple[float, float]) -> tuple[float, float]:
        (x, y), spans = point, [(scale(marks[0]), scale(marks[-1])) for marks in ticks]
        right, up = ((scale(v) - low) / (high - low) for v, (low, high) in zip((x, y), spans, strict=True))
        return LEFT + WIDTH * right, TOP + HEIGHT * (1 - up)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + NAMES}" height="{TOP + HEIGHT + 70}"'
        ' role="img" font-family="system-ui, sans-serif" font-size="12" fill="#2d3748">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(about)}</desc>",
        '<rect width="100%" height="100%" fill="#fffdf8"/>',
        f'<text x="{LEFT}" y="30" font-size="18" font-weight="600">{escape(title)}</text>',
        f'<text x="{LEFT}" y="{TOP - 14}" fill="#4a5568">{escape(axes[1])}</text>',
        f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 46}" text-anchor="middle" fill="#4a5568">',
        f"{escape(axes[0])}</text>",
    ]
    for mark in ticks[1]:
        _, y = place((ticks[0][0], mark))
        parts.append(f'<path d="M{LEFT} {y:.1f}H{LEFT + WIDTH}" stroke="#e2e8f0"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{shown(mark)}</text>')
    for mark in ticks[0]:
        x, _ = place((mark, ticks[1][0]))
        parts.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 22}" text-anchor="middle">{mark:,.0f}</text>')
    ends = _apart([place(points[-1])[1] for points in curves.values()])
    for (name, points), (colour, dashes), end in zip(curves.items(), STYLES, ends, strict=False):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, points))
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"'
        parts.append(f'<polyline points="{path}" {style}><title>{escape(name)}</title></polyline>')
        for point in points:
            x, y = place(point)
            told = f"{name}: {point[0]:,.0f}, {shown(point[1])}"
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{told}</title></circle>'
            )
        parts.append(f'<text x="{LEFT + WIDTH + 12}" y="{end + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _apart(heights: list[float], spec: float = 16) -> list[float]:
    """The heights of labels, moved so that they do not overlap."""
    placed = dict.fromkeys(range(len(heights)), 0.0)
    last = -spec
    for index in sorted(range(len(heights)), key=heights.__getitem__):
        last = placed[index] = max(heights[index], last + spec)
    return list(placed.values())
