"""A chart of the lengths of a game at each size: two lines, one for each first player."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from numberduels.cli.chart_style import BLUE, ORANGE, style_sheet

if TYPE_CHECKING:
    from numberduels.cli.sweep_length import LengthRow

LEFT, TOP, WIDTH, HEIGHT = 60, 80, 800, 320

LINES = (
    ("long_begins", "the player who wants a long game begins", 0, ""),
    ("short_begins", "the player who wants a short game begins", 1, ' stroke-dasharray="6 3"'),
)
"""For each line: its field, its name, the number of its colour and its dashes, which say the same."""


def draw_lengths(title: str, rows: Sequence[LengthRow]) -> str:
    """Draw the rows as a self-contained SVG."""
    first, last = (rows[0].size, rows[-1].size) if rows else (0, 1)
    most = max((max(row.long_begins, row.short_begins) for row in rows), default=1)

    def x(size: int) -> float:
        return LEFT + WIDTH * (size - first) / max(last - first, 1)

    def y(length: int) -> float:
        return TOP + HEIGHT * (1 - length / most)

    heading = f"{escape(title)}: how long the game lasts at each size"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" height="{TOP + HEIGHT + 40}"'
        ' role="img" font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{heading}</title>",
        f"<desc>{escape(describe_lengths(rows))}</desc>",
        style_sheet(BLUE, ORANGE),
        '<rect class="ground" width="100%" height="100%"/>',
        f'<text class="text" x="{LEFT}" y="28" font-size="18" font-weight="600">{heading}</text>',
    ]
    for level in ticks(0, most):
        parts.append(f'<path class="scale" d="M{LEFT} {y(level):.1f}h{WIDTH}"/>')
        parts.append(
            f'<text class="text" x="{LEFT - 8}" y="{y(level) + 4:.1f}" text-anchor="end">{level}</text>'
        )
    parts += [
        f'<text class="text" x="{x(size):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{size}</text>'
        for size in ticks(first, last)
    ]
    for number, (field, name, colour, dashes) in enumerate(LINES):
        at, style = LEFT + 340 * number, f'class="line{colour}" fill="none" stroke-width="2"{dashes}'
        points = " ".join(f"{x(row.size):.1f},{y(getattr(row, field)):.1f}" for row in rows)
        parts += [
            f'<path d="M{at} 52h24" {style}/>',
            f'<text class="text" x="{at + 30}" y="56">{name}</text>',
            f'<polyline points="{points}" {style}><title>{name}</title></polyline>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def ticks(low: int, high: int, most: int = 10) -> list[int]:
    """At most about `most` round numbers from low to high.

    >>> ticks(2, 50)
    [5, 10, 15, 20, 25, 30, 35, 40, 45, 50]
    """
    step = next(
        step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000) if (high - low) // step < most + 1
    )
    return list(range(-(-low // step) * step, high + 1, step))


def describe_lengths(rows: Sequence[LengthRow]) -> str:
    """The chart in words."""
    return " ".join(
        f"Moves if {name}: " + ", ".join(f"{row.size}: {getattr(row, field)}" for row in rows) + "."
        for field, name, _, _ in LINES
    )
